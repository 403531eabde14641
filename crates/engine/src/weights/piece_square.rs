//! Piece-square tables with the piece values included.

use cozy_chess::{Color, Piece, Square};

use super::tapered::Tapered;
use super::terms::{KNIGHT_SQUARE, MATERIAL, PAWN_SQUARE};
use super::values::WEIGHTS;

/// Index of the weight of a piece on a square.
pub(crate) const fn square_weight(color: Color, piece: Piece, square: Square) -> usize {
    let from_below = match color {
        Color::White => square as usize,
        Color::Black => square as usize ^ 56,
    };
    let (rank, file) = (from_below / 8, from_below % 8);
    let half = if file < 4 { file } else { 7 - file };
    let table = KNIGHT_SQUARE - PAWN_SQUARE;
    PAWN_SQUARE + piece as usize * table + 4 * rank + half
}

/// The values by colour, piece and square, from White's point of view.
static PIECE_SQUARE: [[[Tapered; Square::NUM]; Piece::NUM]; Color::NUM] = {
    let mut table = [[[Tapered::ZERO; Square::NUM]; Piece::NUM]; Color::NUM];
    let mut piece = 0;
    while piece < Piece::NUM {
        let material = if piece < Piece::King as usize {
            WEIGHTS[MATERIAL + piece]
        } else {
            Tapered::ZERO
        };
        let mut index = 0;
        while index < Square::NUM {
            let square = Square::index_const(index);
            let white = square_weight(Color::White, Piece::index_const(piece), square);
            let value = material.plus(WEIGHTS[white]);
            table[0][piece][index] = value;
            table[1][piece][index ^ 56] = value.negated();
            index += 1;
        }
        piece += 1;
    }
    table
};

/// The value of a piece on a square, from White's point of view.
#[inline]
pub(crate) fn piece_square(color: Color, piece: Piece, square: Square) -> Tapered {
    PIECE_SQUARE[color as usize][piece as usize][square as usize]
}
