//! A compiled condition: the cheapest test comes first.
//!
//! The tests are, in this order: one mask over the free booleans, the depth and the move count, and the other terms. Terms
//! with cheap facts come before terms with expensive ones. Expressions have no side effects and never fail, so the order
//! cannot change the result.

use crate::expression::interval::Interval;
use crate::expression::program::Program;
use crate::expression::typed_tree::Boolean;
use crate::facts::{Cost, Fact, Facts, Flags};

/// A compiled `when`.
#[derive(Debug, Clone)]
pub(crate) struct Condition {
    mask: Flags,
    wanted: Flags,
    gate: Option<Gate>,
    tests: Box<[Test]>,
}

/// A test that is neither in the mask nor in the gate.
#[derive(Debug, Clone)]
enum Test {
    /// A number between bounds.
    Within(Interval),
    /// A boolean that is not a flag, and its wanted value.
    Boolean(Fact, bool),
    /// Flags, and those of them that must be set.
    Flags { mask: Flags, wanted: Flags },
    /// Holds when all of the tests hold (true), or when not all of them hold (false).
    All(Box<[Test]>, bool),
    /// Holds when at least one of the tests holds (true), or when none holds (false).
    Any(Box<[Test]>, bool),
    /// Anything else.
    Program(Program),
}

impl Test {
    /// A test that holds when the term has this value.
    fn of(term: &Boolean, value: bool) -> Self {
        let tests = |terms: &[Boolean]| terms.iter().map(|term| Self::of(term, true)).collect();
        if let Some((mask, wanted)) = flags_of(term, value) {
            return Self::Flags { mask, wanted };
        }
        match term {
            Boolean::Fact(fact) => Self::Boolean(*fact, value),
            Boolean::Not(inner) => Self::of(inner, !value),
            Boolean::And(terms) => Self::All(tests(terms), value),
            Boolean::Or(terms) => Self::Any(tests(terms), value),
            term if value => match Interval::of(term) {
                Some(interval) => Self::Within(interval),
                None => Self::Program(Program::of_boolean(term)),
            },
            term => Self::All(Box::new([Self::of(term, true)]), false),
        }
    }

    #[inline]
    fn holds<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        match self {
            Self::Within(interval) => interval.holds(facts),
            Self::Boolean(fact, value) => facts.boolean(*fact) == *value,
            Self::Flags { mask, wanted } => flags.matches(*mask, *wanted),
            compound => compound.compound_holds(flags, facts),
        }
    }

    /// [`Test::holds`] for tests made of tests. A function of its own, because recursion cannot be inlined.
    fn compound_holds<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        match self {
            Self::All(tests, value) => tests.iter().all(|test| test.holds(flags, facts)) == *value,
            Self::Any(tests, value) => tests.iter().any(|test| test.holds(flags, facts)) == *value,
            Self::Program(program) => program.truth(flags, facts),
            simple => simple.holds(flags, facts),
        }
    }
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
            tests: Box::default(),
        };
        // Each test with the cost of its most expensive fact.
        let mut tests: Vec<(Cost, Test)> = Vec::new();
        for term in terms {
            if let Some((fact, value)) = literal(term) {
                if !fact.is_flag() {
                    tests.push((fact.info().cost, Test::Boolean(fact, value)));
                    continue;
                }
                if condition.mask.has(fact) && condition.wanted.has(fact) != value {
                    return None;
                }
                condition.mask = condition.mask.with(fact, true);
                condition.wanted = condition.wanted.with(fact, value);
            } else if let Some(interval) = Interval::of(term) {
                if !narrow(&mut tests, interval) {
                    return None;
                }
            } else if let Boolean::Constant(value) = term {
                if !value {
                    return None;
                }
            } else {
                let highest = term.facts().iter().map(|fact| fact.info().cost).max();
                let highest = highest.unwrap_or(Cost::Free);
                tests.push((highest, Test::of(term, true)));
            }
        }
        tests.sort_by_key(|(cost, _)| *cost);
        condition.gate = Gate::take(&mut tests);
        condition.tests = tests.into_iter().map(|(_, test)| test).collect();
        Some(condition)
    }

    /// The least depth and the least number of moves searched before at which the condition can hold.
    pub(crate) fn reducible_from(&self) -> (i32, i32) {
        // Both facts are whole numbers from 0 on and below a million. So cutting greater bounds to a million changes
        // nothing.
        let least = |interval: &Interval| interval.low.ceil().clamp(0.0, 1e6) as i32;
        self.gate
            .as_ref()
            .map_or((0, 0), |gate| (least(&gate.depth), least(&gate.moves_searched)))
    }

    /// The mask of flags and their wanted values; `None` when the condition tests anything else.
    pub(crate) fn only_flags(&self) -> Option<(Flags, Flags)> {
        (self.gate.is_none() && self.tests.is_empty()).then_some((self.mask, self.wanted))
    }

    /// A condition that holds for no move.
    pub(crate) fn never() -> Self {
        Self {
            mask: Flags::NONE,
            // A wanted flag outside the mask never matches.
            wanted: Flags::NONE.with(Fact::Root, true),
            gate: None,
            tests: Box::default(),
        }
    }

    /// Whether the condition holds.
    #[inline]
    pub(crate) fn holds<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        self.is_open(flags, facts) && self.rest_holds(flags, facts)
    }

    /// Whether the tests that cost nothing hold.
    #[inline]
    pub(crate) fn is_open<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        flags.matches(self.mask, self.wanted) && self.gate.as_ref().is_none_or(|gate| gate.is_open(facts))
    }

    /// Whether the other tests hold.
    #[inline]
    pub(crate) fn rest_holds<F: Facts>(&self, flags: Flags, facts: &F) -> bool {
        self.tests.iter().all(|test| test.holds(flags, facts))
    }
}

