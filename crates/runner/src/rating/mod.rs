//! Games of PGN files, read for ratings: who played whom, and how it ended.
//!
//! [`collector`] makes games and pairs of the tags of PGN files; [`rating_table`] is what `lmrlab rate` shows.

pub mod collector;
pub mod rating_table;
