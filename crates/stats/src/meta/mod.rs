//! The mean of results that may differ beyond chance, and what to expect of the next one: random-effects meta-analysis.

mod random_effects;

pub use self::random_effects::{PredictionInterval, RandomEffectsMean, outliers};
