//! The facts of a traced move, by their names in the header of the trace.

use lmrlab_host::trace::{Record, TraceHeader};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags, Kind};
use rustc_hash::FxHashMap;

use crate::named_fact::NamedFact;

/// Where the records of a trace hold the facts.
#[derive(Debug, Clone)]
pub(crate) struct FactPlaces {
    /// The facts that the engine fills, each with its bit or its number: those of the catalogue in its order, then its own.
    filled: Vec<(NamedFact, usize)>,
    /// The bit or the number of each fact that a policy reads.
    places: FxHashMap<Fact, usize>,
}

impl FactPlaces {
    /// The places of a trace. In them `policy` finds the facts that it declares.
    pub(crate) fn of(header: &TraceHeader, policy: &Policy) -> Self {
        let place = |fact: &NamedFact| {
            let names = match fact.kind() {
                Kind::Boolean => &header.flags,
                Kind::Number => &header.numbers,
            };
            names.iter().position(|name| name == fact.name())
        };
        let own = [(Kind::Boolean, &header.flags), (Kind::Number, &header.numbers)].into_iter();
        let own = own.flat_map(|(kind, names)| names.iter().filter_map(move |name| NamedFact::own_named(name, kind)));
        let facts = CATALOGUE.iter().map(|info| NamedFact::Known(info.fact)).chain(own);
        let declared = (policy.own_facts()).map(|own| (own.fact, NamedFact::own(own.name, own.fact.info().kind)));
        let read = CATALOGUE.iter().map(|info| (info.fact, NamedFact::Known(info.fact)));
        Self {
            filled: facts
                .filter_map(|fact| place(&fact).map(|place| (fact, place)))
                .collect(),
            places: read
                .chain(declared)
                .filter_map(|(fact, named)| Some((fact, place(&named)?)))
                .collect(),
        }
    }

    /// The facts of the catalogue that the engine fills, in its order.
    pub(crate) fn known(&self) -> impl Iterator<Item = Fact> {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        facts.filter(|fact| self.places.contains_key(fact))
    }

    /// The facts that the engine fills and that are wanted.
    pub(crate) fn wanted(&self, is_wanted: impl Fn(&NamedFact) -> bool) -> Vec<(NamedFact, usize)> {
        self.filled
            .iter()
            .filter(|(fact, _)| is_wanted(fact))
            .cloned()
            .collect()
    }

    pub(crate) fn facts<'a>(&'a self, record: &'a Record) -> TracedFacts<'a> {
        TracedFacts { places: self, record }
    }
}

/// The facts of a traced move. What the engine does not fill is false or 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TracedFacts<'a> {
    places: &'a FactPlaces,
    record: &'a Record,
}

impl TracedFacts<'_> {
    /// The value of a fact, 1 or 0 for a boolean; `None` when the engine does not fill it.
    pub(crate) fn known(&self, fact: Fact) -> Option<f64> {
        let place = self.places.places.get(&fact)?;
        Some(self.at(*place, fact.info().kind))
    }

    /// The value at a place.
    pub(crate) fn at(&self, place: usize, kind: Kind) -> f64 {
        match kind {
            Kind::Boolean => f64::from(u8::from(self.record.flags >> (place & 63) & 1 != 0)),
            Kind::Number => self.record.numbers.get(place).copied().unwrap_or_default(),
        }
    }
}

impl Facts for TracedFacts<'_> {
    fn flags(&self) -> Flags {
        let flags = CATALOGUE.iter().map(|info| info.fact).filter(|fact| fact.is_flag());
        flags.fold(Flags::NONE, |flags, fact| flags.with(fact, self.boolean(fact)))
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.number(fact) != 0.0
    }

    fn number(&self, fact: Fact) -> f64 {
        self.known(fact).unwrap_or(0.0)
    }
}
