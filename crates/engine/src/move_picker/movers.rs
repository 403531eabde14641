//! Move generation by piece, in two steps: tactical moves first, the rest on demand.

use arrayvec::ArrayVec;
use cozy_chess::{BitBoard, Color, Move, Piece, PieceMoves, Rank, get_king_moves};

use crate::evaluation::pawn_attacks_of;
use crate::position::Position;

/// The greatest number of lists: sixteen pieces, two pawns that capture en passant, and captures by the king.
const MOST: usize = 20;

/// The moves generated so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Generated {
    Nothing,
    /// All moves but quiet ones of these pieces.
    AllBut(BitBoard),
    All,
}

/// Legal moves, by piece. No move is in two of the lists.
#[derive(Debug)]
pub(super) struct Movers {
    generated: Generated,
    list: ArrayVec<PieceMoves, MOST>,
}

impl Movers {
    /// Generates nothing yet.
    pub(super) fn new() -> Self {
        Self {
            generated: Generated::Nothing,
            list: ArrayVec::new(),
        }
    }

    /// Captures and promotions, with the quiet moves of the same pieces. Two kinds of quiet moves come later: those of
    /// the king, because their legality is slow to test, and those of pawns that cannot capture or promote.
    // Not inlined: the picker is called for every move, and this seldom has work to do.
    #[inline(never)]
    pub(super) fn tactical(&mut self, position: &Position) -> &[PieceMoves] {
        if self.generated == Generated::Nothing {
            let board = position.board();
            let us = position.side_to_move();
            let enemies = board.colors(!us);
            let active_pawns = pawn_attacks_of(enemies | en_passant_target(position, us), !us)
                | Rank::Seventh.relative_to(us).bitboard();
            let king = board.king(us);
            let later = king.bitboard() | (position.pieces(us, Piece::Pawn) & !active_pawns);
            board.generate_moves_for(!later, |moves| {
                self.list.push(moves);
                false
            });
            let mut captures = PieceMoves {
                piece: Piece::King,
                from: king,
                to: BitBoard::EMPTY,
            };
            for to in get_king_moves(king) & enemies {
                let capture = Move {
                    from: king,
                    to,
                    promotion: None,
                };
                if board.is_legal(capture) {
                    captures.to |= to.bitboard();
                }
            }
            if !captures.is_empty() {
                self.list.push(captures);
            }
            self.generated = Generated::AllBut(later);
        }
        &self.list
    }

    /// All moves.
    #[inline(never)]
    pub(super) fn all(&mut self, position: &Position) -> &[PieceMoves] {
        self.tactical(position);
        if let Generated::AllBut(later) = self.generated {
            let enemies = position.board().colors(!position.side_to_move());
            position.board().generate_moves_for(later, |mut moves| {
                moves.to &= !enemies;
                if !moves.is_empty() {
                    self.list.push(moves);
                }
                false
            });
            self.generated = Generated::All;
        }
        &self.list
    }
}

/// The square where a pawn can be captured en passant.
pub(super) fn en_passant_target(position: &Position, us: Color) -> BitBoard {
    match position.board().en_passant() {
        Some(file) => file.bitboard() & Rank::Sixth.relative_to(us).bitboard(),
        None => BitBoard::EMPTY,
    }
}
