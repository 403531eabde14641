//! Games of PGN files, read for ratings: who played whom, and how it ended.
//!
//! [`pgn`] finds the tags, [`collector`] makes games and pairs of them, [`table`] is what `lmrlab rate` shows.

pub mod collector;
pub mod pgn;
pub mod table;
