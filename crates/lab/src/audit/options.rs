//! How an audit samples and judges.

/// The search that judges a move at its full depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Judge {
    /// A search that reduces nothing.
    Unreduced,
    /// A search with the same policy, which shows what not reducing this one move would have changed.
    Policy,
}

/// How an audit samples and judges.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuditOptions {
    /// The share of the late moves that is sampled, 0 to 1.
    pub rate: f64,
    /// The seed of the random sample.
    pub seed: u64,
    /// Least depth of the nodes of sampled moves, in plies.
    pub min_depth: u32,
    /// The judge.
    pub judge: Judge,
    /// By how many centipawns a shadow search must raise alpha to count.
    pub raise: i32,
    /// Where a shadow search gives up, in nodes.
    pub shadow_nodes: u64,
    /// How often the sample is resampled for intervals.
    pub resamples: usize,
}

impl Default for AuditOptions {
    fn default() -> Self {
        Self {
            rate: 0.01,
            seed: 1,
            min_depth: 1,
            judge: Judge::Unreduced,
            raise: 0,
            shadow_nodes: 200_000,
            resamples: 1_000,
        }
    }
}
