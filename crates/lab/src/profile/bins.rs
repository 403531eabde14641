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
    /// Where a value falls; fractions are cut off. A small count has a bin alone, others stand between powers of two. Numbers that are no
    /// counts stand between powers of four, by their sign.
    #[inline]
    pub(super) fn of(value: f64, is_count: bool) -> Self {
        let value = value as i64;
        let is_alone = is_count && value.abs() <= LARGEST_ALONE;
        let Some(digits) = value.unsigned_abs().checked_ilog2().filter(|_| !is_alone) else {
            return Self { from: value, to: value };
        };
        let digits = digits.min(61);
        let (least, most) = match is_count {
            // The first bin of larger counts begins at 9.
            true => ((1 << digits).max(LARGEST_ALONE + 1), (1 << (digits + 1)) - 1),
            false => (1 << (digits / 2 * 2), (1 << (digits / 2 * 2 + 2)) - 1),
        };
        let (from, to) = if value > 0 { (least, most) } else { (-most, -least) };
        Self { from, to }
    }
}

/// Whether the values of a fact are counts, by its unit. The unit of a host's own fact is unknown: as of counts.
pub(super) fn is_count(fact: &NamedFact) -> bool {
    match fact {
        NamedFact::Known(fact) if fact.info().kind == Kind::Number => {
            matches!(fact.info().unit, "plies" | "moves" | "cutoffs" | "rank" | "0 to 24")
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_fall_into_bins() {
        for (value, is_count, from, to) in [
            (7.0, true, 7, 7),
            (-8.5, true, -8, -8),
            (9.0, true, 9, 15),
            (16.0, true, 16, 31),
            (200.0, true, 128, 255),
            (0.0, false, 0, 0),
            (1.0, false, 1, 3),
            (100.0, false, 64, 255),
            (300.0, false, 256, 1023),
            (-100.0, false, -255, -64),
        ] {
            assert_eq!(Bin::of(value, is_count), Bin { from, to }, "{value}");
        }
    }
}
