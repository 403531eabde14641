//! The indices of history tables.

use cozy_chess::{Color, Move, Piece, Square};
use lmrlab_policy::history::Index;

use crate::position::Position;

/// A moved piece and its destination: the index of piece-to and continuation histories.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceTo {
    pub(crate) color: Color,
    pub(crate) piece: Piece,
    pub(crate) to: Square,
}

impl PieceTo {
    /// The number of keys.
    pub(crate) const COUNT: usize = 2 * Piece::NUM * Square::NUM;

    /// The mover and the destination of a move.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        Self {
            color: position.side_to_move(),
            piece: position.piece_on(mv.from).unwrap_or(Piece::Pawn),
            to: mv.to,
        }
    }

    #[inline]
    pub(crate) fn index(self) -> usize {
        (self.color as usize * Piece::NUM + self.piece as usize) * Square::NUM + self.to as usize
    }
}

/// The index of a move in any history table.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveKey {
    pub(crate) piece_to: PieceTo,
    from: Square,
    pub(crate) captured: Option<Piece>,
    /// The opponent's previous move, or another earlier one; `None` beyond the root and for a null move.
    pub(crate) previous: Option<PieceTo>,
}

impl MoveKey {
    #[inline]
    pub(crate) fn new(position: &Position, mv: Move, previous: Option<PieceTo>) -> Self {
        Self {
            piece_to: PieceTo::of(position, mv),
            from: mv.from,
            captured: position.captured(mv),
            previous,
        }
    }

    /// The same move after another earlier one.
    #[inline]
    pub(crate) fn after(&self, previous: Option<PieceTo>) -> Self {
        Self { previous, ..*self }
    }

    /// The index in a table of this kind.
    pub(crate) fn index(&self, index: Index) -> usize {
        match index {
            Index::PieceTo => self.piece_to.index(),
            Index::FromTo => {
                (self.piece_to.color as usize * Square::NUM + self.from as usize) * Square::NUM
                    + self.piece_to.to as usize
            }
        }
    }
}
