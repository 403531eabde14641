//! The games of a variant against the reference.

use lmrlab_stats::{Estimate, PairOutcome, Pentanomial};

/// The games of a variant against the reference.
#[derive(Debug, Clone, PartialEq)]
pub struct Strength {
    /// The result of each pair, from the side of the variant, in the order of the openings.
    pub outcomes: Vec<PairOutcome>,
    /// Pairs of games by their score.
    pub pairs: Pentanomial,
    /// The estimate from these pairs.
    pub estimate: Estimate,
}

impl Strength {
    /// From outcomes of pairs.
    pub fn of(outcomes: Vec<PairOutcome>) -> Self {
        let mut pairs = Pentanomial::default();
        for outcome in &outcomes {
            pairs.record(*outcome);
        }
        Self {
            outcomes,
            pairs,
            estimate: Estimate::of(&pairs).unwrap_or(Estimate::NOTHING_KNOWN),
        }
    }
}