/// Bounds of the two facts that nearly every policy tests. They are constants here, so that the compiler can inline the
/// calls that read them.
#[derive(Debug, Clone, Copy)]
struct Gate {
    depth: Interval,
    moves_searched: Interval,
}

impl Gate {
    /// Takes the bounds of both facts out of `tests`; `None` when there are none.
    fn take(tests: &mut Vec<(Cost, Test)>) -> Option<Self> {
        let before = tests.len();
        let mut take = |fact| {
            let mut bounds = Interval {
                fact,
                low: f64::NEG_INFINITY,
                high: f64::INFINITY,
            };
            tests.retain(|(_, test)| match test {
                Test::Within(interval) if interval.fact == fact => {
                    bounds = *interval;
                    false
                }
                _ => true,
            });
            bounds
        };
        let gate = Self {
            depth: take(Fact::Depth),
            moves_searched: take(Fact::MovesSearched),
        };
        (tests.len() < before).then_some(gate)
    }

    #[inline]
    fn is_open<F: Facts>(&self, facts: &F) -> bool {
        self.depth.contains(facts.number(Fact::Depth))
            && self.moves_searched.contains(facts.number(Fact::MovesSearched))
    }
}

/// The mask of flags and their wanted values with which the term has this value; `None` when it tests anything else.
fn flags_of(term: &Boolean, value: bool) -> Option<(Flags, Flags)> {
    let single = std::slice::from_ref(term);
    let terms = match term {
        Boolean::And(terms) if value => terms.as_slice(),
        _ => single,
    };
    let (mut mask, mut wanted) = (Flags::NONE, Flags::NONE);
    for term in terms {
        let (fact, positive) = literal(term).filter(|(fact, _)| fact.is_flag())?;
        let positive = positive == value;
        if mask.has(fact) && wanted.has(fact) != positive {
            return None;
        }
        mask = mask.with(fact, true);
        wanted = wanted.with(fact, positive);
    }
    Some((mask, wanted))
}

/// The fact and the wanted value of a term that is a boolean fact or its negation.
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

/// Adds an interval, intersected with the one of the same fact; false when the intersection is empty.
fn narrow(tests: &mut Vec<(Cost, Test)>, new: Interval) -> bool {
    for (_, test) in &mut *tests {
        if let Test::Within(old) = test
            && old.fact == new.fact
        {
            old.low = old.low.max(new.low);
            old.high = old.high.min(new.high);
            return old.low <= old.high;
        }
    }
    tests.push((new.fact.info().cost, Test::Within(new)));
    true
}
