//! Reading PGN. [`tokenizer`] reads all of a game, or skips the moves; [`game_tags`] reads what matters for ratings.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, import format:
//! sections 5 (comments), 6 (escape), 7 (tokens) and 8 (games).

mod boundary;
pub mod game_tags;
pub mod tag;
pub mod tokenizer;

pub use boundary::Boundary;
