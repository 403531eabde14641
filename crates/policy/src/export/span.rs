//! The bounds of an expression. Exported code uses plain arithmetic where nothing can overflow.

use std::ops::RangeInclusive;

use lmrlab_host::runtime::arithmetic::{Binary, Unary};

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
        Self::between(value, value, value.fract() == 0.0)
    }

    pub(super) fn of_range(range: &RangeInclusive<i32>) -> Self {
        Self::between(f64::from(*range.start()), f64::from(*range.end()), true)
    }

    /// Numbers between two bounds that may be infinite.
    pub(super) fn between(low: f64, high: f64, whole: bool) -> Self {
        Self {
            low: low.clamp(f64::MIN, f64::MAX),
            high: high.clamp(f64::MIN, f64::MAX),
            whole,
        }
    }

    /// The bounds of some numbers.
    pub(super) fn of_all(values: &[f64]) -> Self {
        let all = values.iter().map(|value| Self::of(*value));
        all.reduce(Self::or).unwrap_or(Self::ANY)
    }

    /// The bounds of a number that lies within either of the two.
    pub(super) fn or(self, other: Self) -> Self {
        let whole = self.whole && other.whole;
        Self::between(self.low.min(other.low), self.high.max(other.high), whole)
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

    fn plus(self, other: Self) -> Self {
        Self::between(self.low + other.low, self.high + other.high, self.whole && other.whole)
    }

    /// The bounds of an operation on a number.
    pub(super) fn after(self, operation: Unary) -> Self {
        match operation {
            Unary::Negate => self.negated(),
            Unary::Absolute => Self::between(0.0, self.greatest(), self.whole),
            Unary::Floor | Unary::Ceil | Unary::Round | Unary::Truncate => {
                Self::between(self.low - 1.0, self.high + 1.0, true)
            }
            Unary::SquareRoot => Self::between(0.0, 1.0 + self.greatest(), false),
            Unary::NaturalLogarithm | Unary::BinaryLogarithm => Self::between(-1e4, 1e4, false),
            Unary::Exponential => Self::between(0.0, f64::MAX, false),
            _ => Self::ANY,
        }
    }

    /// The bounds of an operation on two numbers.
    pub(super) fn with(self, operation: Binary, other: Self) -> Self {
        let whole = self.whole && other.whole;
        match operation {
            Binary::Add => self.plus(other),
            Binary::Subtract => self.plus(other.negated()),
            Binary::Multiply => self.times(other),
            Binary::Divide => self.over(other),
            Binary::Minimum => Self::between(self.low.min(other.low), self.high.min(other.high), whole),
            Binary::Maximum => Self::between(self.low.max(other.low), self.high.max(other.high), whole),
            Binary::Remainder => Self::between(-self.greatest(), self.greatest(), whole),
            _ => Self::ANY,
        }
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
    fn over(self, other: Self) -> Self {
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
