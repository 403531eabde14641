//! The facts of a traced move, by their names in the head of the trace.

use lmrlab_host::trace::{Record, TraceHead};
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags, Kind};

use crate::named_fact::NamedFact;

/// Where the records of a trace hold the facts.
#[derive(Debug, Clone)]
pub(super) struct FactPlaces {
    /// For each fact of the catalogue its bit or its number; `None` when the engine does not fill it.
    places: Vec<Option<usize>>,
    /// The facts of the engine alone, each with its bit or its number.
    own: Vec<(NamedFact, usize)>,
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
        let own = |kind: Kind, names: &[String]| {
            let names = names.iter().enumerate();
            let facts = names.filter_map(|(place, name)| Some((NamedFact::own_named(name, kind)?, place)));
            facts.collect::<Vec<_>>()
        };
        Self {
            places: CATALOGUE.iter().map(|info| place(info.fact)).collect(),
            own: [own(Kind::Boolean, &head.flags), own(Kind::Number, &head.numbers)].concat(),
        }
    }

    fn place(&self, fact: Fact) -> Option<usize> {
        self.places.get(fact as usize).copied().flatten()
    }

    /// The facts that the engine fills, in the order of the catalogue; then those of the engine alone.
    pub(super) fn filled(&self) -> impl Iterator<Item = NamedFact> {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        let facts = facts.filter(|fact| self.place(*fact).is_some()).map(NamedFact::Known);
        facts.chain(self.own.iter().map(|(fact, _)| fact.clone()))
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
        self.places.place(fact).is_some_and(|bit| self.bit(bit))
    }

    fn bit(&self, bit: usize) -> bool {
        self.record.flags >> (bit & 63) & 1 != 0
    }

    /// A number; `None` when the engine does not fill it.
    pub(super) fn known(&self, fact: Fact) -> Option<f64> {
        self.record.numbers.get(self.places.place(fact)?).copied()
    }

    /// The value of a fact: 1 or 0 for a boolean.
    pub(super) fn value(&self, fact: &NamedFact) -> f64 {
        let place = match fact {
            NamedFact::Known(fact) => self.places.place(*fact),
            NamedFact::Own { .. } => {
                let own = self.places.own.iter().find(|(own, _)| own == fact);
                own.map(|(_, place)| *place)
            }
        };
        let Some(place) = place else { return 0.0 };
        match fact.kind() {
            Kind::Boolean => f64::from(u8::from(self.bit(place))),
            Kind::Number => self.record.numbers.get(place).copied().unwrap_or(0.0),
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
