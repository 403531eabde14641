//! Scores, from the point of view of the side to move.

use std::fmt;
use std::ops::{Add, Neg, Sub};

use crate::depth::Ply;

/// A score in centipawns, or a distance to mate, for the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Score(i32);

const MATE: i32 = 32_000;
const INFINITE: i32 = 32_500;

impl Score {
    /// A drawn position.
    pub const DRAW: Self = Self(0);
    /// Greater than every score of a search.
    pub const INFINITE: Self = Self(INFINITE);
    /// Less than every score of a search.
    pub const MINUS_INFINITE: Self = Self(-INFINITE);
    /// The least mate score. Every evaluation lies strictly between its negation and this.
    pub(crate) const LEAST_MATE: Self = Self(MATE - 2 * Ply::MAX.get());

    /// A score in centipawns, clamped to non-mate scores.
    #[inline]
    pub const fn centipawns(value: i32) -> Self {
        let limit = Self::LEAST_MATE.0 - 1;
        if value > limit {
            Self(limit)
        } else if value < -limit {
            Self(-limit)
        } else {
            Self(value)
        }
    }

    /// The side to move is checkmated, `ply` plies from the root.
    #[inline]
    pub(crate) const fn mated_in(ply: Ply) -> Self {
        Self(ply.get() - MATE)
    }

    /// The side to move mates, `ply` plies from the root.
    #[inline]
    pub(crate) const fn mate_in(ply: Ply) -> Self {
        Self(MATE - ply.get())
    }

    /// The number: centipawns, or an encoded mate.
    #[inline]
    pub const fn get(self) -> i32 {
        self.0
    }

    /// Whether it is a mate score, for either side.
    #[inline]
    pub const fn is_mate(self) -> bool {
        self.0.abs() >= Self::LEAST_MATE.0
    }

    /// Plies from the root to the mate; `None` when it is not a mate score.
    #[inline]
    pub(crate) const fn plies_to_mate(self) -> Option<i32> {
        if self.is_mate() {
            Some(MATE - self.0.abs())
        } else {
            None
        }
    }

    /// Moves to mate as UCI counts them: negative when the side to move is mated.
    pub const fn moves_to_mate(self) -> Option<i32> {
        match self.plies_to_mate() {
            None => None,
            Some(plies) if self.0 > 0 => Some((plies + 1) / 2),
            Some(plies) => Some(-(plies / 2)),
        }
    }

    /// The score for the transposition table: mate distances count from the node at `ply` instead of the root.
    #[inline]
    pub(crate) const fn to_table(self, ply: Ply) -> i16 {
        let value = if self.0 >= Self::LEAST_MATE.0 {
            self.0 + ply.get()
        } else if self.0 <= -Self::LEAST_MATE.0 {
            self.0 - ply.get()
        } else {
            self.0
        };
        value as i16
    }

    /// The inverse of [`Score::to_table`].
    #[inline]
    pub(crate) const fn from_table(value: i16, ply: Ply) -> Self {
        let value = value as i32;
        Self(if value >= Self::LEAST_MATE.0 {
            value - ply.get()
        } else if value <= -Self::LEAST_MATE.0 {
            value + ply.get()
        } else {
            value
        })
    }
}

impl Neg for Score {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Add<i32> for Score {
    type Output = Self;
    #[inline]
    fn add(self, centipawns: i32) -> Self {
        Self(self.0 + centipawns)
    }
}

impl Sub<i32> for Score {
    type Output = Self;
    #[inline]
    fn sub(self, centipawns: i32) -> Self {
        Self(self.0 - centipawns)
    }
}

impl Sub for Score {
    type Output = i32;
    #[inline]
    fn sub(self, other: Self) -> i32 {
        self.0 - other.0
    }
}

/// In UCI's form: `cp 31` or `mate -2`.
impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.moves_to_mate() {
            Some(moves) => write!(f, "mate {moves}"),
            None => write!(f, "cp {}", self.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_moves() {
        assert_eq!(Score::mate_in(Ply::new(1)).to_string(), "mate 1");
        assert_eq!(Score::mate_in(Ply::new(3)).to_string(), "mate 2");
        assert_eq!(Score::mated_in(Ply::new(2)).to_string(), "mate -1");
        assert_eq!(Score::mated_in(Ply::new(0)).to_string(), "mate 0");
        assert_eq!(Score::centipawns(-17).to_string(), "cp -17");
    }

    #[test]
    fn the_table_counts_mates_from_the_node() {
        let here = Ply::new(7);
        for score in [
            Score::mate_in(Ply::new(12)),
            Score::mated_in(Ply::new(9)),
            Score::centipawns(250),
        ] {
            assert_eq!(Score::from_table(score.to_table(here), here), score);
        }
        assert_eq!(
            Score::from_table(Score::mate_in(Ply::new(9)).to_table(Ply::new(4)), Ply::new(6)),
            Score::mate_in(Ply::new(11))
        );
    }

    #[test]
    fn an_evaluation_is_never_a_mate() {
        assert!(!Score::centipawns(1_000_000).is_mate());
        assert!(!Score::centipawns(-1_000_000).is_mate());
    }
}
