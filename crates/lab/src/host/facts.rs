//! The facts of a traced move, by their names in the header of the trace.

use lmrlab_host::trace::{Record, TraceHeader};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags, Kind};

use crate::named_fact::NamedFact;

/// Where the records of a trace hold the facts.
#[derive(Debug, Clone)]
pub(crate) struct FactPlaces {
    /// For each fact of the catalogue its bit or its number; `None` when the engine does not fill it.
    places: Vec<Option<usize>>,
    /// The facts of the engine alone, each with its bit or its number.
    own: Vec<(NamedFact, usize)>,
    /// For each fact that a policy declares, its bit or its number.
    declared: Vec<(Fact, usize)>,
}

impl FactPlaces {
    /// The places of a trace. In them `policy` finds the facts that it declares.
    pub(crate) fn of(header: &TraceHeader, policy: &Policy) -> Self {
        let names = |kind: Kind| match kind {
            Kind::Boolean => &header.flags,
            Kind::Number => &header.numbers,
        };
        let place = |fact: Fact| {
            let info = fact.info();
            names(info.kind).iter().position(|name| name == info.name)
        };
        let own = |kind: Kind| {
            let names = names(kind).iter().enumerate();
            names.filter_map(move |(place, name)| Some((NamedFact::own_named(name, kind)?, place)))
        };
        let mut places = Self {
            places: CATALOGUE.iter().map(|info| place(info.fact)).collect(),
            own: own(Kind::Boolean).chain(own(Kind::Number)).collect(),
            declared: Vec::new(),
        };
        let declared = policy.own_facts().filter_map(|own| {
            let named = NamedFact::own(own.name, own.fact.info().kind);
            Some((own.fact, places.place_of_own(&named)?))
        });
        places.declared = declared.collect();
        places
    }

    fn place_of_own(&self, fact: &NamedFact) -> Option<usize> {
        self.own.iter().find(|(own, _)| own == fact).map(|(_, place)| *place)
    }

    fn place(&self, fact: Fact) -> Option<usize> {
        let declared = self.declared.iter().find(|(declared, _)| *declared == fact);
        match declared {
            Some((_, place)) => Some(*place),
            None => self.places.get(fact as usize).copied().flatten(),
        }
    }

    /// The facts of the catalogue that the engine fills, in its order.
    pub(crate) fn known(&self) -> impl Iterator<Item = Fact> {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        facts.filter(|fact| self.place(*fact).is_some())
    }

    /// The same; then those of the engine alone.
    pub(crate) fn filled(&self) -> impl Iterator<Item = NamedFact> {
        let facts = self.known().map(NamedFact::Known);
        facts.chain(self.own.iter().map(|(fact, _)| fact.clone()))
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
        self.at(self.places.place(fact)?, fact.info().kind)
    }

    fn at(&self, place: usize, kind: Kind) -> Option<f64> {
        match kind {
            Kind::Boolean => Some(f64::from(u8::from(self.record.flags >> (place & 63) & 1 != 0))),
            Kind::Number => self.record.numbers.get(place).copied(),
        }
    }

    /// The same of any fact; 0 when the engine does not fill it.
    pub(crate) fn value(&self, fact: &NamedFact) -> f64 {
        let place = match fact {
            NamedFact::Known(fact) => self.places.place(*fact),
            NamedFact::Own { .. } => self.places.place_of_own(fact),
        };
        place.and_then(|place| self.at(place, fact.kind())).unwrap_or(0.0)
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
