//! What the parts of a node's search share.

use arrayvec::ArrayVec;
use cozy_chess::Move;

use super::window::Window;
use crate::depth::{Depth, Ply};
use crate::history::continuation::ContinuationContext;
use crate::score::Score;
use crate::transposition::TableEntry;

/// A node while its moves are searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) depth: Depth,
    pub(super) ply: Ply,
    /// Grows as moves raise alpha.
    pub(super) window: Window,
    pub(super) original_alpha: Score,
    pub(super) best_score: Score,
    pub(super) expected_cut: bool,
    pub(super) in_check: bool,
    pub(super) improving: bool,
    /// Static evaluation minus that of two plies before, in centipawns; 0 when one of them is unknown.
    pub(super) improvement: i32,
    pub(super) after_null: bool,
    pub(super) static_eval: Score,
    pub(super) tt_entry: Option<TableEntry>,
    pub(super) tt_move: Option<Move>,
    pub(super) tt_move_captures: bool,
    /// Counted only when the policy or an extension asks for it; 0 otherwise.
    pub(super) legal_moves: u32,
    pub(super) moves_searched: u32,
    pub(super) quiets_seen: u32,
    pub(super) best_changes: u32,
    /// Whether the null move's search found a mate against the side to move.
    pub(super) null_mate: bool,
    /// What refuted the null move.
    pub(super) null_refutation: Option<Move>,
    /// The earlier moves that index the continuation histories.
    pub(super) context: ContinuationContext,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveToSearch {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) captures: bool,
    pub(super) killer: bool,
    /// Plies by which it is searched deeper than the rest, before any reduction; negative for shallower.
    pub(super) extension: i32,
}

/// The result of the reduced search of a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReducedSearch {
    pub(super) score: Score,
    /// Plies by which it was reduced.
    pub(super) reduction: i32,
}

/// The moves of a node that were searched and did not reach beta. The first so many are enough to
/// update the histories.
#[derive(Debug, Default)]
pub(super) struct SearchedMoves {
    pub(super) quiets: ArrayVec<Move, 64>,
    pub(super) captures: ArrayVec<Move, 32>,
}

impl SearchedMoves {
    #[inline]
    pub(super) fn push(&mut self, mv: Move, quiet: bool, captures: bool) {
        if quiet {
            let _ = self.quiets.try_push(mv);
        } else if captures {
            let _ = self.captures.try_push(mv);
        }
    }
}
