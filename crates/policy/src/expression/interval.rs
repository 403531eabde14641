//! A numeric fact between two bounds.

use super::arithmetic::Comparison;
use super::typed_tree::{Boolean, Number};
use crate::facts::{Fact, Facts};

/// A numeric fact between two bounds, both included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Interval {
    pub(crate) fact: Fact,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Interval {
    /// The interval in which a comparison of a fact with a constant holds; `None` for `!=` and for any other expression.
    pub(crate) fn of(boolean: &Boolean) -> Option<Self> {
        let Boolean::Compare(comparison, x, y) = boolean else {
            return None;
        };
        let (Number::Fact(fact), Number::Constant(value)) = (&**x, &**y) else {
            return None;
        };
        let (fact, value) = (*fact, *value);
        let (low, high) = match comparison {
            Comparison::Equal => (value, value),
            Comparison::NotEqual => return None,
            Comparison::Less => (f64::NEG_INFINITY, value.next_down()),
            Comparison::LessOrEqual => (f64::NEG_INFINITY, value),
            Comparison::Greater => (value.next_up(), f64::INFINITY),
            Comparison::GreaterOrEqual => (value, f64::INFINITY),
        };
        Some(Self { fact, low, high })
    }

    #[inline]
    pub(crate) fn holds<F: Facts>(&self, facts: &F) -> bool {
        self.contains(facts.number(self.fact))
    }

    #[inline]
    pub(crate) fn contains(&self, value: f64) -> bool {
        self.low <= value && value <= self.high
    }
}
