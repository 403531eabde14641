//! What is known of the trend of an idea before any game.

use lmrlab_stats::meta::{Cell, MetaError, MetaRegression, Spread};

/// How much the trends of ideas differ in the public record (results/published/record), in Elo for each factor of e of the nodes, and
/// the effect from which on they differ more. The other numbers play no part. A test of `record` says when the published cells have
/// moved away from them.
pub(crate) const OF_RECORD: Spread = Spread {
    slope: 0.83,
    size: 11.0,
    ..Spread::PRIOR
};

/// What is known of the slope, the change of the effect for each factor of e of the nodes, before any game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum SlopePrior {
    /// It is normal around 0, as in the public record: the more an idea is worth, the larger its slope may be. When the games show
    /// a slope that is larger than that, it is normal with a standard deviation of which that slope is typical: then they decide,
    /// and what lies far beyond their budgets is as uncertain as it is.
    Record,
    /// It is normal around 0 with this standard deviation, which is positive.
    Deviation(f64),
    /// Nothing.
    Unknown,
}

impl SlopePrior {
    /// The standard deviation for these effects; `None` when nothing is known.
    ///
    /// # Errors
    /// When the effects do not suffice for a mean.
    pub(super) fn deviation(self, effects: &[Cell]) -> Result<Option<f64>, MetaError> {
        Ok(match self {
            Self::Record => {
                let free = MetaRegression::fit(effects)?;
                let usual = OF_RECORD.of_effect(free.mean().value).slope;
                Some(usual.max(free.slope_beyond_chance()))
            }
            Self::Deviation(deviation) => Some(deviation),
            Self::Unknown => None,
        })
    }
}
