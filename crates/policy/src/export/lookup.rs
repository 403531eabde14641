//! Tables of logarithms and the like, over facts that are small whole numbers.

use std::ops::RangeInclusive;

use super::span::Span;
use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::program::Program;
use crate::expression::typed_tree::Number;
use crate::facts::{Fact, FactSet, Facts, Flags};

/// The most values that a fact may have for a table.
const MOST_CELLS: i32 = 512;

/// A table of a function of one fact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lookup {
    /// The values that the fact may have.
    pub(super) range: RangeInclusive<i32>,
    pub(super) cells: Vec<f64>,
    /// The function of `x`, in the policy language, with the values of the parameters.
    pub(super) words: String,
    /// The name of the function that looks up, and that of the table.
    pub(super) name: String,
    pub(super) table: String,
}

/// Whether an operation costs more than a table lookup.
pub(super) fn is_costly(number: &Number) -> bool {
    matches!(
        number,
        Number::Unary(
            Unary::SquareRoot | Unary::NaturalLogarithm | Unary::BinaryLogarithm | Unary::Exponential,
            _
        ) | Number::Binary(Binary::Power, ..)
    )
}

/// The one fact that a folded expression reads, and its values; `None` when it reads another number of facts, or one with too
/// many values.
pub(super) fn one_small_fact(folded: &Number) -> Option<(Fact, RangeInclusive<i32>)> {
    let mut facts = FactSet::default();
    folded.collect_facts(&mut facts);
    let mut all = facts.iter();
    let (fact, None, false) = (all.next()?, all.next(), facts.has_own()) else {
        return None;
    };
    let range = fact.range()?;
    let is_small = range.end() - range.start() < MOST_CELLS && !fact.is_of_rules();
    is_small.then_some((fact, range))
}

impl Lookup {
    /// A table of a folded expression that reads one fact, with these values.
    pub(super) fn new(folded: &Number, range: RangeInclusive<i32>, words: String, name: String, table: String) -> Self {
        let program = Program::of_number(folded);
        let cells = range
            .clone()
            .map(|x| program.number(Flags::NONE, &OneNumber(f64::from(x))));
        Self {
            cells: cells.collect(),
            range,
            words,
            name,
            table,
        }
    }

    /// The bounds of its values.
    pub(super) fn span(&self) -> Span {
        let cells = self.cells.iter().map(|cell| Span::of(*cell));
        cells.reduce(Span::or).unwrap_or(Span::ANY)
    }
}

/// The value of a folded expression without facts.
pub(super) fn constant(folded: &Number) -> f64 {
    Program::of_number(folded).number(Flags::NONE, &OneNumber(0.0))
}

/// A move about which the expressions read one number.
struct OneNumber(f64);

impl Facts for OneNumber {
    fn flags(&self) -> Flags {
        Flags::NONE
    }

    fn boolean(&self, _: Fact) -> bool {
        false
    }

    fn number(&self, _: Fact) -> f64 {
        self.0
    }
}
