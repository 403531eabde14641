//! Numbers about moves, put into bins that a table can hold.

use lmrlab_policy::facts::{Fact, Kind};

/// Small counts stand alone up to this.
const LARGEST_ALONE: i64 = 8;

/// A bin of a number: its least and its greatest value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Bin {
    /// The least value that falls into it.
    pub from: i64,
    /// The greatest.
    pub to: i64,
}

impl Bin {
    /// Where a value of a fact falls: small counts (plies, moves) stand alone, larger ones between powers of two; other
    /// numbers between powers of four, by their sign.
    pub fn of(fact: Fact, value: f64) -> Self {
        let value = value as i64;
        let info = fact.info();
        let counts = ["plies", "moves", "cutoffs", "rank", "0 to 24"].contains(&info.unit);
        let alone = info.kind == Kind::Boolean || (counts && value.abs() <= LARGEST_ALONE);
        let Some(digits) = value.unsigned_abs().checked_ilog2().filter(|_| !alone) else {
            return Self {
                from: value,
                to: value,
            };
        };
        let (digits, more) = if counts {
            (digits.min(61), 1)
        } else {
            (digits.min(61) / 2 * 2, 2)
        };
        let (least, most) = (1_i64 << digits, (1_i64 << (digits + more)) - 1);
        // Between 8 and 16 stand the counts that are not alone.
        let least = if counts {
            least.max(LARGEST_ALONE + 1)
        } else {
            least
        };
        if value > 0 {
            Self {
                from: least,
                to: most,
            }
        } else {
            Self {
                from: -most,
                to: -least,
            }
        }
    }

    /// The bin for a person: `false`, `7`, `16..31`.
    pub fn label(self, fact: Fact) -> String {
        match (fact.info().kind, self) {
            (Kind::Boolean, bin) => (bin.from != 0).to_string(),
            (_, Self { from, to }) if from == to => from.to_string(),
            (_, Self { from, to }) => format!("{from}..{to}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_bins() {
        let label = |fact: Fact, value: f64| Bin::of(fact, value).label(fact);
        assert_eq!(label(Fact::Depth, 7.0), "7");
        assert_eq!(label(Fact::MoveNumber, 200.0), "128..255");
        assert_eq!(label(Fact::See, 0.0), "0");
        assert_eq!(label(Fact::See, 1.0), "1..3");
        assert_eq!(label(Fact::MoveNumber, 9.0), "9..15");
        assert_eq!(label(Fact::MoveNumber, 16.0), "16..31");
        assert_eq!(label(Fact::See, 100.0), "64..255");
        assert_eq!(label(Fact::See, 300.0), "256..1023");
        assert_eq!(label(Fact::See, -100.0), "-255..-64");
        assert_eq!(label(Fact::CounterMove, 1.0), "true");
    }
}
