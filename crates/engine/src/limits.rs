//! The limits of a search: nodes, depth, time.

use std::time::Duration;

use cozy_chess::Move;

/// The limits of a search. The first one reached ends it. Without limits, only `stop` or the greatest depth
/// ends it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Limits {
    /// Nodes, quiescence included: the number of moves made. Exact.
    pub nodes: Option<u64>,
    /// Depth of the last iteration, in plies.
    pub depth: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Time for the rest of the game.
    pub clock: Option<Clock>,
    /// Time lost per move outside the search, on a clock; [`MOVE_OVERHEAD`] when `None`.
    pub move_overhead: Option<Duration>,
    /// Ends the search at a mate in at most this many moves, for either side.
    pub mate: Option<u32>,
    /// The root moves to search; all when empty.
    pub search_moves: Vec<Move>,
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Clock {
    /// Time left.
    pub remaining: Duration,
    /// Time added after each move.
    pub increment: Duration,
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// The default time lost per move outside the search: scheduling and communication.
pub const MOVE_OVERHEAD: Duration = Duration::from_millis(10);

impl Limits {
    /// A node limit only.
    pub fn nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }

    /// A depth limit only.
    pub fn depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }
}
