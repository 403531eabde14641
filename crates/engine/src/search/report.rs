//! The result of a search.

use std::time::Duration;

use cozy_chess::Move;

use crate::score::Score;

/// The result of a search.
#[derive(Debug, Clone)]
pub struct Report {
    /// The move to play; `None` when there is none (checkmate or stalemate).
    pub best: Option<Move>,
    /// Its score, for the side to move.
    pub score: Score,
    /// The depth of the last completed iteration, in plies; 1 when the first was stopped after it found a move.
    pub depth: u32,
    /// The furthest distance from the root, in plies.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time of the search.
    pub time: Duration,
    /// The principal variation, the best move first.
    pub pv: Vec<Move>,
}
