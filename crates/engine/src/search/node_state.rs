//! The state of a node that the parts of its search share.

use arrayvec::ArrayVec;
use cozy_chess::Move;

use super::window::Window;
use crate::depth::{Depth, Ply};
use crate::history::context::HistoryContext;
use crate::score::Score;
use crate::transposition::TableEntry;

/// The state of a node while its moves are searched.
#[derive(Debug)]
pub(super) struct Node {
    pub(super) depth: Depth,
    pub(super) ply: Ply,
    /// The window; alpha rises with the best score.
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
    /// The number of legal moves; 0 unless the policy, an extension or the observer reads it.
    pub(super) legal_moves: u32,
    pub(super) moves_searched: u32,
    pub(super) quiets_seen: u32,
    /// The number of moves that have raised alpha.
    pub(super) alpha_raises: u32,
    pub(super) best_changes: u32,
    /// Whether the null move's search found a mate against the side to move.
    pub(super) null_mate: bool,
    /// The refutation of the null move.
    pub(super) null_refutation: Option<Move>,
    /// The context that indexes the histories of quiet moves.
    pub(super) context: HistoryContext,
}

impl Node {
    /// The best score so far, which can be below alpha; the alpha of the start before any score is known.
    pub(super) fn best_so_far(&self) -> Score {
        match self.best_score == Score::MINUS_INFINITE {
            true => self.original_alpha,
            false => self.best_score,
        }
    }
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct MoveToSearch {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) captures: bool,
    pub(super) killer: bool,
    /// The extension before any reduction, in plies; negative for a shallower search.
    pub(super) extension: i32,
}

/// The result of the reduced search of a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct ReducedSearch {
    pub(super) score: Score,
    /// Its reduction, in plies.
    pub(super) reduction: i32,
}

/// The moves of a node that were searched without a cutoff, for the malus of the histories. Further ones are dropped.
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
