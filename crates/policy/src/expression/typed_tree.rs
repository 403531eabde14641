//! The typed tree of an expression: every name is resolved, and there are no places.

use std::sync::Arc;

use super::arithmetic::{Binary, Comparison, Unary};
use crate::facts::{Fact, FactSet};

/// An expression with a number as its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Number {
    Constant(f64),
    Fact(Fact),
    /// The number with this index among those that the policy's `[host]` declares. In lmrlab it is 0.
    Own(usize),
    /// The parameter at this index of the policy's list.
    Parameter(usize),
    Unary(Unary, Box<Number>),
    Binary(Binary, Box<Number>, Box<Number>),
    If(Box<Boolean>, Box<Number>, Box<Number>),
    /// Thresholds (without facts) and values.
    Steps(Box<Number>, Vec<(Number, Number)>),
    Table(Arc<Grid>, Box<Number>, Box<Number>),
}

/// An expression with a boolean as its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Boolean {
    Constant(bool),
    Fact(Fact),
    /// The flag with this index among those that the policy's `[host]` declares. In lmrlab it is false.
    Own(usize),
    Not(Box<Boolean>),
    And(Vec<Boolean>),
    Or(Vec<Boolean>),
    Compare(Comparison, Box<Number>, Box<Number>),
    Same(Box<Boolean>, Box<Boolean>),
    If(Box<Boolean>, Box<Boolean>, Box<Boolean>),
}

impl Number {
    /// Adds the facts that the expression mentions.
    pub(crate) fn collect_facts(&self, facts: &mut FactSet) {
        match self {
            Self::Constant(_) | Self::Parameter(_) | Self::Own(_) => {}
            Self::Fact(fact) => facts.insert(*fact),
            Self::Unary(_, x) => x.collect_facts(facts),
            Self::Binary(_, x, y) | Self::Table(_, x, y) => {
                x.collect_facts(facts);
                y.collect_facts(facts);
            }
            Self::If(condition, x, y) => {
                condition.collect_facts(facts);
                x.collect_facts(facts);
                y.collect_facts(facts);
            }
            Self::Steps(x, steps) => {
                x.collect_facts(facts);
                for (_, value) in steps {
                    value.collect_facts(facts);
                }
            }
        }
    }
}

impl Boolean {
    /// Adds the facts that the expression mentions.
    pub(crate) fn collect_facts(&self, facts: &mut FactSet) {
        match self {
            Self::Constant(_) | Self::Own(_) => {}
            Self::Fact(fact) => facts.insert(*fact),
            Self::Not(x) => x.collect_facts(facts),
            Self::And(terms) | Self::Or(terms) => {
                for term in terms {
                    term.collect_facts(facts);
                }
            }
            Self::Compare(_, x, y) => {
                x.collect_facts(facts);
                y.collect_facts(facts);
            }
            Self::Same(x, y) => {
                x.collect_facts(facts);
                y.collect_facts(facts);
            }
            Self::If(condition, x, y) => {
                condition.collect_facts(facts);
                x.collect_facts(facts);
                y.collect_facts(facts);
            }
        }
    }

    /// The facts that the expression mentions.
    pub(crate) fn facts(&self) -> FactSet {
        let mut facts = FactSet::default();
        self.collect_facts(&mut facts);
        facts
    }
}

/// A policy's `table`: rows of equal length, at least one cell.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Grid {
    cells: Box<[f64]>,
    columns: usize,
}

impl Grid {
    /// `None` when there is no cell or the rows differ in length.
    pub(crate) fn new(rows: &[Vec<f64>]) -> Option<Self> {
        let columns = rows.first()?.len();
        (columns > 0 && rows.iter().all(|row| row.len() == columns)).then(|| Self {
            cells: rows.iter().flatten().copied().collect(),
            columns,
        })
    }

    /// All cells, row by row.
    pub(crate) fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The number of columns, at least 1.
    pub(crate) fn columns(&self) -> usize {
        self.columns
    }

    /// The cell at `row` and `column`, both cut towards zero; the nearest cell when outside.
    #[inline]
    pub(crate) fn at(&self, row: f64, column: f64) -> f64 {
        let rows = self.cells.len() / self.columns;
        // A cast saturates: what is negative becomes 0.
        let row = (row as usize).min(rows - 1);
        let column = (column as usize).min(self.columns - 1);
        self.cells.get(row * self.columns + column).copied().unwrap_or(0.0)
    }
}
