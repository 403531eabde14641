//! The names that an expression may use besides facts and functions.

use std::sync::Arc;

use super::typed_tree::Grid;
use crate::own_facts::OwnFacts;

/// The names that a policy declares.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope {
    /// The parameters, in the policy's order.
    pub(crate) parameters: Vec<String>,
    /// The facts of another engine.
    pub(crate) own: OwnFacts,
    /// The policy's `table`.
    pub(crate) grid: Option<Arc<Grid>>,
    /// Whether the file has a `table`, valid or not.
    pub(crate) has_table: bool,
}
