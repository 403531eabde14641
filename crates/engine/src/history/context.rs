//! The context of quiet moves in the histories: the moves before the node, and the squares that the enemy attacks.

use std::cell::OnceCell;

use super::move_key::PieceTo;
use crate::position::Position;
use crate::threats::EnemyAttacks;

/// The distances of the earlier moves from the node, in plies.
pub(super) const DISTANCES: [usize; 3] = [1, 2, 4];

/// A node's earlier moves, which index continuation histories, and the squares that its enemy attacks.
#[derive(Debug, Clone, Default)]
pub(crate) struct HistoryContext {
    /// The moves at [`DISTANCES`]; `None` beyond the root and for null moves.
    pub(super) moves_before: [Option<PieceTo>; DISTANCES.len()],
    /// Computed on demand, because many nodes are cut off before their quiet moves.
    enemy_attacks: OnceCell<EnemyAttacks>,
}

impl HistoryContext {
    /// `move_before(n)` is the move n plies back, from 1.
    pub(crate) fn new(move_before: impl Fn(usize) -> Option<PieceTo>) -> Self {
        Self {
            moves_before: DISTANCES.map(move_before),
            enemy_attacks: OnceCell::new(),
        }
    }

    /// The previous move.
    pub(crate) fn previous(&self) -> Option<PieceTo> {
        self.moves_before[0]
    }

    /// The squares that the enemy attacks in the node's position.
    #[inline]
    pub(crate) fn enemy_attacks(&self, position: &Position) -> &EnemyAttacks {
        self.enemy_attacks.get_or_init(|| EnemyAttacks::of(position))
    }
}
