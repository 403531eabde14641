//! The earlier moves that index continuation histories.

use super::move_key::PieceTo;

/// The distances of these moves from the node, in plies.
pub(super) const DISTANCES: [usize; 3] = [1, 2, 4];

/// The earlier moves that index a node's continuation histories.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ContinuationContext {
    /// The moves at [`DISTANCES`]; `None` beyond the root and for null moves.
    pub(super) moves_before: [Option<PieceTo>; DISTANCES.len()],
}

impl ContinuationContext {
    /// `move_before(n)` is the move n plies back, from 1.
    pub(crate) fn new(move_before: impl Fn(usize) -> Option<PieceTo>) -> Self {
        Self {
            moves_before: DISTANCES.map(move_before),
        }
    }

    /// The previous move.
    pub(crate) fn previous(&self) -> Option<PieceTo> {
        self.moves_before[0]
    }
}
