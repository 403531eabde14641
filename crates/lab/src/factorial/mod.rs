//! Full factorial experiments: every combination of search features and of reductions, on or off.
//!
//! Source: Box, Hunter, Hunter, *Statistics for Experimenters*, 1978.

mod design;
mod effects;

pub use design::{Cell, Factor, cells};
pub use effects::{Effect, EffectKind, Effects, Levels, elo_effects, node_effects};
