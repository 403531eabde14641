//! What an idea is worth in an engine that was not measured: a matrix of matches over surroundings and budgets, and the
//! prediction that follows from it.
//!
//! A [`Surrounding`] is a search preset with a transposition table, a budget a number of nodes a move. [`Experiment`] plays pairs
//! of games in the cells, where they narrow the prediction most; [`Matrix`] counts them; [`Verdict`] is what they say, by the
//! [regression](lmrlab_stats::meta) of the cells.

mod experiment;
mod matrix;
pub(crate) mod meeting;
mod sheet;
mod slope_prior;
mod surrounding;
mod verdict;

pub use self::experiment::Experiment;
pub use self::matrix::{Matrix, MatrixCell};
#[cfg(test)]
pub(crate) use self::slope_prior::OF_RECORD;
pub use self::slope_prior::SlopePrior;
pub(crate) use self::surrounding::families;
pub use self::surrounding::{Surrounding, SurroundingName, split_list};
pub use self::verdict::{LONG_TIME_CONTROL, Question, Verdict};

/// The surroundings that stand for the engines of the world: searches by their era, and that of today without one feature.
pub const SURROUNDINGS: [&str; 13] = [
    "minimal",
    "mediocre-2007",
    "micromax-4",
    "rebel",
    "madchess-2015",
    "fruit-2005",
    "standard",
    "standard@-null_move",
    "standard@-late_move_pruning",
    "standard@-history,-continuation_history",
    "standard@-see_pruning,-quiescence_see_pruning,-losing_captures_last",
    "standard@-killers",
    "standard@hash=1",
];

/// The budgets, in nodes a move.
pub const BUDGETS: [u64; 4] = [1_000, 4_000, 16_000, 64_000];

/// Surroundings at least: an interval needs as many.
pub const LEAST_SURROUNDINGS: usize = 3;
