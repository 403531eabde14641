//! The search stack: one entry for each ply of the current line.

use arrayvec::ArrayVec;
use cozy_chess::{Color, Move};

use crate::depth::Ply;
use crate::history::move_key::PieceTo;
use crate::score::Score;

/// A principal variation, with room for the deepest search.
pub(crate) type PrincipalVariation = ArrayVec<Move, { Ply::MAX.index() + 1 }>;

/// The entry of one ply of the current line.
#[derive(Debug, Clone)]
pub(crate) struct StackEntry {
    /// Static evaluation for the side to move; `None` when it is in check.
    pub(crate) static_eval: Option<Score>,
    /// The static evaluation without correction.
    pub(crate) raw_eval: Option<Score>,
    /// The move that a singular search excludes.
    pub(crate) excluded: Option<Move>,
    /// The history index of the move that led here; `None` at the root and after a null move.
    pub(crate) piece_to: Option<PieceTo>,
    /// The move that led here; `None` at the root and after a null move.
    pub(crate) mv: Option<Move>,
    /// The reduction of that move, in plies.
    pub(crate) reduction: i32,
    /// Its number among the parent's moves, from 1; 0 at the root and after a null move.
    pub(crate) move_number: u32,
    /// The side that made the last null move of the line; `None` when there is none.
    pub(crate) null_mover: Option<Color>,
    /// Beta cutoffs at this ply since the search of the node two plies before began.
    pub(crate) cutoffs: u32,
    /// The last move that caused a beta cutoff at this ply.
    pub(crate) refutation: Option<Move>,
    /// The principal variation from this ply on.
    pub(crate) pv: PrincipalVariation,
}

impl StackEntry {
    pub(crate) const EMPTY: Self = Self {
        static_eval: None,
        raw_eval: None,
        excluded: None,
        piece_to: None,
        mv: None,
        reduction: 0,
        move_number: 0,
        null_mover: None,
        cutoffs: 0,
        refutation: None,
        pv: PrincipalVariation::new_const(),
    };
}
