//! The helper functions of an exported file. A file has those that it calls.

use super::Language;

/// A function that C lacks, or that must treat its edge cases as the policy language does.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Helper {
    Minimum,
    Maximum,
    Absolute,
    Truncate,
    Floor,
    Ceil,
    Round,
    Bounded,
    Divide,
    Remainder,
    SquareRoot,
    NaturalLogarithm,
    BinaryLogarithm,
    Exponential,
    Power,
}

impl Helper {
    /// Its name in a file.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Minimum => "minimum",
            Self::Maximum => "maximum",
            Self::Absolute => "absolute",
            Self::Truncate => "truncated",
            Self::Floor => "rounded_down",
            Self::Ceil => "rounded_up",
            Self::Round => "rounded",
            Self::Bounded => "bounded",
            Self::Divide => "divided",
            Self::Remainder => "remainder",
            Self::SquareRoot => "square_root",
            Self::NaturalLogarithm => "natural_logarithm",
            Self::BinaryLogarithm => "binary_logarithm",
            Self::Exponential => "exponential",
            Self::Power => "power",
        }
    }

    /// What it calls.
    pub(super) fn calls(self) -> &'static [Self] {
        match self {
            Self::Floor | Self::Ceil | Self::Round => &[Self::Truncate],
            Self::Divide | Self::Exponential | Self::Power => &[Self::Bounded],
            _ => &[],
        }
    }

    /// Whether the C function needs `math.h`.
    pub(super) fn needs_math(self) -> bool {
        self == Self::Remainder || self == Self::SquareRoot || self.is_of_the_system()
    }

    /// Whether its result may differ between systems in the last bit.
    pub(super) fn is_of_the_system(self) -> bool {
        matches!(
            self,
            Self::NaturalLogarithm | Self::BinaryLogarithm | Self::Exponential | Self::Power
        )
    }

    /// What it does.
    pub(super) fn meaning(self) -> &'static str {
        match self {
            Self::Minimum => "The lesser of two numbers.",
            Self::Maximum => "The greater of two numbers.",
            Self::Absolute => "Without its sign.",
            Self::Truncate => "Cut towards zero.",
            Self::Floor => "The next whole number below.",
            Self::Ceil => "The next whole number above.",
            Self::Round => "The nearest whole number; halves away from zero.",
            Self::Bounded => "At the largest finite number instead of beyond.",
            Self::Divide => "A quotient; 0 when divided by 0.",
            Self::Remainder => "A remainder with the sign of the first number; 0 when divided by 0.",
            Self::SquareRoot => "A square root; 0 below 0.",
            Self::NaturalLogarithm => "A natural logarithm; 0 where there is none.",
            Self::BinaryLogarithm => "A logarithm to base 2; 0 where there is none.",
            Self::Exponential => "The exponential function.",
            Self::Power => "A power; 0 where there is none.",
        }
    }

    /// Its parameters and its body, with `@` before the names of other helpers.
    pub(super) fn code(self, language: Language) -> (&'static [&'static str], &'static str) {
        const ONE: &[&str] = &["x"];
        const TWO: &[&str] = &["x", "y"];
        let c = language == Language::C;
        match self {
            Self::Minimum if c => (TWO, "return x < y ? x : y;"),
            Self::Maximum if c => (TWO, "return x > y ? x : y;"),
            Self::Absolute if c => (ONE, "return x < 0.0 ? -x : x;"),
            Self::Truncate if c => (
                ONE,
                "return x > -4503599627370496.0 && x < 4503599627370496.0 ? (double)(long long)x : x;",
            ),
            Self::Floor if c => (
                ONE,
                "const double cut = @truncated(x);\n    return x < cut ? cut - 1.0 : cut;",
            ),
            Self::Ceil if c => (
                ONE,
                "const double cut = @truncated(x);\n    return x > cut ? cut + 1.0 : cut;",
            ),
            Self::Round if c => (
                ONE,
                "const double cut = @truncated(x);\n    return x - cut >= 0.5 ? cut + 1.0 : x - cut <= -0.5 ? cut - 1.0 : cut;",
            ),
            Self::Bounded if c => (
                ONE,
                "const double most = 1.7976931348623157e308;\n    return x > most ? most : x < -most ? -most : x;",
            ),
            Self::Divide if c => (TWO, "return y == 0.0 ? 0.0 : @bounded(x / y);"),
            Self::Remainder if c => (TWO, "return y == 0.0 ? 0.0 : fmod(x, y);"),
            Self::SquareRoot if c => (ONE, "return x > 0.0 ? sqrt(x) : 0.0;"),
            Self::NaturalLogarithm if c => (ONE, "return x > 0.0 ? log(x) : 0.0;"),
            Self::BinaryLogarithm if c => (ONE, "return x > 0.0 ? log2(x) : 0.0;"),
            Self::Exponential if c => (ONE, "return @bounded(exp(x));"),
            Self::Power if c => (
                TWO,
                "const double value = pow(x, y);\n    return value != value || (x == 0.0 && y < 0.0) ? 0.0 : @bounded(value);",
            ),
            Self::Minimum => (TWO, "if x < y { x } else { y }"),
            Self::Maximum => (TWO, "if x > y { x } else { y }"),
            Self::Absolute => (ONE, "x.abs()"),
            Self::Truncate => (
                ONE,
                "if x > -4503599627370496.0 && x < 4503599627370496.0 { x as i64 as f64 } else { x }",
            ),
            Self::Floor => (
                ONE,
                "let cut = @truncated(x);\n    if x < cut { cut - 1.0 } else { cut }",
            ),
            Self::Ceil => (
                ONE,
                "let cut = @truncated(x);\n    if x > cut { cut + 1.0 } else { cut }",
            ),
            Self::Round => (
                ONE,
                "let cut = @truncated(x);\n    if x - cut >= 0.5 { cut + 1.0 } else if x - cut <= -0.5 { cut - 1.0 } else { cut }",
            ),
            Self::Bounded => (ONE, "x.clamp(f64::MIN, f64::MAX)"),
            Self::Divide => (TWO, "if y == 0.0 { 0.0 } else { @bounded(x / y) }"),
            Self::Remainder => (TWO, "if y == 0.0 { 0.0 } else { x % y }"),
            Self::SquareRoot => (ONE, "x.max(0.0).sqrt()"),
            Self::NaturalLogarithm => (ONE, "if x > 0.0 { x.ln() } else { 0.0 }"),
            Self::BinaryLogarithm => (ONE, "if x > 0.0 { x.log2() } else { 0.0 }"),
            Self::Exponential => (ONE, "@bounded(x.exp())"),
            Self::Power => (
                TWO,
                "let value = x.powf(y);\n    if value.is_nan() || (x == 0.0 && y < 0.0) { 0.0 } else { @bounded(value) }",
            ),
        }
    }
}
