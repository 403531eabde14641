//! Constant folding: parameters become numbers, and constant parts are computed once.
//!
//! Folding never changes a value: it uses the same operations as the program. It also normalises booleans for compiled
//! conditions: `not` is pushed inwards, `and` and `or` are flat, and the constant of a comparison is on the right.

use std::sync::Arc;

use super::arithmetic::{Binary, step};
use super::typed_tree::{Boolean, Number};
use crate::facts::Fact;

/// The values that are known when an expression is folded.
struct KnownValues<'k> {
    /// The values of the parameters; `None` when they stay parameters.
    parameters: Option<&'k [f64]>,
    /// The value of a boolean fact.
    assumed: Option<(Fact, bool)>,
}

/// No value is known.
const UNKNOWN: KnownValues<'_> = KnownValues {
    parameters: None,
    assumed: None,
};

impl Number {
    /// The same expression, given the values of the parameters.
    pub(crate) fn fold(&self, parameters: &[f64]) -> Self {
        self.given(&KnownValues {
            parameters: Some(parameters),
            assumed: None,
        })
    }

    /// The same expression, whatever the values of the parameters.
    pub(crate) fn normalised(&self) -> Self {
        self.given(&UNKNOWN)
    }

    /// A folded expression, simplified for moves with this value of a boolean fact.
    pub(crate) fn assuming(&self, fact: Fact, value: bool) -> Self {
        self.given(&KnownValues {
            parameters: None,
            assumed: Some((fact, value)),
        })
    }

    fn given(&self, known: &KnownValues<'_>) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Fact(fact) => Self::Fact(*fact),
            Self::Own(index) => Self::Own(*index),
            Self::Parameter(index) => match known.parameters {
                Some(values) => Self::Constant(values.get(*index).copied().unwrap_or(0.0)),
                None => Self::Parameter(*index),
            },
            Self::Unary(operation, x) => match x.given(known) {
                Self::Constant(x) => Self::Constant(operation.apply(x)),
                x => Self::Unary(*operation, Box::new(x)),
            },
            Self::Binary(operation, x, y) => match (x.given(known), y.given(known)) {
                (Self::Constant(x), Self::Constant(y)) => Self::Constant(operation.apply(x, y)),
                // Programs have operations with a constant on the right.
                (Self::Constant(x), y) if commutes(*operation) => {
                    Self::Binary(*operation, Box::new(y), Box::new(Self::Constant(x)))
                }
                (x, y) => Self::Binary(*operation, Box::new(x), Box::new(y)),
            },
            Self::If(condition, yes, no) => match condition.given(known) {
                Boolean::Constant(true) => yes.given(known),
                Boolean::Constant(false) => no.given(known),
                condition => Self::If(
                    Box::new(condition),
                    Box::new(yes.given(known)),
                    Box::new(no.given(known)),
                ),
            },
            Self::Steps(x, steps) => {
                let steps: Vec<_> = steps
                    .iter()
                    .map(|(threshold, value)| (threshold.given(known), value.given(known)))
                    .collect();
                match (x.given(known), constant_steps(&steps)) {
                    (Self::Constant(x), Some(steps)) => Self::Constant(step(x, &steps)),
                    (x, _) => Self::Steps(Box::new(x), steps),
                }
            }
            Self::Table(grid, row, column) => match (row.given(known), column.given(known)) {
                (Self::Constant(row), Self::Constant(column)) => Self::Constant(grid.at(row, column)),
                (row, column) => Self::Table(Arc::clone(grid), Box::new(row), Box::new(column)),
            },
        }
    }
}

/// The steps as numbers, when every threshold and value is one.
pub(crate) fn constant_steps(steps: &[(Number, Number)]) -> Option<Vec<(f64, f64)>> {
    steps
        .iter()
        .map(|step| match step {
            (Number::Constant(threshold), Number::Constant(value)) => Some((*threshold, *value)),
            _ => None,
        })
        .collect()
}

fn commutes(operation: Binary) -> bool {
    matches!(operation, Binary::Add | Binary::Multiply)
}

impl Boolean {
    /// The same expression, given the values of the parameters.
    pub(crate) fn fold(&self, parameters: &[f64]) -> Self {
        self.given(&KnownValues {
            parameters: Some(parameters),
            assumed: None,
        })
    }

    /// The same expression, whatever the values of the parameters.
    pub(crate) fn normalised(&self) -> Self {
        self.given(&UNKNOWN)
    }

    fn given(&self, known: &KnownValues<'_>) -> Self {
        self.given_as(known, true)
    }

    /// The expression, or its negation when `positive` is false.
    fn given_as(&self, known: &KnownValues<'_>, positive: bool) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value == positive),
            Self::Fact(fact) if known.assumed.is_some_and(|(assumed, _)| assumed == *fact) => {
                let holds = known.assumed.is_some_and(|(_, value)| value);
                Self::Constant(holds == positive)
            }
            Self::Fact(fact) if positive => Self::Fact(*fact),
            Self::Fact(fact) => Self::Not(Box::new(Self::Fact(*fact))),
            Self::Own(index) if positive => Self::Own(*index),
            Self::Own(index) => Self::Not(Box::new(Self::Own(*index))),
            Self::Not(x) => x.given_as(known, !positive),
            Self::And(terms) => junction(terms, known, positive, positive),
            Self::Or(terms) => junction(terms, known, positive, !positive),
            Self::Compare(comparison, x, y) => {
                let comparison = if positive { *comparison } else { comparison.negated() };
                match (x.given(known), y.given(known)) {
                    (Number::Constant(x), Number::Constant(y)) => Self::Constant(comparison.holds(x, y)),
                    (x @ Number::Constant(_), y) => Self::Compare(comparison.mirrored(), Box::new(y), Box::new(x)),
                    (x, y) => Self::Compare(comparison, Box::new(x), Box::new(y)),
                }
            }
            Self::Same(x, y) => match (x.given(known), y.given(known)) {
                (Self::Constant(x), _) => y.given_as(known, x == positive),
                (_, Self::Constant(y)) => x.given_as(known, y == positive),
                (x, _) => Self::Same(Box::new(x), Box::new(y.given_as(known, positive))),
            },
            Self::If(condition, yes, no) => match condition.given(known) {
                Self::Constant(true) => yes.given_as(known, positive),
                Self::Constant(false) => no.given_as(known, positive),
                condition => Self::If(
                    Box::new(condition),
                    Box::new(yes.given_as(known, positive)),
                    Box::new(no.given_as(known, positive)),
                ),
            },
        }
    }
}

/// `and` (`all` true) or `or` of the terms, each as it is or negated, without constants and without nesting.
fn junction(terms: &[Boolean], known: &KnownValues<'_>, positive: bool, all: bool) -> Boolean {
    let mut flat = Vec::with_capacity(terms.len());
    for term in terms {
        match (term.given_as(known, positive), all) {
            // A term that decides the whole.
            (Boolean::Constant(value), _) if value != all => return Boolean::Constant(value),
            (Boolean::Constant(_), _) => {}
            (Boolean::And(inner), true) | (Boolean::Or(inner), false) => flat.extend(inner),
            (term, _) => flat.push(term),
        }
    }
    match flat.len() {
        0 => Boolean::Constant(all),
        1 => flat.remove(0),
        _ if all => Boolean::And(flat),
        _ => Boolean::Or(flat),
    }
}
