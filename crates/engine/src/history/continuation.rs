//! Which earlier moves continuation histories look at.

use super::move_key::PieceTo;

/// Which of the moves before a node its continuation histories look at: so many plies back.
pub(super) const DISTANCES: [usize; 3] = [1, 2, 4];

/// The earlier moves that index a node's continuation histories.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContinuationContext {
    /// Of the moves that many plies back; `None` beyond the root and for null moves.
    pub(super) moves_before: [Option<PieceTo>; DISTANCES.len()],
}

impl ContinuationContext {
    /// `move_before(n)` is the move n plies back, from 1.
    pub(crate) fn new(move_before: impl Fn(usize) -> Option<PieceTo>) -> Self {
        Self {
            moves_before: DISTANCES.map(move_before),
        }
    }

    /// The move before.
    pub(crate) fn previous(&self) -> Option<PieceTo> {
        self.moves_before[0]
    }
}
