//! The names that an expression may use besides facts and functions.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::typed_tree::{Grid, Typed};
use crate::facts::FactSet;
use crate::own_facts::OwnFacts;
use crate::parameter::DeclaredParameter;

/// The names that a policy declares.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The names of `[param]`, in the policy's order.
    pub(crate) parameters: Vec<DeclaredParameter>,
    /// The names of `[let]`.
    pub(crate) lets: Vec<Let>,
    /// The facts of another engine.
    pub(crate) own: OwnFacts,
    /// The policy's `table`.
    pub(crate) grid: Option<Arc<Grid>>,
    /// Whether the file has a `table`, valid or not.
    pub(crate) has_table: bool,
}

impl Scope {
    /// The names of parameters, subexpressions and facts of another engine.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        let parameters = self.parameters.iter().map(|parameter| &parameter.name);
        let lets = self.lets.iter().map(|named| &named.name);
        let own = self.own.flags.iter().chain(&self.own.numbers);
        parameters.chain(lets).chain(own).map(String::as_str)
    }
}

/// A subexpression with a name. An expression that mentions it gets a copy of it.
#[derive(Debug, Clone)]
pub(crate) struct Let {
    pub(crate) name: String,
    /// `None` when it has a mistake, which is reported.
    pub(crate) value: Option<Typed>,
    /// What it mentions, also through other subexpressions.
    pub(crate) facts: FactSet,
    pub(crate) own: BTreeSet<String>,
    /// By the place in [`Scope::parameters`] and in [`Scope::lets`].
    pub(crate) parameters: BTreeSet<usize>,
    pub(crate) lets: BTreeSet<usize>,
    pub(crate) table: bool,
}

impl Let {
    /// A name without a value.
    pub(crate) fn without_value(name: String) -> Self {
        Self {
            name,
            value: None,
            facts: FactSet::default(),
            own: BTreeSet::new(),
            parameters: BTreeSet::new(),
            lets: BTreeSet::new(),
            table: false,
        }
    }
}
