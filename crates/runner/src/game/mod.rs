//! One game: what the players may spend, how it is played, when it is adjudicated, and what it came to.

pub mod adjudication;
pub mod limit;
pub mod pair;
pub mod play;

pub use lmrlab_results::outcome;
