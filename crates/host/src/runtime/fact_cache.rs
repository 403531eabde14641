//! A cache for the facts about one move, so that each is computed at most once.

use std::cell::Cell;

use crate::runtime::facts::{CATALOGUE, Fact, FactSet, Facts, Flags};

/// The first fact of the range that has slots.
const FIRST: usize = Fact::History as usize;
/// The number of slots.
const SLOTS: usize = Fact::KingSafetyDelta as usize - FIRST + 1;

// Every number that costs work has a slot.
#[cfg(test)]
const _: () = {
    let mut index = 0;
    while index < CATALOGUE.len() {
        let info = &CATALOGUE[index];
        let is_expensive = !info.fact.is_boolean() && matches!(info.cost, crate::runtime::facts::Cost::Work);
        assert!(!is_expensive || (index >= FIRST && index < FIRST + SLOTS));
        index += 1;
    }
};

/// The facts that have a slot.
pub(crate) fn cacheable() -> FactSet {
    let mut facts = FactSet::default();
    facts.extend(CATALOGUE.iter().map(|info| info.fact).skip(FIRST).take(SLOTS));
    facts
}

/// The facts about a move; those in a set are asked for at most once.
pub(crate) struct CachedFacts<'f, F> {
    facts: &'f F,
    /// The facts to cache.
    cached: FactSet,
    /// A bit for each slot that is filled.
    filled: Cell<u32>,
    values: [Cell<f64>; SLOTS],
}

impl<'f, F: Facts> CachedFacts<'f, F> {
    #[inline]
    pub(crate) fn new(facts: &'f F, cached: FactSet) -> Self {
        Self {
            facts,
            cached,
            filled: Cell::new(0),
            values: [const { Cell::new(0.0) }; SLOTS],
        }
    }
}

impl<F: Facts> Facts for CachedFacts<'_, F> {
    #[inline]
    fn flags(&self) -> Flags {
        self.facts.flags()
    }

    #[inline]
    fn boolean(&self, fact: Fact) -> bool {
        self.facts.boolean(fact)
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        let slot = (fact as usize).wrapping_sub(FIRST);
        let Some(value) = self.values.get(slot).filter(|_| self.cached.contains(fact)) else {
            return self.facts.number(fact);
        };
        if self.filled.get() >> slot & 1 == 0 {
            self.filled.set(self.filled.get() | 1 << slot);
            value.set(self.facts.number(fact));
        }
        value.get()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts how often it is asked.
    #[derive(Default)]
    struct Asked(Cell<u32>);

    impl Facts for Asked {
        fn flags(&self) -> Flags {
            Flags::NONE
        }

        fn boolean(&self, _: Fact) -> bool {
            true
        }

        fn number(&self, fact: Fact) -> f64 {
            self.0.set(self.0.get() + 1);
            f64::from(fact as u8)
        }
    }

    #[test]
    fn a_cached_fact_is_asked_for_once() {
        let asked = Asked::default();
        let mut of = FactSet::default();
        of.insert(Fact::See);
        of.insert(Fact::History);
        let facts = CachedFacts::new(&asked, of);
        for fact in [Fact::See, Fact::History, Fact::See, Fact::History, Fact::See] {
            assert_eq!(facts.number(fact), f64::from(fact as u8));
        }
        assert_eq!(asked.0.get(), 2);
        for fact in [Fact::EvalDelta, Fact::EvalDelta, Fact::Depth, Fact::Depth] {
            assert_eq!(facts.number(fact), f64::from(fact as u8));
        }
        assert_eq!(asked.0.get(), 6);
    }
}
