//! The facts of a traced move, by their names in the head of the trace.

use lmrlab_host::trace::{Record, TraceHead};
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags, Kind};

/// Where the records of a trace hold the facts of the catalogue.
#[derive(Debug, Clone)]
pub(super) struct FactPlaces {
    /// For each fact of the catalogue its bit or its number; `None` when the engine does not fill it.
    places: Vec<Option<usize>>,
}

impl FactPlaces {
    pub(super) fn of(head: &TraceHead) -> Self {
        let place = |fact: Fact| {
            let info = fact.info();
            let names = match info.kind {
                Kind::Boolean => &head.flags,
                Kind::Number => &head.numbers,
            };
            names.iter().position(|name| name == info.name)
        };
        Self {
            places: CATALOGUE.iter().map(|info| place(info.fact)).collect(),
        }
    }

    fn place(&self, fact: Fact) -> Option<usize> {
        self.places.get(fact as usize).copied().flatten()
    }

    /// The facts that the engine fills, in the order of the catalogue.
    pub(super) fn filled(&self) -> impl Iterator<Item = Fact> {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        facts.filter(|fact| self.place(*fact).is_some())
    }

    /// The facts of a record.
    pub(super) fn facts<'a>(&'a self, record: &'a Record) -> TracedFacts<'a> {
        TracedFacts { places: self, record }
    }
}

/// The facts of a traced move. What the engine does not fill is false or 0.
#[derive(Debug, Clone, Copy)]
pub(super) struct TracedFacts<'a> {
    places: &'a FactPlaces,
    record: &'a Record,
}

impl TracedFacts<'_> {
    fn is_set(&self, fact: Fact) -> bool {
        let bit = self.places.place(fact);
        bit.is_some_and(|bit| self.record.flags >> (bit & 63) & 1 != 0)
    }

    /// A number; `None` when the engine does not fill it.
    pub(super) fn known(&self, fact: Fact) -> Option<f64> {
        self.record.numbers.get(self.places.place(fact)?).copied()
    }

    /// The value of a fact: 1 or 0 for a boolean.
    pub(super) fn value(&self, fact: Fact) -> f64 {
        match fact.info().kind {
            Kind::Boolean => f64::from(u8::from(self.is_set(fact))),
            Kind::Number => self.known(fact).unwrap_or(0.0),
        }
    }
}

impl Facts for TracedFacts<'_> {
    fn flags(&self) -> Flags {
        let flags = CATALOGUE.iter().map(|info| info.fact).filter(|fact| fact.is_flag());
        flags.fold(Flags::NONE, |flags, fact| flags.with(fact, self.is_set(fact)))
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.is_set(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        self.known(fact).unwrap_or(0.0)
    }
}
