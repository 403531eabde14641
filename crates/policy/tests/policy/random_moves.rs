//! Random facts, the same in a test and in the programs that it starts.

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Facts, Flags, Kind};

/// The next number of the generator splitmix64.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A number from `low` to `high`: often one of the two, often near 0.
fn number(state: &mut u64, low: i32, high: i32) -> i32 {
    let random = next(state);
    let (kind, rest) = (random & 7, (random >> 3) & 0xffff_ffff);
    let within = |low: i64, high: i64| low + (rest % (high - low + 1) as u64) as i64;
    let value = match kind {
        0 => i64::from(low),
        1 => i64::from(high),
        2 | 3 => within(-2, 24),
        4 => within(-2000, 2000),
        _ => within(i64::from(low), i64::from(high)),
    };
    value.clamp(i64::from(low), i64::from(high)) as i32
}

/// A move of which each fact has a random value.
#[derive(Debug, Clone)]
pub(crate) struct RandomMove {
    flags: Flags,
    values: [i32; 128],
    own: [f64; 128],
}

impl RandomMove {
    /// The value of a fact; 0 or 1 of a boolean.
    pub(crate) fn value(&self, fact: Fact) -> i32 {
        self.values[fact as usize]
    }
}

impl Facts for RandomMove {
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.number(fact) != 0.0
    }

    fn number(&self, fact: Fact) -> f64 {
        match fact.is_own() {
            true => self.own[fact as usize],
            false => f64::from(self.value(fact)),
        }
    }
}

/// A number of an engine's own: any finite one, often the least or the greatest.
fn own_number(state: &mut u64) -> f64 {
    match number(state, -i32::MAX, i32::MAX) {
        i32::MAX => f64::MAX,
        value if value == -i32::MAX => f64::MIN,
        value => f64::from(value) / 8.0,
    }
}

/// The moves of one policy.
pub(crate) struct Vectors {
    state: u64,
    /// The facts with their ranges.
    facts: Vec<(Fact, i32, i32)>,
    /// The facts of another engine.
    own: Vec<Fact>,
    current: RandomMove,
}

impl Vectors {
    pub(crate) fn new(facts: impl Iterator<Item = Fact>, policy: &Policy) -> Self {
        Self {
            state: 1,
            facts: facts.map(|fact| ranged(fact, policy)).collect(),
            own: policy.own_facts().map(|own| own.fact).collect(),
            current: RandomMove {
                flags: Flags::NONE,
                values: [0; 128],
                own: [0.0; 128],
            },
        }
    }

    pub(crate) fn next(&mut self) -> &RandomMove {
        self.current.flags = Flags::NONE;
        for (fact, low, high) in &self.facts {
            let value = number(&mut self.state, *low, *high);
            self.current.values[*fact as usize] = value;
            self.current.flags = self.current.flags.with(*fact, value != 0);
        }
        for fact in &self.own {
            self.current.own[*fact as usize] = match fact.is_boolean() {
                true => f64::from(number(&mut self.state, 0, 1)),
                false => own_number(&mut self.state),
            };
        }
        &self.current
    }
}

/// A fact with the least and the greatest value that it can have.
pub(crate) fn ranged(fact: Fact, policy: &Policy) -> (Fact, i32, i32) {
    if fact.info().kind == Kind::Boolean {
        return (fact, 0, 1);
    }
    let range = match (fact, policy.history()) {
        (Fact::History, Some(history)) => history.model.range(),
        _ => fact.range().unwrap(),
    };
    (fact, *range.start(), *range.end())
}
