//! What history tables know a move by.

use cozy_chess::{Color, Move, Piece, Square};
use lmrlab_policy::history::Index;

use crate::position::Position;

/// A piece of a colour on a square: what a move puts where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Arrival {
    pub(crate) color: Color,
    pub(crate) piece: Piece,
    pub(crate) to: Square,
}

/// Number of different [`Arrival`]s.
pub(crate) const ARRIVALS: usize = 2 * Piece::NUM * Square::NUM;

impl Arrival {
    #[inline]
    pub(crate) fn index(self) -> usize {
        (self.color as usize * Piece::NUM + self.piece as usize) * Square::NUM + self.to as usize
    }
}

/// What history tables know a move by.
#[derive(Debug, Clone, Copy)]
pub(crate) struct MoveKey {
    pub(crate) arrival: Arrival,
    from: Square,
    pub(crate) captured: Option<Piece>,
    /// The move before, made by the other side; `None` at the root and after a null move.
    pub(crate) previous: Option<Arrival>,
}

impl MoveKey {
    #[inline]
    pub(crate) fn new(position: &Position, mv: Move, previous: Option<Arrival>) -> Self {
        Self {
            arrival: Arrival {
                color: position.side_to_move(),
                piece: position.piece_on(mv.from).unwrap_or(Piece::Pawn),
                to: mv.to,
            },
            from: mv.from,
            captured: position.captured(mv),
            previous,
        }
    }

    /// Its place in a table of this kind.
    pub(crate) fn index(&self, index: Index) -> usize {
        match index {
            Index::PieceTo => self.arrival.index(),
            Index::FromTo => {
                (self.arrival.color as usize * Square::NUM + self.from as usize) * Square::NUM
                    + self.arrival.to as usize
            }
        }
    }
}
