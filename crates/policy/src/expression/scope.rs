//! The names that an expression may use besides facts and functions.

use std::collections::BTreeSet;
use std::sync::Arc;

use lmrlab_host::runtime::OwnFacts;
use lmrlab_host::runtime::expression::Grid;

use super::typed_tree::Typed;
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
        let own = self.own.iter().map(|(_, name)| name);
        parameters.chain(lets).map(String::as_str).chain(own)
    }
}

/// A subexpression with a name. An expression that mentions it gets a copy of it.
#[derive(Debug, Clone)]
pub(crate) struct Let {
    pub(crate) name: String,
    /// `None` when it has a mistake, which is reported.
    pub(crate) value: Option<Typed>,
    /// Which other subexpressions it mentions, by the place in [`Scope::lets`].
    pub(crate) lets: BTreeSet<usize>,
}

impl Let {
    /// A name without a value.
    pub(crate) fn without_value(name: String) -> Self {
        Self {
            name,
            value: None,
            lets: BTreeSet::new(),
        }
    }
}
