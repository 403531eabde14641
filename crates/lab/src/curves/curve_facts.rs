//! The facts of a sampled move, as a policy reads them.

use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Flags};

use super::curve::Curve;
use super::file::CurveFile;
use crate::named_fact::NamedFact;

/// Where the values of a file stand for each fact of the catalogue.
#[derive(Debug, Clone)]
pub(crate) struct FactColumns(Vec<Option<usize>>);

impl FactColumns {
    pub(crate) fn of(file: &CurveFile) -> Self {
        let column = |fact: Fact| file.facts.iter().position(|known| *known == NamedFact::Known(fact));
        Self(CATALOGUE.iter().map(|info| column(info.fact)).collect())
    }

    /// Whether the file has the fact, or what it follows from.
    pub(crate) fn has(&self, fact: Fact) -> bool {
        match fact {
            Fact::MovesSearched => true,
            fact => self.column(fact).is_some(),
        }
    }

    fn column(&self, fact: Fact) -> Option<usize> {
        self.0.get(fact as usize).copied().flatten()
    }

    /// The facts of a curve of the file.
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
                .column(fact)
                .and_then(|column| curve.values.get(column))
                .copied()
                .unwrap_or(0.0),
        }
    }
}

/// The facts of a curve. What the file does not have is false or 0.
#[derive(Debug, Clone, Copy)]
pub(crate) struct CurveFacts<'c> {
    columns: &'c FactColumns,
    curve: &'c Curve,
    flags: Flags,
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
}
