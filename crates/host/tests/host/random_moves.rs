//! Moves with random facts, the same for the same policy.

use lmrlab_host::Values;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags, Kind};

/// The next number of the generator splitmix64.
pub(crate) fn next(state: &mut u64) -> u64 {
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

/// A number of an engine's own: any finite one, often the least or the greatest.
fn own_number(state: &mut u64) -> f64 {
    match number(state, -i32::MAX, i32::MAX) {
        i32::MAX => f64::MAX,
        value if value == -i32::MAX => f64::MIN,
        value => f64::from(value) / 8.0,
    }
}

/// A move of which each fact has a value; 1 or 0 of a boolean.
#[derive(Debug, Clone)]
pub(crate) struct RandomMove([f64; 128]);

impl RandomMove {
    /// Gives a fact another value.
    pub(crate) fn set(&mut self, fact: Fact, value: f64) {
        self.0[fact as usize] = value;
    }

    /// The same facts for a host.
    pub(crate) fn values(&self) -> Values {
        let mut values = Values::default();
        for fact in all_facts() {
            values
                .set_flag(fact, self.boolean(fact))
                .set_number(fact, self.number(fact));
        }
        values
    }

    /// The facts as programs read them: the booleans of the catalogue as bits, its numbers; then flags and numbers of an engine's
    /// own.
    pub(crate) fn bytes(&self) -> Vec<u8> {
        let bits = |facts: &mut dyn Iterator<Item = Fact>| {
            facts
                .fold((0, 0_u64), |(bit, bits), fact| {
                    (bit + 1, bits | u64::from(self.boolean(fact)) << bit)
                })
                .1
        };
        let catalogue = |kind| {
            CATALOGUE
                .iter()
                .filter(move |info| info.kind == kind)
                .map(|info| info.fact)
        };
        let mut bytes = bits(&mut catalogue(Kind::Boolean)).to_le_bytes().to_vec();
        bytes.extend(catalogue(Kind::Number).flat_map(|fact| self.number(fact).to_le_bytes()));
        bytes.extend(bits(&mut Fact::OWN_FLAGS.into_iter()).to_le_bytes());
        bytes.extend(
            Fact::OWN_NUMBERS
                .iter()
                .flat_map(|fact| self.number(*fact).to_le_bytes()),
        );
        bytes
    }
}

impl Facts for RandomMove {
    fn flags(&self) -> Flags {
        let set = |flags: Flags, fact: Fact| flags.with(fact, self.boolean(fact));
        all_facts().fold(Flags::NONE, set)
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.number(fact) != 0.0
    }

    fn number(&self, fact: Fact) -> f64 {
        self.0[fact as usize]
    }
}

/// The facts of the catalogue, and those of an engine's own.
pub(crate) fn all_facts() -> impl Iterator<Item = Fact> {
    let catalogue = CATALOGUE.iter().map(|info| info.fact);
    catalogue.chain(Fact::OWN_FLAGS).chain(Fact::OWN_NUMBERS)
}

/// The moves of one policy: random values of the facts that it reads, and in some moves of all facts.
pub(crate) struct RandomMoves {
    state: u64,
    /// The facts with their least and greatest values, and whether the policy reads them.
    facts: Vec<(Fact, i32, i32, bool)>,
    current: RandomMove,
    made: u32,
}

impl RandomMoves {
    pub(crate) fn of(policy: &Policy) -> Self {
        let needs = policy.needs();
        let ranged = |fact: Fact| {
            let range = match (fact, policy.history()) {
                (Fact::History, Some(history)) => history.model.range(),
                _ => fact.range().unwrap_or(0..=1),
            };
            (
                fact,
                *range.start(),
                *range.end(),
                needs.contains(fact) || fact.is_of_research(),
            )
        };
        Self {
            state: 1,
            facts: all_facts().filter(|fact| !fact.is_of_rules()).map(ranged).collect(),
            current: RandomMove([0.0; 128]),
            made: 0,
        }
    }
}

impl Iterator for RandomMoves {
    type Item = RandomMove;

    fn next(&mut self) -> Option<RandomMove> {
        let all = self.made.is_multiple_of(8);
        self.made += 1;
        for (fact, low, high, _) in self.facts.iter().filter(|(.., is_read)| *is_read || all) {
            let value = match fact.is_own() && !fact.is_boolean() {
                true => own_number(&mut self.state),
                false => f64::from(number(&mut self.state, *low, *high)),
            };
            self.current.set(*fact, value);
        }
        Some(self.current.clone())
    }
}
