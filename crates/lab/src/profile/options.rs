//! How a profile samples.

/// How a profile samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProfileOptions {
    /// The share of the late moves that is sampled, 0 to 1. Reading the rules and facts of a move costs time, most of all
    /// with a policy of many rules: an unobserved search skips rules that cannot change the reduction any more.
    pub rate: f64,
    /// The seed of the random sample.
    pub seed: u64,
}

impl Default for ProfileOptions {
    fn default() -> Self {
        Self { rate: 1.0, seed: 1 }
    }
}
