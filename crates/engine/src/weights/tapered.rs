//! Tapered values: a middlegame and an endgame value, blended by phase.

use std::fmt;
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use cozy_chess::Piece;

/// A pair of values, for the middlegame and for the endgame.
///
/// Both live in one integer, the endgame in the upper half, so that one addition adds both.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tapered(i64);

/// A pair of values, the middlegame's first.
#[inline]
pub(crate) const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered(((endgame as i64) << 32) + middlegame as i64)
}

impl Tapered {
    /// Zero in both phases.
    pub(crate) const ZERO: Self = t(0, 0);

    /// The value in the middlegame.
    #[inline]
    pub(crate) const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    /// The value in the endgame.
    #[inline]
    pub(crate) const fn endgame(self) -> i32 {
        // A negative lower half has borrowed one from the upper half.
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// The sum, for constants.
    #[inline]
    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The negation, for constants.
    #[inline]
    pub(crate) const fn negated(self) -> Self {
        Self(-self.0)
    }

    /// The value in a phase from 0 (endgame) to [`FULL_PHASE`] or more (middlegame).
    #[inline]
    pub(crate) const fn blend(self, phase: i32) -> i32 {
        let phase = if phase < FULL_PHASE { phase } else { FULL_PHASE };
        (self.middlegame() * phase + self.endgame() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "t({}, {})", self.middlegame(), self.endgame())
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        self.0 -= other.0;
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, count: i32) -> Self {
        Self(self.0 * i64::from(count))
    }
}

/// The phase of a piece; all pieces of the initial position sum to [`FULL_PHASE`].
#[inline]
pub(crate) const fn phase_weight(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn | Piece::King => 0,
        Piece::Knight | Piece::Bishop => 1,
        Piece::Rook => 2,
        Piece::Queen => 4,
    }
}

/// The phase of the initial position.
pub(crate) const FULL_PHASE: i32 = 24;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn both_halves_are_kept_apart(
            (a, b) in (-30_000..30_000, -30_000..30_000),
            (c, d) in (-30_000..30_000, -30_000..30_000),
            n in -60..60,
        ) {
            let pair = |value: Tapered| (value.middlegame(), value.endgame());
            prop_assert_eq!(pair(t(a, b)), (a, b));
            prop_assert_eq!(pair(t(a, b) + t(c, d)), (a + c, b + d));
            prop_assert_eq!(pair(t(a, b) - t(c, d)), (a - c, b - d));
            prop_assert_eq!(pair(-t(a, b)), (-a, -b));
            prop_assert_eq!(pair(t(a, b) * n), (a * n, b * n));
        }
    }

    #[test]
    fn phases_blend() {
        assert_eq!(t(240, 0).blend(FULL_PHASE), 240);
        assert_eq!(t(240, 0).blend(FULL_PHASE + 9), 240);
        assert_eq!(t(240, 48).blend(0), 48);
        assert_eq!(t(240, 48).blend(12), 144);
        assert_eq!(t(-241, -49).blend(12), -t(241, 49).blend(12));
    }
}
