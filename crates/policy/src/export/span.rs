//! The bounds of an expression. Exported code uses plain arithmetic where nothing can overflow.

use std::ops::RangeInclusive;

/// The bounds of a finite number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Span {
    pub(super) low: f64,
    pub(super) high: f64,
    /// Whether it is always a whole number.
    pub(super) whole: bool,
}

impl Span {
    /// Any finite number.
    pub(super) const ANY: Self = Self {
        low: f64::MIN,
        high: f64::MAX,
        whole: false,
    };

    pub(super) fn of(value: f64) -> Self {
        Self {
            low: value,
            high: value,
            whole: value.fract() == 0.0,
        }
    }

    pub(super) fn of_range(range: &RangeInclusive<i32>) -> Self {
        Self {
            low: f64::from(*range.start()),
            high: f64::from(*range.end()),
            whole: true,
        }
    }

    /// Numbers between two bounds that may be infinite.
    pub(super) fn between(low: f64, high: f64, whole: bool) -> Self {
        Self {
            low: low.clamp(f64::MIN, f64::MAX),
            high: high.clamp(f64::MIN, f64::MAX),
            whole,
        }
    }

    /// The bounds of a number that lies within either of the two.
    pub(super) fn or(self, other: Self) -> Self {
        Self {
            low: self.low.min(other.low),
            high: self.high.max(other.high),
            whole: self.whole && other.whole,
        }
    }

    /// The greatest absolute value.
    pub(super) fn greatest(self) -> f64 {
        self.low.abs().max(self.high.abs())
    }

    pub(super) fn has_zero(self) -> bool {
        self.low <= 0.0 && 0.0 <= self.high
    }

    pub(super) fn negated(self) -> Self {
        Self::between(-self.high, -self.low, self.whole)
    }

    pub(super) fn plus(self, other: Self) -> Self {
        Self::between(self.low + other.low, self.high + other.high, self.whole && other.whole)
    }

    pub(super) fn times(self, other: Self) -> Self {
        let most = self.greatest() * other.greatest();
        let low = if self.low >= 0.0 && other.low >= 0.0 {
            0.0
        } else {
            -most
        };
        Self::between(low, most, self.whole && other.whole)
    }

    /// The quotient, 0 where `other` is 0.
    pub(super) fn over(self, other: Self) -> Self {
        let least = if !other.has_zero() {
            other.low.abs().min(other.high.abs())
        } else if other.whole {
            1.0
        } else {
            0.0
        };
        let most = self.greatest() / least;
        if most.is_nan() {
            return Self::ANY;
        }
        Self::between(-most, most, false)
    }
}
