//! Expressions: trees of operations on facts, numbers and parameters. Words are their text.

use std::sync::Arc;

use crate::runtime::arithmetic::{Binary, Unary, truth};
use crate::runtime::facts::{Fact, FactSet, Kind};

/// An expression. Booleans are the numbers 0 and 1.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Expression {
    /// A number, or 1 and 0 for true and false.
    Constant(f64),
    /// A fact.
    Fact(Fact),
    /// The parameter with this index.
    Parameter(usize),
    /// An operation on one value.
    Unary(Unary, Box<Self>),
    /// An operation on two values.
    Binary(Binary, Box<Self>, Box<Self>),
    /// Whether all terms hold; a term after one that does not hold is not computed.
    And(Vec<Self>),
    /// Whether any term holds; a term after one that holds is not computed.
    Or(Vec<Self>),
    /// The second if the first holds, otherwise the third.
    If(Box<[Self; 3]>),
    /// The value of the last threshold that the first expression has reached; 0 when it has reached none. Thresholds hold
    /// no facts.
    Steps(Box<Self>, Vec<(Self, Self)>),
    /// The cell of a table at a row and a column.
    Table(Arc<Grid>, Box<[Self; 2]>),
}

impl Default for Expression {
    /// 0, or false.
    fn default() -> Self {
        Self::FALSE
    }
}

/// The size of an expression.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Size {
    /// How many nodes it has.
    pub nodes: usize,
    /// How many of them lie on the longest way to a leaf.
    pub height: usize,
}

/// What stands for a part of an expression: mostly its value, when that is known.
pub type Known<'k> = &'k dyn Fn(&Expression) -> Option<Expression>;

impl Expression {
    /// True.
    pub const TRUE: Self = Self::Constant(1.0);
    /// False.
    pub const FALSE: Self = Self::Constant(0.0);

    /// An operation on one value.
    pub fn unary(operation: Unary, x: Self) -> Self {
        Self::Unary(operation, Box::new(x))
    }

    /// An operation on two values.
    pub fn binary(operation: Binary, x: Self, y: Self) -> Self {
        Self::Binary(operation, Box::new(x), Box::new(y))
    }

    /// A choice.
    pub fn choice(condition: Self, yes: Self, no: Self) -> Self {
        Self::If(Box::new([condition, yes, no]))
    }

    /// Whether it is a number or a boolean; `None` when it may be either.
    pub fn kind(&self) -> Option<Kind> {
        match self {
            Self::Constant(value) if *value == 0.0 || *value == 1.0 => None,
            Self::Fact(fact) => Some(fact.info().kind),
            Self::Unary(Unary::Not, _) | Self::And(_) | Self::Or(_) => Some(Kind::Boolean),
            Self::Binary(operation, ..) if operation.compares() => Some(Kind::Boolean),
            Self::If(parts) => parts[1].kind().or_else(|| parts[2].kind()),
            _ => Some(Kind::Number),
        }
    }

