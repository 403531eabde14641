//! The typed tree of an expression: every name is resolved, and there are no places.

use std::sync::Arc;

use super::arithmetic::{Binary, Comparison, Unary};
use crate::facts::{Fact, FactSet, Kind};

/// An expression with a number as its value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Number {
    Constant(f64),
    Fact(Fact),
    /// The number with this index among those that the policy's `[host]` declares. In lmrlab's own search it is 0.
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
    /// The flag with this index among those that the policy's `[host]` declares. In lmrlab's own search it is false.
    Own(usize),
    Not(Box<Boolean>),
    And(Vec<Boolean>),
    Or(Vec<Boolean>),
    Compare(Comparison, Box<Number>, Box<Number>),
    Same(Box<Boolean>, Box<Boolean>),
    If(Box<Boolean>, Box<Boolean>, Box<Boolean>),
}

/// An expression of any type.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Typed {
    Number(Number),
    Boolean(Boolean),
    /// Lists are gone before anything is computed: each operation on a list becomes operations on its elements.
    List(Vec<Element>),
}

impl Typed {
    /// The word for its type in messages.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Number(_) => Kind::Number.name(),
            Self::Boolean(_) => Kind::Boolean.name(),
            Self::List(_) => "a list",
        }
    }
}

/// An element of a list.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Element {
    Number(Number),
    Boolean(Boolean),
}

impl Element {
    /// The element as a number: 1 for true, 0 for false.
    pub(crate) fn into_number(self) -> Number {
        match self {
            Self::Number(number) => number,
            Self::Boolean(boolean) => Number::If(
                Box::new(boolean),
                Box::new(Number::Constant(1.0)),
                Box::new(Number::Constant(0.0)),
            ),
        }
    }
}

/// The size of a tree.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Size {
    /// How many nodes it has.
    pub(crate) nodes: usize,
    /// How many of them lie on the longest way to a leaf.
    pub(crate) height: usize,
}

impl Size {
    /// The size of a node with these children.
    fn above(children: impl IntoIterator<Item = Self>) -> Self {
        let all = children.into_iter().fold(Self::default(), Self::beside);
        Self {
            nodes: all.nodes + 1,
            height: all.height + 1,
        }
    }

    fn beside(self, other: Self) -> Self {
        Self {
            nodes: self.nodes + other.nodes,
            height: self.height.max(other.height),
        }
    }
}

/// What has a size.
pub(crate) trait Tree {
    fn size(&self) -> Size;
}

impl Tree for Number {
    fn size(&self) -> Size {
        match self {
            Self::Constant(_) | Self::Fact(_) | Self::Own(_) | Self::Parameter(_) => Size::above([]),
            Self::Unary(_, x) => Size::above([x.size()]),
            Self::Binary(_, x, y) | Self::Table(_, x, y) => Size::above([x.size(), y.size()]),
            Self::If(condition, x, y) => Size::above([condition.size(), x.size(), y.size()]),
            Self::Steps(x, steps) => {
                let steps = steps.iter().flat_map(|(at, value)| [at.size(), value.size()]);
                Size::above(steps.chain([x.size()]))
            }
        }
    }
}

impl Tree for Boolean {
    fn size(&self) -> Size {
        match self {
            Self::Constant(_) | Self::Fact(_) | Self::Own(_) => Size::above([]),
            Self::Not(x) => Size::above([x.size()]),
            Self::And(terms) | Self::Or(terms) => Size::above(terms.iter().map(Self::size)),
            Self::Compare(_, x, y) => Size::above([x.size(), y.size()]),
            Self::Same(x, y) => Size::above([x.size(), y.size()]),
            Self::If(condition, x, y) => Size::above([condition.size(), x.size(), y.size()]),
        }
    }
}

impl Tree for Element {
    fn size(&self) -> Size {
        match self {
            Self::Number(number) => number.size(),
            Self::Boolean(boolean) => boolean.size(),
        }
    }
}

impl Tree for Typed {
    fn size(&self) -> Size {
        match self {
            Self::Number(number) => number.size(),
            Self::Boolean(boolean) => boolean.size(),
            Self::List(elements) => elements.iter().map(Element::size).fold(Size::default(), Size::beside),
        }
    }
}

impl Number {
    /// Adds the facts that the expression mentions.
    pub(crate) fn collect_facts(&self, facts: &mut FactSet) {
        match self {
            Self::Constant(_) | Self::Parameter(_) => {}
            Self::Fact(fact) => facts.insert(*fact),
            Self::Own(index) => facts.insert_own(Kind::Number, *index),
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
            Self::Constant(_) => {}
            Self::Fact(fact) => facts.insert(*fact),
            Self::Own(index) => facts.insert_own(Kind::Boolean, *index),
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
