//! Games of PGN files, read for ratings: the two players, and the result.
//!
//! [`collector`] makes games and pairs of the tags of PGN files; [`outcome`] is what `lmrlab rate` shows.

pub mod collector;
pub mod outcome;
