//! Bins for the values of facts.

use lmrlab_policy::facts::Kind;

use crate::named_fact::NamedFact;

/// Counts up to this have a bin of their own.
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
    /// Where a value of a fact falls.
    pub fn of(fact: &NamedFact, value: f64) -> Self {
        Scale::of(fact).bin(value)
    }

    /// The bin for a person: `false`, `7`, `16..31`.
    pub fn label(self, fact: &NamedFact) -> String {
        match (fact.kind(), self) {
            (Kind::Boolean, bin) => (bin.from != 0).to_string(),
            (_, Self { from, to }) if from == to => from.to_string(),
            (_, Self { from, to }) => format!("{from}..{to}"),
        }
    }
}

/// How the values of a fact are put into bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Scale {
    /// A bin for each value: booleans.
    Single,
    /// Counts (plies, moves): a bin for each small one, bins between powers of two for larger ones.
    Counts,
    /// Other numbers between powers of four, by their sign.
    Wide,
}

impl Scale {
    /// The scale of a fact, by its unit. That of a host's own number is unknown: as of counts.
    pub(super) fn of(fact: &NamedFact) -> Self {
        match (fact.kind(), fact) {
            (Kind::Boolean, _) => Self::Single,
            (Kind::Number, NamedFact::Own { .. }) => Self::Counts,
            (Kind::Number, NamedFact::Known(fact)) => match fact.info().unit {
                "plies" | "moves" | "cutoffs" | "rank" | "0 to 24" => Self::Counts,
                _ => Self::Wide,
            },
        }
    }

    /// Where a value falls; fractions are cut off.
    #[inline]
    pub(super) fn bin(self, value: f64) -> Bin {
        let value = value as i64;
        let digits = match self {
            Self::Single => None,
            Self::Counts if value.abs() <= LARGEST_ALONE => None,
            Self::Counts | Self::Wide => value.unsigned_abs().checked_ilog2(),
        };
        let Some(digits) = digits.map(|digits| digits.min(61)) else {
            return Bin { from: value, to: value };
        };
        let (least, most) = match self {
            // The first bin of larger counts begins at 9.
            Self::Single | Self::Counts => ((1 << digits).max(LARGEST_ALONE + 1), (1 << (digits + 1)) - 1),
            Self::Wide => {
                let digits = digits / 2 * 2;
                (1 << digits, (1 << (digits + 2)) - 1)
            }
        };
        if value > 0 {
            Bin { from: least, to: most }
        } else {
            Bin {
                from: -most,
                to: -least,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lmrlab_policy::facts::Fact;

    use super::*;

    #[test]
    fn numbers_fall_into_bins() {
        let label = |fact: Fact, value: f64| {
            let fact = NamedFact::Known(fact);
            Bin::of(&fact, value).label(&fact)
        };
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
