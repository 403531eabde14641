//! The static evaluation.
//!
//! It is written once, generic over a trace: the search evaluates without one; the [parts](parts()) and the
//! [coefficients](coefficients::Coefficients) for tuning are traces.
//!
//! The terms are the field's common ones: tapered between two phases, with mobility, pawn structure, passed pawns, a
//! squared sum of attack units against the king, and threats (see the Chess Programming Wiki's pages of those names).
//! The weights are fitted to games of this project's engine; the first lines of `weights/values.rs` say how.

pub mod coefficients;
mod endgame;
mod evaluate;
mod geometry;
mod memory;
mod parts;
mod pawns;
mod sides;
mod trace;

pub use self::evaluate::{endgame_scales, sum_of_structure, sum_of_terms};
pub(crate) use self::evaluate::{evaluate, evaluate_alone, material_balance, piece_square_gain};
pub(crate) use self::geometry::{distance, passed_pawn_span, pawn_attacks_of};
pub(crate) use self::memory::EvaluationMemory;
pub(crate) use self::parts::parts_of;
pub use self::parts::{Parts, parts};
pub use self::sides::DANGER_DIVISOR;
pub use crate::weights::{FULL_PHASE, terms};

#[cfg(test)]
mod tests;
