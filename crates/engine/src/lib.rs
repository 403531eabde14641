//! An alpha-beta chess engine whose late move reductions come from a policy file.
//!
//! The engine prints nothing and reads nothing but what it is given: a game, limits, a preset and a policy go in, a move
//! with its score comes out. What happens in between is told to an observer.

pub mod bench;
mod checks;
mod correction;
pub mod depth;
pub mod engine;
pub mod evaluation;
pub mod exchange;
pub mod game;
mod gravity;
mod history;
mod keys;
pub mod limits;
mod move_key;
mod move_picker;
mod ordering;
mod pages;
pub mod perft;
mod policy_history;
pub mod position;
pub mod preset;
#[cfg(test)]
mod random_games;
pub mod reductions;
pub mod score;
pub mod search;
pub mod search_parameters;
mod threats;
mod transposition;
