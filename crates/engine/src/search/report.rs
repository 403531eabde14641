//! What a search found.

use std::time::Duration;

use cozy_chess::Move;

use crate::score::Score;

/// What a search found.
#[derive(Debug, Clone)]
pub struct Report {
    /// The move to play; `None` when there is none (checkmate or stalemate).
    pub best: Option<Move>,
    /// Its score, for the side to move.
    pub score: Score,
    /// The last iteration that was begun and found a move, in plies.
    pub depth: u32,
    /// The furthest distance from the root, in plies.
    pub seldepth: u32,
    /// Moves made.
    pub nodes: u64,
    /// Time that it took.
    pub time: Duration,
    /// The principal variation, the best move first.
    pub pv: Vec<Move>,
}
