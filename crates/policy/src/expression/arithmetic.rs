//! The arithmetic of expressions, shared by constant folding and by programs.
//!
//! Every operation on finite numbers returns a finite number; [`expression`](crate::expression) lists the edge cases.
//! Transcendental functions come from `libm`, because those of operating systems differ in their last bits.

/// An operation on one number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unary {
    Negate,
    Absolute,
    Floor,
    Ceil,
    Round,
    Truncate,
    SquareRoot,
    NaturalLogarithm,
    BinaryLogarithm,
    Exponential,
}

impl Unary {
    #[inline]
    pub(crate) fn apply(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Absolute => x.abs(),
            Self::Floor => x.floor(),
            Self::Ceil => x.ceil(),
            Self::Round => x.round(),
            Self::Truncate => x.trunc(),
            // IEEE 754 fixes the square root to the last bit, so every processor returns the same one.
            Self::SquareRoot => x.max(0.0).sqrt(),
            Self::NaturalLogarithm if x > 0.0 => libm::log(x),
            Self::BinaryLogarithm if x > 0.0 => libm::log2(x),
            Self::NaturalLogarithm | Self::BinaryLogarithm => 0.0,
            Self::Exponential => saturate(libm::exp(x)),
        }
    }
}

/// An operation on two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
    Minimum,
    Maximum,
    Power,
}

impl Binary {
    #[inline]
    pub(crate) fn apply(self, x: f64, y: f64) -> f64 {
        match self {
            Self::Add => saturate(x + y),
            Self::Subtract => saturate(x - y),
            Self::Multiply => saturate(x * y),
            Self::Divide | Self::Remainder if y == 0.0 => 0.0,
            Self::Divide => saturate(x / y),
            Self::Remainder => x % y,
            Self::Minimum => x.min(y),
            Self::Maximum => x.max(y),
            Self::Power => power(x, y),
        }
    }
}

/// A comparison of two numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Comparison {
    Equal,
    NotEqual,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
}

impl Comparison {
    #[inline]
    pub(crate) fn holds(self, x: f64, y: f64) -> bool {
        match self {
            Self::Equal => x == y,
            Self::NotEqual => x != y,
            Self::Less => x < y,
            Self::LessOrEqual => x <= y,
            Self::Greater => x > y,
            Self::GreaterOrEqual => x >= y,
        }
    }

    /// The comparison that holds exactly when this one does not.
    pub(crate) fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
        }
    }

    /// The comparison that says the same with its two sides exchanged.
    pub(crate) fn mirrored(self) -> Self {
        match self {
            Self::Equal => Self::Equal,
            Self::NotEqual => Self::NotEqual,
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
        }
    }
}

/// `steps`: the value of the last threshold that `x` has reached, 0 when it has reached none.
#[inline]
pub(crate) fn step(x: f64, steps: &[(f64, f64)]) -> f64 {
    steps
        .iter()
        .rev()
        .find(|(threshold, _)| x >= *threshold)
        .map_or(0.0, |(_, value)| *value)
}

fn power(x: f64, y: f64) -> f64 {
    let value = libm::pow(x, y);
    if value.is_nan() || (x == 0.0 && y < 0.0) {
        0.0
    } else {
        saturate(value)
    }
}

#[inline]
fn saturate(x: f64) -> f64 {
    x.clamp(f64::MIN, f64::MAX)
}
