//! Why effects cannot be regressed.

use std::fmt;

/// Why a regression is not possible.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MetaError {
    /// An effect or a covariate is not finite.
    NotFinite,
    /// The variance of a cell is not finite, or not above 0.
    Variance,
    /// There are fewer surroundings, or cells, than an interval needs.
    TooFew,
}

impl fmt::Display for MetaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NotFinite => "an effect or a covariate is not finite",
            Self::Variance => "the variance of a cell is not a positive number",
            Self::TooFew => {
                "a prediction needs three surroundings, and four when there is a trend and each has a single cell"
            }
        })
    }
}

impl std::error::Error for MetaError {}
