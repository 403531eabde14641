//! The facts of a sampled move, as a policy reads them.

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags, Kind};

use super::curve::Curve;
use super::file::CurveFile;
use crate::named_fact::NamedFact;

/// The columns of a file for the facts that a policy may read.
#[derive(Debug, Clone)]
pub(crate) struct FactColumns {
    /// For each fact of the catalogue.
    known: Vec<Option<usize>>,
    /// For each flag that the policy declares.
    own_flags: Vec<Option<usize>>,
    /// For each number that the policy declares.
    own_numbers: Vec<Option<usize>>,
}

impl FactColumns {
    /// The columns of `file`, for `policy` and for policies that differ from it only in parameters and rules.
    pub(crate) fn of(file: &CurveFile, policy: &Policy) -> Self {
        let own = |kind: Kind| {
            let declared = policy.own_facts().filter(move |own| own.kind == kind);
            declared
                .map(|own| column(file, &NamedFact::own(own.name, kind)))
                .collect()
        };
        let known = CATALOGUE.iter().map(|info| column(file, &NamedFact::Known(info.fact)));
        Self {
            known: known.collect(),
            own_flags: own(Kind::Boolean),
            own_numbers: own(Kind::Number),
        }
    }

    /// Whether the file has the fact, or a fact that gives its value.
    pub(crate) fn has(&self, fact: Fact) -> bool {
        match fact {
            Fact::MovesSearched => true,
            fact => self.known(fact).is_some(),
        }
    }

    fn known(&self, fact: Fact) -> Option<usize> {
        self.known.get(fact as usize).copied().flatten()
    }

    pub(crate) fn facts<'c>(&'c self, curve: &'c Curve) -> CurveFacts<'c> {
        let flags = CATALOGUE.iter().map(|info| info.fact).filter(|fact| fact.is_flag());
        let flags = flags.fold(Flags::NONE, |flags, fact| {
            flags.with(fact, self.value(curve, fact) != 0.0)
        });
        CurveFacts {
            columns: self,
            curve,
            flags,
        }
    }

    fn value(&self, curve: &Curve, fact: Fact) -> f64 {
        match fact {
            Fact::MovesSearched => f64::from(curve.move_number.saturating_sub(1)),
            fact => self
                .known(fact)
                .and_then(|column| curve.values.get(column))
                .copied()
                .unwrap_or(0.0),
        }
    }
}

/// The column of a fact. A file does not say which facts of a host are numbers.
pub(crate) fn column(file: &CurveFile, fact: &NamedFact) -> Option<usize> {
    file.facts.iter().position(|known| known.name() == fact.name())
}

/// The facts of a curve. What the file does not have is false or 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CurveFacts<'c> {
    columns: &'c FactColumns,
    curve: &'c Curve,
    flags: Flags,
}

impl CurveFacts<'_> {
    fn own(&self, columns: &[Option<usize>], index: usize) -> f64 {
        let column = columns.get(index).copied().flatten();
        let value = column.and_then(|column| self.curve.values.get(column));
        value.copied().unwrap_or(0.0)
    }
}

impl Facts for CurveFacts<'_> {
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.number(fact) != 0.0
    }

    fn number(&self, fact: Fact) -> f64 {
        self.columns.value(self.curve, fact)
    }

    fn own_flag(&self, index: usize) -> bool {
        self.own(&self.columns.own_flags, index) != 0.0
    }

    fn own_number(&self, index: usize) -> f64 {
        self.own(&self.columns.own_numbers, index)
    }
}
