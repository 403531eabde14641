//! A fact by its name: one of the catalogue, or one that a host alone has.

use std::sync::Arc;

use lmrlab_policy::facts::{Fact, Facts, Flags, Kind};

/// What the names of facts of a host alone begin with in tables and files.
const OWN: &str = "own:";

/// A fact of the catalogue, or one of a host alone. They are ordered as in the catalogue, then booleans before numbers, by name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum NamedFact {
    /// A fact that policies know everywhere.
    Known(Fact),
    /// A fact of a host alone.
    Own {
        /// Whether it is a number.
        is_number: bool,
        /// `own:NAME`, as its trace names it.
        name: Arc<str>,
    },
}

impl NamedFact {
    /// A fact of a host alone, by its name in policies.
    pub fn own(word: &str, kind: Kind) -> Self {
        Self::Own {
            is_number: kind == Kind::Number,
            name: format!("{OWN}{word}").into(),
        }
    }

    /// A fact of a host alone, by its name in tables and files; `None` when this is no such name.
    pub fn own_named(name: &str, kind: Kind) -> Option<Self> {
        Some(Self::own(name.strip_prefix(OWN)?, kind))
    }

    /// The name in tables and files: `see`, `own:NAME`.
    pub fn name(&self) -> &str {
        match self {
            Self::Known(fact) => fact.info().name,
            Self::Own { name, .. } => name,
        }
    }

    /// Whether it is a number.
    pub fn kind(&self) -> Kind {
        match self {
            Self::Known(fact) => fact.info().kind,
            Self::Own { is_number: true, .. } => Kind::Number,
            Self::Own { .. } => Kind::Boolean,
        }
    }
}

/// The values of facts for a move of the project's own search, which has no facts of a host. `flags` are those of `facts`.
pub(crate) fn values(of: &[NamedFact], facts: &dyn Facts, flags: Flags) -> impl Iterator<Item = f64> {
    of.iter().map(move |fact| match fact {
        NamedFact::Known(fact) => value(*fact, facts, flags),
        NamedFact::Own { .. } => 0.0,
    })
}

/// The value of a fact of the catalogue, 1 or 0 for a boolean. `flags` are those of `facts`.
pub(crate) fn value(fact: Fact, facts: &dyn Facts, flags: Flags) -> f64 {
    match fact.info().kind {
        Kind::Number => facts.number(fact),
        Kind::Boolean if fact.is_flag() => u8::from(flags.has(fact)).into(),
        Kind::Boolean => u8::from(facts.boolean(fact)).into(),
    }
}
