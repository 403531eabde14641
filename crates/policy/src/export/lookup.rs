//! Tables of logarithms and the like, over facts that are small whole numbers.

use std::ops::RangeInclusive;
use std::sync::Arc;

use super::span::Span;
use crate::expression::arithmetic::{Binary, Unary};
use crate::expression::program::Program;
use crate::expression::typed_tree::{Boolean, Number};
use crate::facts::{Fact, FactSet, Facts, Flags};

/// The most values that a fact may have for a table.
const MOST_CELLS: i32 = 512;

/// A table of a function of one fact.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Lookup {
    /// The function, of [`Fact::Depth`] in place of the fact that is looked up, with the values of parameters.
    function: Number,
    /// The values that the fact may have.
    pub(super) range: RangeInclusive<i32>,
    pub(super) cells: Vec<f64>,
    /// The function in the words of the language, of `x`.
    pub(super) words: String,
    /// The name of the function that looks up, and that of the table.
    pub(super) name: String,
    pub(super) table: String,
}

/// A function that is worth a table, and the fact that it depends on.
pub(super) struct Tabulable {
    pub(super) fact: Fact,
    function: Number,
    range: RangeInclusive<i32>,
}

/// Whether an operation costs more than a look into a table.
pub(super) fn is_costly(number: &Number) -> bool {
    matches!(
        number,
        Number::Unary(
            Unary::SquareRoot | Unary::NaturalLogarithm | Unary::BinaryLogarithm | Unary::Exponential,
            _
        ) | Number::Binary(Binary::Power, ..)
    )
}

impl Tabulable {
    /// The folded expression as a function of its one fact; `None` when it has another number of facts, or one with too
    /// many values.
    pub(super) fn of(folded: &Number) -> Option<Self> {
        let mut facts = FactSet::default();
        folded.collect_facts(&mut facts);
        let mut all = facts.iter();
        let (fact, None) = (all.next()?, all.next()) else {
            return None;
        };
        let range = fact.range()?;
        let is_small = range.end() - range.start() < MOST_CELLS && !fact.is_of_rules();
        is_small.then(|| Self {
            fact,
            function: with_depth(folded, fact),
            range,
        })
    }

    /// Whether this table has the values.
    pub(super) fn is(&self, lookup: &Lookup) -> bool {
        self.function == lookup.function && self.range == lookup.range
    }

    pub(super) fn into_lookup(self, words: String, name: String, table: String) -> Lookup {
        let program = Program::of_number(&self.function);
        let cells = self
            .range
            .clone()
            .map(|x| program.number(Flags::NONE, &One(f64::from(x))));
        Lookup {
            cells: cells.collect(),
            function: self.function,
            range: self.range,
            words,
            name,
            table,
        }
    }
}

impl Lookup {
    /// Between which bounds its values lie.
    pub(super) fn span(&self) -> Span {
        let cells = self.cells.iter().map(|cell| Span::of(*cell));
        cells.reduce(Span::or).unwrap_or(Span::ANY)
    }
}

/// The value of a folded expression without facts.
pub(super) fn constant(folded: &Number) -> f64 {
    Program::of_number(folded).number(Flags::NONE, &One(0.0))
}

/// The same expression of the depth.
fn with_depth(number: &Number, fact: Fact) -> Number {
    let inner = |x: &Number| Box::new(with_depth(x, fact));
    match number {
        Number::Fact(found) if *found == fact => Number::Fact(Fact::Depth),
        Number::Constant(_) | Number::Fact(_) | Number::Parameter(_) => number.clone(),
        Number::Unary(operation, x) => Number::Unary(*operation, inner(x)),
        Number::Binary(operation, x, y) => Number::Binary(*operation, inner(x), inner(y)),
        Number::If(condition, x, y) => Number::If(Box::new(condition_with_depth(condition, fact)), inner(x), inner(y)),
        Number::Steps(x, steps) => {
            let steps = steps
                .iter()
                .map(|(at, value)| (with_depth(at, fact), with_depth(value, fact)));
            Number::Steps(inner(x), steps.collect())
        }
        Number::Table(grid, x, y) => Number::Table(Arc::clone(grid), inner(x), inner(y)),
    }
}

fn condition_with_depth(boolean: &Boolean, fact: Fact) -> Boolean {
    let inner = |x: &Boolean| Box::new(condition_with_depth(x, fact));
    let all = |terms: &[Boolean]| terms.iter().map(|term| condition_with_depth(term, fact)).collect();
    match boolean {
        Boolean::Constant(_) | Boolean::Fact(_) => boolean.clone(),
        Boolean::Not(x) => Boolean::Not(inner(x)),
        Boolean::And(terms) => Boolean::And(all(terms)),
        Boolean::Or(terms) => Boolean::Or(all(terms)),
        Boolean::Compare(comparison, x, y) => Boolean::Compare(
            *comparison,
            Box::new(with_depth(x, fact)),
            Box::new(with_depth(y, fact)),
        ),
        Boolean::Same(x, y) => Boolean::Same(inner(x), inner(y)),
        Boolean::If(condition, x, y) => Boolean::If(inner(condition), inner(x), inner(y)),
    }
}

/// A move of which one number is known.
struct One(f64);

impl Facts for One {
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
