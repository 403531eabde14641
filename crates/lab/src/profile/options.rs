//! How a profile samples.

/// How a profile samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProfileOptions {
    /// The share of the late moves whose rules and facts are read, 0 to 1. Reading them costs time, most of all with a
    /// policy of many rules, whose searches leave out what cannot change a reduction any more.
    pub rate: f64,
    /// What the sample is drawn with.
    pub seed: u64,
}

impl Default for ProfileOptions {
    fn default() -> Self {
        Self { rate: 1.0, seed: 1 }
    }
}
