//! The static evaluation.
//!
//! It is written once, generic over a trace: the search evaluates without one; the parts of an evaluation are a trace.
//!
//! The terms are the field's common ones: tapered between two phases, with mobility, pawn structure, passed pawns, a
//! squared sum of attack units against the king, and threats (see the Chess Programming Wiki's pages of those names).
//! The weights were fitted to games of this project's engine; crates/engine/README.md says how.

mod endgame;
mod evaluate;
mod geometry;
mod memory;
mod parts;
mod pawns;
mod sides;
mod trace;

pub(crate) use self::evaluate::{evaluate, evaluate_alone, material_balance, piece_square_gain};
pub(crate) use self::geometry::{distance, passed_pawn_span, pawn_attacks_of};
pub(crate) use self::memory::EvaluationMemory;
pub(crate) use self::parts::{king_safety, passed_pawns};
pub(crate) use crate::weights::FULL_PHASE;

#[cfg(test)]
mod tests;
