//! Reading PGN. [`tokenizer`] reads all of a game; [`game_tags`] reads only the tags and passes over the moves at the speed
//! of memory.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, import format:
//! sections 5 (comments), 6 (escape), 7 (tokens) and 8 (games).

pub mod game_tags;
pub mod tokenizer;