    /// Calls a function for each part.
    pub fn for_each_part<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        match self {
            Self::Constant(_) | Self::Fact(_) | Self::Parameter(_) => {}
            Self::Unary(_, x) => visit(x),
            Self::Binary(_, x, y) => [x, y].into_iter().for_each(|part| visit(part)),
            Self::And(terms) | Self::Or(terms) => terms.iter().for_each(visit),
            Self::If(parts) => parts.iter().for_each(visit),
            Self::Steps(x, steps) => {
                visit(x);
                for (threshold, value) in steps {
                    visit(threshold);
                    visit(value);
                }
            }
            Self::Table(_, parts) => parts.iter().for_each(visit),
        }
    }

    /// Calls a function for the expression and everything in it.
    pub fn walk<'e>(&'e self, visit: &mut dyn FnMut(&'e Self)) {
        visit(self);
        self.for_each_part(&mut |part| part.walk(visit));
    }

    /// Its size.
    pub fn size(&self) -> Size {
        let mut size = Size::default();
        self.for_each_part(&mut |part| {
            let part = part.size();
            size.nodes += part.nodes;
            size.height = size.height.max(part.height);
        });
        Size {
            nodes: size.nodes + 1,
            height: size.height + 1,
        }
    }

    /// The facts that it reads.
    pub fn facts(&self) -> FactSet {
        let mut facts = FactSet::default();
        self.walk(&mut |part| {
            if let Self::Fact(fact) = part {
                facts.insert(*fact);
            }
        });
        facts
    }

    /// Roughly how many operations it has; expensive functions count more.
    pub(crate) fn weight(&self) -> usize {
        let mut weight = 0;
        self.walk(&mut |part| {
            weight += match part {
                Self::Unary(Unary::Negate | Unary::Absolute | Unary::Not, _) | Self::Binary(..) | Self::If(_) => 1,
                Self::Unary(..) | Self::Steps(..) => 3,
                Self::Table(..) => 2,
                Self::Fact(fact) if fact.is_boolean() => 1,
                _ => 0,
            };
        });
        weight
    }

    /// A boolean fact and its wanted value, when the expression is such a fact or its negation.
    pub fn literal(&self) -> Option<(Fact, bool)> {
        match self {
            Self::Fact(fact) if fact.is_boolean() => Some((*fact, true)),
            Self::Unary(Unary::Not, x) => x.literal().filter(|(_, wanted)| *wanted).map(|(fact, _)| (fact, false)),
            _ => None,
        }
    }

    /// The terms of a conjunction; any other expression is its own only term.
    pub fn terms(&self) -> &[Self] {
        match self {
            Self::And(terms) => terms,
            term => std::slice::from_ref(term),
        }
    }

    /// The same expression, normalised as [`Expression::given`] does.
    pub fn normalised(&self) -> Self {
        self.given(&|_| None)
    }

    /// The same expression with these values of the parameters.
    pub fn with_parameters(&self, values: &[f64]) -> Self {
        self.given(&|part| match part {
            Self::Parameter(index) => Some(Self::Constant(values.get(*index).copied().unwrap_or(0.0))),
            _ => None,
        })
    }

    /// The same expression with its constant parts computed; `known` replaces other parts. It never changes a
    /// value. It also normalises: `not` is pushed inwards, `and` and `or` are flat, constants are on the right where that
    /// is possible.
    pub fn given(&self, known: Known<'_>) -> Self {
        self.given_as(known, true)
    }

    /// The negation of a boolean, given what is known.
    pub fn negated(&self, known: Known<'_>) -> Self {
        self.given_as(known, false)
    }

    /// The expression, or its negation when `positive` is false.
    fn given_as(&self, known: Known<'_>, positive: bool) -> Self {
        let leaf = |leaf: Self| match leaf {
            leaf if positive => leaf,
            Self::Constant(value) => Self::Constant(truth(value == 0.0)),
            leaf => Self::unary(Unary::Not, leaf),
        };
        if let Some(part) = known(self) {
            return leaf(part);
        }
        match self {
            Self::Constant(_) | Self::Fact(_) | Self::Parameter(_) => leaf(self.clone()),
            Self::Unary(Unary::Not, x) => x.given_as(known, !positive),
            Self::Unary(operation, x) => match x.given(known) {
                Self::Constant(x) => Self::Constant(operation.apply(x)),
                x => Self::unary(*operation, x),
            },
            Self::And(terms) => junction(terms, known, positive, positive),
            Self::Or(terms) => junction(terms, known, positive, !positive),
            Self::Binary(operation, x, y) => {
                let operation = if positive { *operation } else { operation.negated() };
                let booleans = [x, y].iter().any(|side| side.kind() == Some(Kind::Boolean));
                let equal = operation == Binary::Equal;
                match (x.given(known), y.given(known)) {
                    (Self::Constant(x), Self::Constant(y)) => Self::Constant(operation.apply(x, y)),
                    (Self::Constant(x), _) if booleans => y.given_as(known, (x != 0.0) == equal),
                    (_, Self::Constant(y)) if booleans => x.given_as(known, (y != 0.0) == equal),
                    (x, _) if booleans => Self::binary(Binary::Equal, x, y.given_as(known, equal)),
                    (x @ Self::Constant(_), y) if operation.commutes() || operation.compares() => {
                        Self::binary(operation.mirrored(), y, x)
                    }
                    (x, y) => Self::binary(operation, x, y),
                }
            }
            Self::If(parts) => {
                let [condition, yes, no] = &**parts;
                match condition.given(known) {
                    Self::Constant(0.0) => no.given_as(known, positive),
                    Self::Constant(_) => yes.given_as(known, positive),
                    condition => Self::choice(condition, yes.given_as(known, positive), no.given_as(known, positive)),
                }
            }
            Self::Steps(x, steps) => {
                let steps = steps.iter().map(|(at, value)| (at.given(known), value.given(known)));
                let steps: Vec<_> = steps.collect();
                let reach = |x: &Self, reached: f64, step: &(Self, Self)| match (x, step) {
                    (Self::Constant(x), (Self::Constant(threshold), Self::Constant(value))) => {
                        Some(if x >= threshold { *value } else { reached })
                    }
                    _ => None,
                };
                let x = x.given(known);
                let value = steps.iter().try_fold(0.0, |reached, step| reach(&x, reached, step));
                match value.filter(|_| matches!(x, Self::Constant(_))) {
                    Some(value) => Self::Constant(value),
                    None => Self::Steps(Box::new(x), steps),
                }
            }
            Self::Table(grid, place) => match [place[0].given(known), place[1].given(known)] {
                [Self::Constant(row), Self::Constant(column)] => Self::Constant(grid.at(row, column)),
                place => Self::Table(Arc::clone(grid), Box::new(place)),
            },
        }
    }
}

