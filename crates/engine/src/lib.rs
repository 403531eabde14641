//! An alpha-beta chess engine whose late move reductions come from a policy file.
//!
//! The engine prints nothing and reads nothing but what it is given: a game, limits, a preset and a policy go in, a move
//! with its score comes out. What happens in between is told to an observer.

pub mod depth;
pub mod game;
pub mod limits;
pub mod position;
pub mod score;
mod weights;
