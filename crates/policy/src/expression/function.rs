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
    /// An element of a list.
    At,
    /// The sum of the products of two lists.
    Dot,
    /// A number, or each element of a list.
    Relu,
    /// The products of any two elements of a list, or of any three.
    Products(usize),
}

macro_rules! functions {
    ($($name:literal $usage:literal $meaning:literal $function:expr;)*) => {
        /// Every function.
        pub(crate) const FUNCTIONS: &[FunctionInfo] = &[$(FunctionInfo {
            name: $name,
            usage: $usage,
            meaning: $meaning,
            function: $function,
        }),*];
    };
}

functions! {
    "min" "min(a, b, ...)" "the least of two or more numbers" Function::Fold(Binary::Minimum);
    "max" "max(a, b, ...)" "the greatest of two or more numbers" Function::Fold(Binary::Maximum);
    "clamp" "clamp(x, low, high)" "`x`, moved to the nearer bound when outside" Function::Clamp;
    "abs" "abs(x)" "`x` without its sign" Function::Unary(Unary::Absolute);
    "floor" "floor(x)" "the greatest integer not above `x`" Function::Unary(Unary::Floor);
    "ceil" "ceil(x)" "the least integer not below `x`" Function::Unary(Unary::Ceil);
    "round" "round(x)" "the nearest integer; halves go away from zero" Function::Unary(Unary::Round);
    "trunc" "trunc(x)" "`x` without its fraction" Function::Unary(Unary::Truncate);
    "sqrt" "sqrt(x)" "the square root; 0 for a negative `x`" Function::Unary(Unary::SquareRoot);
    "ln" "ln(x)" "the natural logarithm; 0 for `x <= 0`" Function::Unary(Unary::NaturalLogarithm);
    "log2" "log2(x)" "the logarithm to base 2; 0 for `x <= 0`" Function::Unary(Unary::BinaryLogarithm);
    "exp" "exp(x)" "e to the power `x`" Function::Unary(Unary::Exponential);
    "pow" "pow(x, y)" "`x` to the power `y`; 0 where that has no value" Function::Binary(Binary::Power);
    "if" "if(condition, a, b)" "`a` if the condition holds, otherwise `b`; only that one is evaluated" Function::If;
    "steps" "steps(x, 3 => 1, 7 => 2)" "the value of the last threshold that `x` has reached; 0 below the first" Function::Steps;
    "table" "table(row, column)" "the cell of the file's `table`, rows and columns counted from 0; the nearest cell when outside" Function::Table;
    "at" "at(list, x)" "the element of the list with the number `x`, counted from 0 and cut towards zero; the nearest element when outside" Function::At;
    "dot" "dot(a, b)" "the sum of the products of the elements of two lists, from left to right" Function::Dot;
    "relu" "relu(x)" "`x`, or 0 if it is negative; of a list: each element so" Function::Relu;
    "pairs" "pairs(list)" "the list of the products of any two elements: first and second, first and third, ..., second and third, ..." Function::Products(2);
    "triples" "triples(list)" "the list of the products of any three elements, in the same order" Function::Products(3);
}

/// The function with this name.
pub(crate) fn named(name: &str) -> Option<&'static FunctionInfo> {
    FUNCTIONS.iter().find(|info| info.name == name)
}

/// The word of an operation on one number: that of its function, or `neg`.
pub(crate) fn unary_word(operation: Unary) -> &'static str {
    let is = |info: &&FunctionInfo| info.function == Function::Unary(operation);
    FUNCTIONS.iter().find(is).map_or("neg", |info| info.name)
}

/// The word of an operation on two numbers: that of its function, or its sign.
pub(crate) fn binary_word(operation: Binary) -> &'static str {
    let of_function = [Function::Binary(operation), Function::Fold(operation)];
    match operation {
        Binary::Add => "+",
        Binary::Subtract => "-",
        Binary::Multiply => "*",
        Binary::Divide => "/",
        Binary::Remainder => "%",
        Binary::Minimum | Binary::Maximum | Binary::Power => {
            let found = FUNCTIONS.iter().find(|info| of_function.contains(&info.function));
            found.map_or("", |info| info.name)
        }
    }
}

/// Reserved words, which cannot be the names of parameters.
pub(crate) const KEYWORDS: &[&str] = &["and", "or", "not", "true", "false"];
