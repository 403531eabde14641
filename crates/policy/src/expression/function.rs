//! The functions of expressions, in one list for the type checker, the messages and the documentation.

use super::arithmetic::{Binary, Unary};

/// One function of the language.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FunctionInfo {
    /// Its name.
    pub(crate) name: &'static str,
    /// How a call is written.
    pub(crate) usage: &'static str,
    /// Its value.
    pub(crate) meaning: &'static str,
    pub(crate) function: Function,
}

/// The kinds of functions, by their arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Function {
    /// One number.
    Unary(Unary),
    /// Two numbers.
    Binary(Binary),
    /// Two or more numbers, combined in any order.
    Fold(Binary),
    Clamp,
    If,
    Steps,
    Table,
}

const fn row(name: &'static str, usage: &'static str, meaning: &'static str, function: Function) -> FunctionInfo {
    FunctionInfo {
        name,
        usage,
        meaning,
        function,
    }
}

/// Every function.
pub(crate) const FUNCTIONS: &[FunctionInfo] = &[
    row(
        "min",
        "min(a, b, ...)",
        "the least of two or more numbers",
        Function::Fold(Binary::Minimum),
    ),
    row(
        "max",
        "max(a, b, ...)",
        "the greatest of two or more numbers",
        Function::Fold(Binary::Maximum),
    ),
    row(
        "clamp",
        "clamp(x, low, high)",
        "`x`, moved to the nearer bound when outside",
        Function::Clamp,
    ),
    row(
        "abs",
        "abs(x)",
        "`x` without its sign",
        Function::Unary(Unary::Absolute),
    ),
    row(
        "floor",
        "floor(x)",
        "the greatest integer not above `x`",
        Function::Unary(Unary::Floor),
    ),
    row(
        "ceil",
        "ceil(x)",
        "the least integer not below `x`",
        Function::Unary(Unary::Ceil),
    ),
    row(
        "round",
        "round(x)",
        "the nearest integer; halves go away from zero",
        Function::Unary(Unary::Round),
    ),
    row(
        "trunc",
        "trunc(x)",
        "`x` without its fraction",
        Function::Unary(Unary::Truncate),
    ),
    row(
        "sqrt",
        "sqrt(x)",
        "the square root; 0 for a negative `x`",
        Function::Unary(Unary::SquareRoot),
    ),
    row(
        "ln",
        "ln(x)",
        "the natural logarithm; 0 for `x <= 0`",
        Function::Unary(Unary::NaturalLogarithm),
    ),
    row(
        "log2",
        "log2(x)",
        "the logarithm to base 2; 0 for `x <= 0`",
        Function::Unary(Unary::BinaryLogarithm),
    ),
    row(
        "exp",
        "exp(x)",
        "e to the power `x`",
        Function::Unary(Unary::Exponential),
    ),
    row(
        "pow",
        "pow(x, y)",
        "`x` to the power `y`; 0 where that has no value",
        Function::Binary(Binary::Power),
    ),
    row(
        "if",
        "if(condition, a, b)",
        "`a` if the condition holds, otherwise `b`; only that one is evaluated",
        Function::If,
    ),
    row(
        "steps",
        "steps(x, 3 => 1, 7 => 2)",
        "the value of the last threshold that `x` has reached; 0 below the first",
        Function::Steps,
    ),
    row(
        "table",
        "table(row, column)",
        "the cell of the file's `table`, rows and columns counted from 0; the nearest cell when outside",
        Function::Table,
    ),
];

/// The function with this name.
pub(crate) fn named(name: &str) -> Option<&'static FunctionInfo> {
    FUNCTIONS.iter().find(|info| info.name == name)
}

/// Reserved words, which cannot be the names of parameters.
pub(crate) const KEYWORDS: &[&str] = &["and", "or", "not", "true", "false"];
