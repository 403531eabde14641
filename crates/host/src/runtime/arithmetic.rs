//! The operations of expressions, each with its word.
//!
//! Every operation on finite numbers gives a finite number, the same on every machine. A result that is too large is the
//! largest float with its sign; `x / 0` and `x % 0` are 0. Logarithms of 0 and below are 0. Comparisons give 0 or 1.
//! Transcendental functions come from `libm`, because those of operating systems differ in their last bits.

macro_rules! operations {
    ($(#[$doc:meta])* $Name:ident { $($Operation:ident $word:literal $usage:literal $meaning:literal;)* }) => {
        named! {
            $(#[$doc])*
            #[non_exhaustive]
            $Name { $($Operation $word $meaning;)* }
        }

        impl $Name {
            /// How a policy file writes it; and its value.
            pub const fn usage(self) -> (&'static str, &'static str) {
                ([$($usage),*][self as usize], self.meaning())
            }
        }
    };
}

operations! {
    /// An operation on one value.
    Unary {
        Negate "neg" "-x" "`x` with the other sign";
        Not "not" "not x" "whether `x` does not hold";
        Absolute "abs" "abs(x)" "`x` without its sign";
        Floor "floor" "floor(x)" "the greatest integer not above `x`";
        Ceil "ceil" "ceil(x)" "the least integer not below `x`";
        Round "round" "round(x)" "the nearest integer; halves go away from zero";
        Truncate "trunc" "trunc(x)" "`x` without its fraction";
        SquareRoot "sqrt" "sqrt(x)" "the square root; 0 for a negative `x`";
        NaturalLogarithm "ln" "ln(x)" "the natural logarithm; 0 for `x <= 0`";
        BinaryLogarithm "log2" "log2(x)" "the logarithm to base 2; 0 for `x <= 0`";
        Exponential "exp" "exp(x)" "e to the power `x`";
    }
}

operations! {
    /// An operation on two values.
    Binary {
        Add "+" "x + y" "the sum";
        Subtract "-" "x - y" "the difference";
        Multiply "*" "x * y" "the product";
        Divide "/" "x / y" "the quotient; 0 when divided by 0";
        Remainder "%" "x % y" "the remainder with the sign of `x`; 0 when divided by 0";
        Minimum "min" "min(a, b, ...)" "the least of two or more numbers";
        Maximum "max" "max(a, b, ...)" "the greatest of two or more numbers";
        Power "pow" "pow(x, y)" "`x` to the power `y`; 0 where that has no value";
        Less "<" "x < y" "whether `x` is less";
        LessOrEqual "<=" "x <= y" "whether `x` is not greater";
        Greater ">" "x > y" "whether `x` is greater";
        GreaterOrEqual ">=" "x >= y" "whether `x` is not less";
        Equal "==" "x == y" "whether both are equal";
        NotEqual "!=" "x != y" "whether they differ";
    }
}

impl Unary {
    /// The value of the operation.
    #[inline]
    pub fn apply(self, x: f64) -> f64 {
        match self {
            Self::Negate => -x,
            Self::Not => truth(x == 0.0),
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

impl Binary {
    /// The value of the operation.
    #[inline]
    pub fn apply(self, x: f64, y: f64) -> f64 {
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
            Self::Less => truth(x < y),
            Self::LessOrEqual => truth(x <= y),
            Self::Greater => truth(x > y),
            Self::GreaterOrEqual => truth(x >= y),
            Self::Equal => truth(x == y),
            Self::NotEqual => truth(x != y),
        }
    }

    /// Whether it compares: its value is a boolean.
    pub const fn compares(self) -> bool {
        self as usize >= Self::Less as usize
    }

    /// Whether its operands can change places.
    pub(crate) const fn commutes(self) -> bool {
        matches!(self, Self::Add | Self::Multiply)
    }

    /// The comparison that holds exactly when this one does not.
    pub(crate) const fn negated(self) -> Self {
        match self {
            Self::Equal => Self::NotEqual,
            Self::NotEqual => Self::Equal,
            Self::Less => Self::GreaterOrEqual,
            Self::LessOrEqual => Self::Greater,
            Self::Greater => Self::LessOrEqual,
            Self::GreaterOrEqual => Self::Less,
            other => other,
        }
    }

    /// The comparison that says the same with its two sides exchanged.
    pub(crate) const fn mirrored(self) -> Self {
        match self {
            Self::Less => Self::Greater,
            Self::LessOrEqual => Self::GreaterOrEqual,
            Self::Greater => Self::Less,
            Self::GreaterOrEqual => Self::LessOrEqual,
            other => other,
        }
    }
}

/// 1 for true, 0 for false.
#[inline]
pub(crate) fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
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
