//! Parameters become numbers, and what is constant is computed once.
//!
//! Folding never changes a value: it computes with the operations that the program uses, and drops only what cannot
//! matter. It also brings booleans into the shape that conditions are cut from: `not` pushed inwards, `and` and `or`
//! flat, constants of comparisons on the right.

use std::sync::Arc;

use super::arithmetic::{Binary, step};
use super::typed::{Boolean, Number};

impl Number {
    /// The same expression, given the values of the parameters.
    pub(crate) fn fold(&self, parameters: &[f64]) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value),
            Self::Fact(fact) => Self::Fact(*fact),
            Self::Parameter(index) => {
                Self::Constant(parameters.get(*index).copied().unwrap_or(0.0))
            }
            Self::Unary(operation, x) => match x.fold(parameters) {
                Self::Constant(x) => Self::Constant(operation.apply(x)),
                x => Self::Unary(*operation, Box::new(x)),
            },
            Self::Binary(operation, x, y) => match (x.fold(parameters), y.fold(parameters)) {
                (Self::Constant(x), Self::Constant(y)) => Self::Constant(operation.apply(x, y)),
                // Constants go to the right, where the program has room for them.
                (Self::Constant(x), y) if commutes(*operation) => {
                    Self::Binary(*operation, Box::new(y), Box::new(Self::Constant(x)))
                }
                (x, y) => Self::Binary(*operation, Box::new(x), Box::new(y)),
            },
            Self::If(condition, yes, no) => match condition.fold(parameters) {
                Boolean::Constant(true) => yes.fold(parameters),
                Boolean::Constant(false) => no.fold(parameters),
                condition => Self::If(
                    Box::new(condition),
                    Box::new(yes.fold(parameters)),
                    Box::new(no.fold(parameters)),
                ),
            },
            Self::Steps(x, steps) => {
                let steps: Vec<_> = steps
                    .iter()
                    .map(|(threshold, value)| (threshold.fold(parameters), value.fold(parameters)))
                    .collect();
                match (x.fold(parameters), constant_steps(&steps)) {
                    (Self::Constant(x), Some(steps)) => Self::Constant(step(x, &steps)),
                    (x, _) => Self::Steps(Box::new(x), steps),
                }
            }
            Self::Table(grid, row, column) => {
                match (row.fold(parameters), column.fold(parameters)) {
                    (Self::Constant(row), Self::Constant(column)) => {
                        Self::Constant(grid.at(row, column))
                    }
                    (row, column) => Self::Table(Arc::clone(grid), Box::new(row), Box::new(column)),
                }
            }
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
        self.fold_as(parameters, true)
    }

    /// The expression, or its negation when `positive` is false.
    fn fold_as(&self, parameters: &[f64], positive: bool) -> Self {
        match self {
            Self::Constant(value) => Self::Constant(*value == positive),
            Self::Fact(fact) if positive => Self::Fact(*fact),
            Self::Fact(fact) => Self::Not(Box::new(Self::Fact(*fact))),
            Self::Not(x) => x.fold_as(parameters, !positive),
            Self::And(terms) => junction(terms, parameters, positive, positive),
            Self::Or(terms) => junction(terms, parameters, positive, !positive),
            Self::Compare(comparison, x, y) => {
                let comparison = if positive {
                    *comparison
                } else {
                    comparison.negated()
                };
                match (x.fold(parameters), y.fold(parameters)) {
                    (Number::Constant(x), Number::Constant(y)) => {
                        Self::Constant(comparison.holds(x, y))
                    }
                    (x @ Number::Constant(_), y) => {
                        Self::Compare(comparison.mirrored(), Box::new(y), Box::new(x))
                    }
                    (x, y) => Self::Compare(comparison, Box::new(x), Box::new(y)),
                }
            }
            Self::Same(x, y) => match (x.fold(parameters), y.fold(parameters)) {
                (Self::Constant(x), _) => y.fold_as(parameters, x == positive),
                (_, Self::Constant(y)) => x.fold_as(parameters, y == positive),
                (x, _) => Self::Same(Box::new(x), Box::new(y.fold_as(parameters, positive))),
            },
            Self::If(condition, yes, no) => match condition.fold(parameters) {
                Self::Constant(true) => yes.fold_as(parameters, positive),
                Self::Constant(false) => no.fold_as(parameters, positive),
                condition => Self::If(
                    Box::new(condition),
                    Box::new(yes.fold_as(parameters, positive)),
                    Box::new(no.fold_as(parameters, positive)),
                ),
            },
        }
    }
}

/// `and` (`all` true) or `or` of the terms, each as it is or negated, without constants and without nesting.
fn junction(terms: &[Boolean], parameters: &[f64], positive: bool, all: bool) -> Boolean {
    let mut flat = Vec::with_capacity(terms.len());
    for term in terms {
        match (term.fold_as(parameters, positive), all) {
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
