//! A table of the values of an expression that depends on counting facts alone.
//!
//! Most published schemes are a function of the depth and of a move number, often with logarithms. Both are small integers,
//! so the value for each pair is computed once, when the policy is compiled.

use std::sync::Arc;

use super::arithmetic::Unary;
use super::typed_tree::{Boolean, Number};
use crate::facts::{Fact, FactSet, Facts, Flags};

/// The number of values of each fact that have a cell: 0 to 63.
const SIDE: usize = 64;

/// The values of a function of one or two counting facts.
#[derive(Debug, Clone)]
pub(crate) struct LookupTable {
    row: Fact,
    /// The same as `row` when the function has only one argument.
    column: Fact,
    cells: Arc<[f64]>,
}

impl LookupTable {
    /// The arguments of a folded expression; `None` unless it depends on one or two counting facts and on nothing else.
    pub(crate) fn arguments(number: &Number) -> Option<(Fact, Option<Fact>)> {
        let mut facts = FactSet::default();
        number.collect_facts(&mut facts);
        if facts.has_own() {
            return None;
        }
        let mut names = facts.iter();
        let row = names.next()?;
        let column = names.next();
        if names.next().is_some() || !counts(row) || !column.is_none_or(counts) {
            return None;
        }
        Some((row, column))
    }

    /// Fills a table with the values that `evaluate` gives.
    pub(crate) fn new((row, column): (Fact, Option<Fact>), evaluate: impl Fn(&Cell) -> f64) -> Self {
        let columns = if column.is_some() { SIDE } else { 1 };
        let cells = (0..SIDE)
            .flat_map(|row| (0..columns).map(move |column| (row, column)))
            .map(|(row_value, column_value)| {
                evaluate(&Cell {
                    row: row_value as f64,
                    column: column.map(|column| (column, column_value as f64)),
                })
            })
            .collect();
        Self {
            row,
            column: column.unwrap_or(row),
            cells,
        }
    }

    /// The function's value for a move; `None` outside the table.
    #[inline]
    pub(crate) fn value<F: Facts>(&self, facts: &F) -> Option<f64> {
        self.cells.get(self.place(facts)?).copied()
    }

    /// All values, row by row.
    pub(crate) fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The index in [`LookupTable::cells`] of the value for a move; `None` outside the table.
    #[inline]
    pub(crate) fn place<F: Facts>(&self, facts: &F) -> Option<usize> {
        if self.row == self.column {
            index(count(self.row, facts))
        } else {
            index(count(self.row, facts))
                .zip(index(count(self.column, facts)))
                .map(|(row, column)| row * SIDE + column)
        }
    }
}

/// A counting fact. The most frequent ones are constants here, so that the compiler can inline the calls that read
/// them.
#[inline]
fn count<F: Facts>(fact: Fact, facts: &F) -> f64 {
    match fact {
        Fact::Depth => facts.number(Fact::Depth),
        Fact::MoveNumber => facts.number(Fact::MoveNumber),
        Fact::MovesSearched => facts.number(Fact::MovesSearched),
        other => facts.number(other),
    }
}

/// The index of a number; `None` when it has no cell.
#[inline]
fn index(value: f64) -> Option<usize> {
    let index = value as usize;
    (index < SIDE && index as f64 == value).then_some(index)
}

/// Whether a fact is a small whole number.
fn counts(fact: Fact) -> bool {
    matches!(
        fact,
        Fact::Depth
            | Fact::Ply
            | Fact::MovesSearched
            | Fact::MoveNumber
            | Fact::QuietNumber
            | Fact::LegalMoves
            | Fact::AlphaRaises
            | Fact::BestChanges
    )
}

/// Whether an expression costs more than a table lookup.
pub(crate) fn is_worth_a_table(number: &Number) -> bool {
    weight(number) >= 3
}

/// Roughly how many operations an expression has; expensive functions count more.
pub(super) fn weight(number: &Number) -> usize {
    match number {
        Number::Constant(_) | Number::Parameter(_) | Number::Fact(_) | Number::Own(_) => 0,
        Number::Unary(Unary::Negate | Unary::Absolute, x) => 1 + weight(x),
        Number::Unary(_, x) => 3 + weight(x),
        Number::Binary(_, x, y) => 1 + weight(x) + weight(y),
        Number::If(condition, x, y) => 1 + condition_weight(condition) + weight(x) + weight(y),
        Number::Steps(x, steps) => 3 + weight(x) + steps.iter().map(|(_, value)| weight(value)).sum::<usize>(),
        Number::Table(_, x, y) => 2 + weight(x) + weight(y),
    }
}

fn condition_weight(boolean: &Boolean) -> usize {
    match boolean {
        Boolean::Constant(_) => 0,
        Boolean::Fact(_) | Boolean::Own(_) => 1,
        Boolean::Not(x) => 1 + condition_weight(x),
        Boolean::And(terms) | Boolean::Or(terms) => terms.iter().map(condition_weight).sum(),
        Boolean::Compare(_, x, y) => 1 + weight(x) + weight(y),
        Boolean::Same(x, y) => 1 + condition_weight(x) + condition_weight(y),
        Boolean::If(c, x, y) => [c, x, y].into_iter().map(|x| condition_weight(x)).sum(),
    }
}

/// A move of which only the arguments of a table are known.
pub(crate) struct Cell {
    row: f64,
    column: Option<(Fact, f64)>,
}

impl Facts for Cell {
    fn flags(&self) -> Flags {
        Flags::NONE
    }

    fn boolean(&self, _: Fact) -> bool {
        false
    }

    fn number(&self, fact: Fact) -> f64 {
        match self.column {
            Some((column, value)) if column == fact => value,
            _ => self.row,
        }
    }
}
