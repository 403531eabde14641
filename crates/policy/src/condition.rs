//! Conditions, cut so that the cheapest test comes first.
//!
//! A condition that does not hold costs least: one mask over the free booleans, then numbers against bounds, then
//! programs, cheapest facts first. Every expression is total and free of effects, so the order cannot change the result.

use crate::expression::program::{Interval, Program};
use crate::expression::typed::{Boolean, Number};
use crate::facts::{Cost, Fact, FactSet, Facts, Flags};

/// A compiled `when`.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    mask: Flags,
    wanted: Flags,
    intervals: Box<[Interval]>,
    programs: Box<[Program]>,
}

impl Condition {
    /// Compiles a folded boolean; `None` when it holds for no move.
    pub(crate) fn compile(boolean: &Boolean) -> Option<Self> {
        let single = std::slice::from_ref(boolean);
        let terms = match boolean {
            Boolean::And(terms) => terms.as_slice(),
            _ => single,
        };
        let mut condition = Self {
            mask: Flags::NONE,
            wanted: Flags::NONE,
            intervals: Box::default(),
            programs: Box::default(),
        };
        let mut intervals = Vec::new();
        let mut rest = Vec::new();
        for term in terms {
            if let Some((fact, value)) = flag(term) {
                if condition.mask.has(fact) && condition.wanted.has(fact) != value {
                    return None;
                }
                condition.mask = condition.mask.with(fact, true);
                condition.wanted = condition.wanted.with(fact, value);
            } else if let Some(interval) = interval(term) {
                if !narrow(&mut intervals, interval) {
                    return None;
                }
            } else if let Boolean::Constant(value) = term {
                if !value {
                    return None;
                }
            } else {
                rest.push(term);
            }
        }
        intervals.sort_by_key(|interval| cost(interval.fact));
        rest.sort_by_key(|term| dearest(term.facts()));
        condition.intervals = intervals.into();
        condition.programs = rest.into_iter().map(Program::of_boolean).collect();
        Some(condition)
    }

    /// Whether the condition holds.
    #[inline]
    pub(crate) fn holds<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        flags.matches(self.mask, self.wanted)
            && self.intervals.iter().all(|interval| interval.holds(facts))
            && self
                .programs
                .iter()
                .all(|program| program.truth(flags, facts))
    }
}

/// A term that is a flag, and which value it asks for.
fn flag(term: &Boolean) -> Option<(Fact, bool)> {
    match term {
        Boolean::Fact(fact) if fact.is_flag() => Some((*fact, true)),
        Boolean::Not(inner) => match &**inner {
            Boolean::Fact(fact) if fact.is_flag() => Some((*fact, false)),
            _ => None,
        },
        _ => None,
    }
}

/// A term that compares a fact with a constant.
fn interval(term: &Boolean) -> Option<Interval> {
    match term {
        Boolean::Compare(comparison, x, y) => match (&**x, &**y) {
            (Number::Fact(fact), Number::Constant(value)) => {
                Interval::new(*fact, *comparison, *value)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Adds an interval, joined with the one of the same fact; false when nothing lies in both.
fn narrow(intervals: &mut Vec<Interval>, new: Interval) -> bool {
    match intervals.iter_mut().find(|old| old.fact == new.fact) {
        Some(old) => {
            old.low = old.low.max(new.low);
            old.high = old.high.min(new.high);
            old.low <= old.high
        }
        None => {
            intervals.push(new);
            true
        }
    }
}

fn cost(fact: Fact) -> u8 {
    match fact.info().cost {
        Cost::Free => 0,
        Cost::Cheap => 1,
        Cost::Work => 2,
    }
}

fn dearest(facts: FactSet) -> u8 {
    facts.iter().map(cost).max().unwrap_or(0)
}
