//! The result of an audit.

use super::sample::{Predictors, Sample};

/// The result of an audit of one policy.
#[derive(Debug, Clone)]
pub struct Audit {
    /// Every sampled move, position by position in the order of the search.
    pub samples: Vec<Sample>,
    /// The facts behind the values of the samples.
    pub predictors: Predictors,
    /// The number of all late moves. The samples were drawn from them.
    pub population: u64,
    /// Nodes of the observed searches.
    pub nodes: u64,
    /// How many positions were searched.
    pub positions: usize,
}
