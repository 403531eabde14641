//! The functions of expressions, for the type checker, the messages and the documentation.

use std::ops::RangeInclusive;

use lmrlab_host::rows;
use lmrlab_host::runtime::arithmetic::{Binary, Unary};

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

impl Function {
    /// How many arguments a call has, as a range and in words.
    pub(crate) fn arguments(self) -> (RangeInclusive<usize>, &'static str) {
        match self {
            Self::Unary(_) | Self::Relu => (1..=1, "one argument"),
            Self::Products(_) => (1..=1, "one list"),
            Self::Dot => (2..=2, "two lists"),
            Self::At => (2..=2, "a list and a number"),
            Self::Binary(_) | Self::Table => (2..=2, "two arguments"),
            Self::Fold(_) => (2..=usize::MAX, "two or more arguments"),
            Self::Clamp | Self::If => (3..=3, "three arguments"),
            Self::Steps => (2..=usize::MAX, "a number and at least one step"),
        }
    }
}

/// The functions that are no operations of the run-time.
const OTHERS: [(&str, &str, &str, Function); 9] = rows! {
    "clamp", "clamp(x, low, high)", "`x`, moved to the nearer bound when outside", Function::Clamp;
    "if", "if(condition, a, b)", "`a` if the condition holds, otherwise `b`; only that one is evaluated", Function::If;
    "steps", "steps(x, 3 => 1, 7 => 2)", "the value of the last threshold that `x` has reached; 0 below the first", Function::Steps;
    "table", "table(row, column)", "the cell of the file's `table`, rows and columns counted from 0; the nearest cell when outside", Function::Table;
    "at", "at(list, x)", "the element of the list with the number `x`, counted from 0 and cut towards zero; the nearest element when outside", Function::At;
    "dot", "dot(a, b)", "the sum of the products of the elements of two lists, from left to right", Function::Dot;
    "relu", "relu(x)", "`x`, or 0 if it is negative; of a list: each element so", Function::Relu;
    "pairs", "pairs(list)", "the list of the products of any two elements: first and second, first and third, ..., second and third, ...", Function::Products(2);
    "triples", "triples(list)", "the list of the products of any three elements, in the same order", Function::Products(3);
};

/// Every function: operations that are written as calls, and others.
pub(crate) fn functions() -> impl Iterator<Item = FunctionInfo> {
    let unary = Unary::NAMES.iter();
    let unary = unary.map(|(word, unary)| (*word, unary.usage(), Function::Unary(*unary)));
    let binary = Binary::NAMES.iter().map(|(word, binary)| {
        let function = match binary {
            Binary::Minimum | Binary::Maximum => Function::Fold(*binary),
            _ => Function::Binary(*binary),
        };
        (*word, binary.usage(), function)
    });
    let operations = unary
        .chain(binary)
        .filter(|(word, (usage, _), _)| usage.starts_with(&format!("{word}(")));
    let others = OTHERS.map(|(name, usage, meaning, function)| (name, (usage, meaning), function));
    let all = operations.chain(others);
    all.map(|(name, (usage, meaning), function)| FunctionInfo {
        name,
        usage,
        meaning,
        function,
    })
}

/// The function with this name.
pub(crate) fn named(name: &str) -> Option<FunctionInfo> {
    functions().find(|info| info.name == name)
}

/// Reserved words, which cannot be the names of parameters.
pub(crate) const KEYWORDS: &[&str] = &["and", "or", "not", "true", "false"];
