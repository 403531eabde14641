//! Conditions, cut so that the cheapest test comes first.
//!
//! A condition that does not hold costs least: one mask over the free booleans, then the depth and the move count, then
//! other numbers against bounds, then programs, cheapest facts first. Every expression is total and free of effects, so the order cannot change the result.

use crate::expression::program::{Interval, Program};
use crate::expression::typed::{Boolean, Number};
use crate::facts::{Cost, Fact, FactSet, Facts, Flags};

/// A compiled `when`.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    mask: Flags,
    wanted: Flags,
    gate: Option<Gate>,
    intervals: Box<[Interval]>,
    /// Booleans that are no flags, with the value that each must have.
    booleans: Box<[(Fact, bool)]>,
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
            gate: None,
            intervals: Box::default(),
            booleans: Box::default(),
            programs: Box::default(),
        };
        let mut intervals = Vec::new();
        let mut booleans = Vec::new();
        let mut rest = Vec::new();
        for term in terms {
            if let Some((fact, value)) = literal(term) {
                if !fact.is_flag() {
                    booleans.push((fact, value));
                    continue;
                }
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
        booleans.sort_by_key(|(fact, _)| cost(*fact));
        condition.gate = Gate::take(&mut intervals);
        condition.intervals = intervals.into();
        condition.booleans = booleans.into();
        condition.programs = rest.into_iter().map(Program::of_boolean).collect();
        Some(condition)
    }

    /// The least depth and the least number of moves searched before at which the condition can hold.
    pub(crate) fn reach(&self) -> (i32, i32) {
        // Facts are whole numbers from 0 on; a bound above any of them holds for no move.
        let least = |interval: &Interval| interval.low.ceil().clamp(0.0, 1e6) as i32;
        self.gate.as_ref().map_or((0, 0), |gate| {
            (least(&gate.depth), least(&gate.moves_searched))
        })
    }

    /// A condition that holds for no move.
    pub(crate) fn never() -> Self {
        Self {
            mask: Flags::NONE,
            // Not in the mask, so never found.
            wanted: Flags::NONE.with(Fact::Root, true),
            gate: None,
            intervals: Box::default(),
            booleans: Box::default(),
            programs: Box::default(),
        }
    }

    /// Whether the condition holds.
    #[inline]
    pub(crate) fn holds<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        flags.matches(self.mask, self.wanted)
            && self.gate.as_ref().is_none_or(|gate| gate.is_open(facts))
            && self.intervals.iter().all(|interval| interval.holds(facts))
            && self
                .booleans
                .iter()
                .all(|(fact, value)| facts.boolean(*fact) == *value)
            && self
                .programs
                .iter()
                .all(|program| program.truth(flags, facts))
    }
}

/// Bounds of the two facts that nearly every policy tests. Naming them here lets a search's compiler see which fact is read.
#[derive(Debug, Clone, Copy)]
struct Gate {
    depth: Interval,
    moves_searched: Interval,
}

impl Gate {
    /// Takes the bounds of both facts out of `intervals`; `None` when there are none.
    fn take(intervals: &mut Vec<Interval>) -> Option<Self> {
        let before = intervals.len();
        let mut take = |fact| match intervals.iter().position(|interval| interval.fact == fact) {
            Some(index) => intervals.remove(index),
            None => Interval {
                fact,
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            },
        };
        let gate = Self {
            depth: take(Fact::Depth),
            moves_searched: take(Fact::MovesSearched),
        };
        (intervals.len() < before).then_some(gate)
    }

    #[inline]
    fn is_open<F: Facts>(&self, facts: &F) -> bool {
        self.depth.contains(facts.number(Fact::Depth))
            && self
                .moves_searched
                .contains(facts.number(Fact::MovesSearched))
    }
}

/// A term that is a boolean fact, and which value it asks for.
fn literal(term: &Boolean) -> Option<(Fact, bool)> {
    match term {
        Boolean::Fact(fact) => Some((*fact, true)),
        Boolean::Not(inner) => match &**inner {
            Boolean::Fact(fact) => Some((*fact, false)),
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
