//! How an audit samples and judges.

use std::ops::Range;

/// The default share of the late moves that is sampled, where an audit is one of several measures.
pub const DEFAULT_RATE: f64 = 0.01;

/// The search that judges a move at its full depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// The same search with the same policy below the move. It shows what would have changed if this one move had not
    /// been reduced.
    Policy,
    /// The same search without any reduction below the move.
    Unreduced,
}

impl Judge {
    /// Its name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Policy => "policy",
            Self::Unreduced => "unreduced",
        }
    }
}

/// How an audit samples and judges.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditOptions {
    /// The share of the late moves that is sampled, from 0 to 1. Ranges that do not overlap have no move in common.
    pub shares: Range<f64>,
    /// The seed of the random sample.
    pub seed: u64,
    /// The search that judges a sampled move.
    pub judge: Judge,
    /// The node limit of a shadow search.
    pub shadow_nodes: u64,
    /// How often positions are resampled for the intervals.
    pub resamples: usize,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            shares: 0.0..DEFAULT_RATE,
            seed: 1,
            judge: Judge::Policy,
            shadow_nodes: 200_000,
            resamples: 1_000,
        }
    }
}