/// `and` (`all` true) or `or` of the terms, each as it is or negated, without constants and without nesting.
fn junction(terms: &[Expression], known: Known<'_>, positive: bool, all: bool) -> Expression {
    let mut flat = Vec::with_capacity(terms.len());
    for term in terms {
        match (term.given_as(known, positive), all) {
            // A term that decides the whole.
            (Expression::Constant(value), _) if (value != 0.0) != all => return Expression::Constant(truth(!all)),
            (Expression::Constant(_), _) => {}
            (Expression::And(inner), true) | (Expression::Or(inner), false) => flat.extend(inner),
            (term, _) => flat.push(term),
        }
    }
    match flat.len() {
        0 => Expression::Constant(truth(all)),
        1 => flat.remove(0),
        _ if all => Expression::And(flat),
        _ => Expression::Or(flat),
    }
}

/// A policy's table: rows of equal length, at least one cell.
#[derive(Debug, Clone, PartialEq)]
pub struct Grid {
    cells: Box<[f64]>,
    columns: usize,
}

impl Grid {
    /// `None` when there is no cell, or the rows are not of equal length.
    pub fn new(cells: Vec<f64>, columns: usize) -> Option<Self> {
        let whole = columns > 0 && !cells.is_empty() && cells.len().is_multiple_of(columns);
        whole.then(|| Self {
            cells: cells.into(),
            columns,
        })
    }

    /// All cells, row by row.
    pub fn cells(&self) -> &[f64] {
        &self.cells
    }

    /// The number of columns, at least 1.
    pub fn columns(&self) -> usize {
        self.columns
    }

    /// The cell at `row` and `column`, both cut towards zero; the nearest cell when outside.
    #[inline]
    pub fn at(&self, row: f64, column: f64) -> f64 {
        let rows = self.cells.len() / self.columns;
        // A cast saturates: what is negative becomes 0.
        let row = (row as usize).min(rows - 1);
        let column = (column as usize).min(self.columns - 1);
        self.cells.get(row * self.columns + column).copied().unwrap_or(0.0)
    }
}

/// A numeric fact between two bounds, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// The fact.
    pub fact: Fact,
    /// The least value.
    pub low: f64,
    /// The greatest value.
    pub high: f64,
}

impl Interval {
    /// Any value of a fact.
    pub const fn any(fact: Fact) -> Self {
        Self {
            fact,
            low: f64::NEG_INFINITY,
            high: f64::INFINITY,
        }
    }

    /// The interval in which a comparison of a fact with a constant holds; `None` for `!=` and for any other expression.
    pub fn of(expression: &Expression) -> Option<Self> {
        let Expression::Binary(operation, x, y) = expression else {
            return None;
        };
        let (Expression::Fact(fact), Expression::Constant(value)) = (&**x, &**y) else {
            return None;
        };
        let (value, any) = (*value, Self::any(*fact));
        let (low, high) = match operation {
            Binary::Equal => (value, value),
            Binary::Less => (any.low, value.next_down()),
            Binary::LessOrEqual => (any.low, value),
            Binary::Greater => (value.next_up(), any.high),
            Binary::GreaterOrEqual => (value, any.high),
            _ => return None,
        };
        (!fact.is_boolean()).then_some(Self { low, high, ..any })
    }

    /// Whether a value lies in it.
    #[inline]
    pub fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
