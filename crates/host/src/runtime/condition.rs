//! A compiled condition: the cheapest test comes first.
//!
//! The tests are, in this order: one mask over the free booleans, the depth and the move count, and the other terms. Terms
//! with cheap facts come before terms with expensive ones. Expressions have no side effects and never fail, so the order
//! cannot change the result.

use crate::runtime::expression::{Expression, Interval};
use crate::runtime::facts::{Cost, Fact, Facts, Flags};
use crate::runtime::value::{Compiler, Move, Value, flag};

/// A compiled `when`.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    mask: Flags,
    wanted: Flags,
    /// Bounds of the depth and of the moves searched before, when there are any.
    gate: Option<[Interval; 2]>,
    tests: Box<[Value]>,
}

/// The two facts that nearly every policy tests.
const GATE: [Fact; 2] = [Fact::Depth, Fact::MovesSearched];

impl Condition {
    /// Compiles a folded boolean; `None` when it holds for no move.
    pub(crate) fn new(boolean: &Expression, compiler: &Compiler) -> Option<Self> {
        let (mut mask, mut wanted) = (Flags::NONE, Flags::NONE);
        let mut intervals: Vec<Interval> = Vec::new();
        // Each test with the cost of its most expensive fact.
        let mut tests: Vec<(Cost, Value)> = Vec::new();
        let highest = |term: &Expression| term.facts().iter().map(|fact| fact.info().cost).max();
        for term in boolean.terms() {
            if let Some((fact, value)) = flag(term) {
                if mask.has(fact) && wanted.has(fact) != value {
                    return None;
                }
                mask = mask.with(fact, true);
                wanted = wanted.with(fact, value);
            } else if let Some(new) = Interval::of(term).filter(|interval| !interval.fact.is_of_rules()) {
                if !narrow(&mut intervals, new) {
                    return None;
                }
            } else {
                match compiler.condition(term, true) {
                    Value::Constant(0.0) => return None,
                    Value::Constant(_) => {}
                    test => tests.push((highest(term).unwrap_or(Cost::Free), test)),
                }
            }
        }
        let gate = GATE.map(|fact| {
            let bounds = intervals.iter().find(|interval| interval.fact == fact);
            bounds.copied().unwrap_or(Interval::any(fact))
        });
        let is_in_gate = |interval: &Interval| GATE.contains(&interval.fact);
        let others = intervals.iter().filter(|interval| !is_in_gate(interval));
        let bounds_of_others = others.map(|interval| (interval.fact.info().cost, Value::Within(*interval)));
        let mut tests: Vec<_> = bounds_of_others.chain(tests).collect();
        tests.sort_by_key(|(cost, _)| *cost);
        Some(Self {
            mask,
            wanted,
            gate: (gate != GATE.map(Interval::any)).then_some(gate),
            tests: tests.into_iter().map(|(_, test)| test).collect(),
        })
    }

    /// The least depth and the least number of moves searched before at which the condition can hold.
    pub(crate) fn reducible_from(&self) -> (i32, i32) {
        // Both facts are whole numbers from 0 on and below a million. So cutting greater bounds to a million changes
        // nothing.
        let least = |interval: &Interval| interval.low.ceil().clamp(0.0, 1e6) as i32;
        self.gate
            .as_ref()
            .map_or((0, 0), |[depth, moves]| (least(depth), least(moves)))
    }

    /// Whether the condition holds.
    #[inline]
    pub(crate) fn holds<F: Facts>(&self, of: &Move<'_, F>) -> bool {
        self.is_open(of.flags, of.facts) && self.rest_holds(of)
    }

    /// Whether the tests that cost nothing hold. The facts of the gate are constants here, so that the compiler can inline
    /// the calls that read them.
    #[inline]
    pub(crate) fn is_open<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        flags.matches(self.mask, self.wanted)
            && self.gate.as_ref().is_none_or(|[depth, moves]| {
                depth.contains(facts.number(Fact::Depth)) && moves.contains(facts.number(Fact::MovesSearched))
            })
    }

    /// Whether the other tests hold.
    #[inline]
    pub(crate) fn rest_holds<F: Facts>(&self, of: &Move<'_, F>) -> bool {
        self.tests.iter().all(|test| test.holds(of))
    }
}

/// Adds an interval, intersected with the one of the same fact; false when the intersection is empty.
fn narrow(intervals: &mut Vec<Interval>, new: Interval) -> bool {
    if let Some(old) = intervals.iter_mut().find(|old| old.fact == new.fact) {
        old.low = old.low.max(new.low);
        old.high = old.high.min(new.high);
        return old.low <= old.high;
    }
    intervals.push(new);
    true
}
