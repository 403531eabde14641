//! The search stack: what each ply of the current line keeps.

use arrayvec::ArrayVec;
use cozy_chess::Move;

use crate::depth::Ply;
use crate::history::move_key::PieceTo;
use crate::score::Score;

/// A principal variation; as long as the search can be deep.
pub(crate) type PrincipalVariation = ArrayVec<Move, { Ply::MAX.index() + 1 }>;

/// What is kept of a ply of the line that is being searched.
#[derive(Debug, Clone)]
pub(crate) struct StackEntry {
    /// Static evaluation for the side to move; `None` when it is in check.
    pub(crate) static_eval: Option<Score>,
    /// The static evaluation without correction.
    pub(crate) raw_eval: Option<Score>,
    /// The move that a singular search leaves out.
    pub(crate) excluded: Option<Move>,
    /// Whether the move that led here captured something.
    pub(crate) captured: bool,
    /// The move that led here, as histories index it; `None` at the root and after a null move.
    pub(crate) piece_to: Option<PieceTo>,
    /// The same move.
    pub(crate) mv: Option<Move>,
    /// Plies by which that move was reduced.
    pub(crate) reduction: i32,
    /// Its number among the moves of the node before, from 1; 0 at the root and after a null move.
    pub(crate) move_number: u32,
    /// Beta cutoffs at this ply since the node two plies before was entered.
    pub(crate) cutoffs: u32,
    /// The move that last reached beta at this ply.
    pub(crate) refutation: Option<Move>,
    /// The principal variation from here on.
    pub(crate) pv: PrincipalVariation,
}

impl StackEntry {
    pub(crate) const EMPTY: Self = Self {
        static_eval: None,
        raw_eval: None,
        excluded: None,
        captured: false,
        piece_to: None,
        mv: None,
        reduction: 0,
        move_number: 0,
        cutoffs: 0,
        refutation: None,
        pv: PrincipalVariation::new_const(),
    };
}
