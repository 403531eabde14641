//! The result of an audit.

use super::sample::{Sample, SampledFacts};

/// The result of an audit of one policy.
#[derive(Debug, Clone)]
pub struct Audit {
    /// Every sampled move, position by position in the order of the search.
    pub samples: Vec<Sample>,
    /// The facts behind the values of the samples.
    pub facts: SampledFacts,
    /// The number of all late moves that could be sampled. An estimate unless the nodes are [`Nodes::Checked`].
    pub population: u64,
    /// Nodes of the observed searches.
    pub nodes: Nodes,
    /// How many positions were searched.
    pub positions: usize,
}

/// Nodes of searches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nodes {
    /// Checked: the same searches without the audit have the same number of nodes.
    Checked(u64),
    /// As the engine reports them.
    Reported(u64),
    /// Unknown: a trace does not have them.
    Unknown,
}

impl Nodes {
    /// The number of nodes; `None` when it is unknown.
    pub fn number(self) -> Option<u64> {
        match self {
            Self::Checked(nodes) | Self::Reported(nodes) => Some(nodes),
            Self::Unknown => None,
        }
    }
}
