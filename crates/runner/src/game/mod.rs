//! One game: what the players may spend, how it is played, when it is adjudicated, and its outcome.

pub mod adjudication;
pub mod limit;
pub mod play;
pub mod tablebases;
