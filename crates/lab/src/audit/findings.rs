//! What an audit found.

use super::sample::{Predictors, Sample};

/// What an audit of one policy found.
#[derive(Debug, Clone)]
pub struct Audit {
    /// Every sampled move, position by position in the order of the search.
    pub samples: Vec<Sample>,
    /// What the samples' values stand for.
    pub predictors: Predictors,
    /// Late moves from which they were drawn.
    pub population: u64,
    /// Nodes of the observed searches.
    pub nodes: u64,
    /// How many positions were searched.
    pub positions: usize,
}
