//! Endgame knowledge: scaling of drawish endgames, and mop-up evaluation against a bare king.

use cozy_chess::{BitBoard, Color, Piece, Square};

use super::geometry::distance;
use crate::position::Position;

/// The scale of an unscaled evaluation.
pub(super) const FULL_SCALE: i32 = 64;

/// The scale of the evaluation in 64ths, given the evaluation from White's point of view.
#[inline]
pub(super) fn scale(position: &Position, evaluation: i32) -> i32 {
    scale_for(position, if evaluation >= 0 { Color::White } else { Color::Black })
}

/// The scale of the evaluation in 64ths when `stronger` stands better. A side without pawns needs more than a minor piece
/// to win. Endgames with opposite-coloured bishops are drawish.
pub(super) fn scale_for(position: &Position, stronger: Color) -> i32 {
    let pawns = position.pieces(stronger, Piece::Pawn);
    if pawns.is_empty() {
        let count = |color, piece| position.pieces(color, piece).len() as i32;
        // Piece values in pawns.
        let worth = |color| {
            3 * (count(color, Piece::Knight) + count(color, Piece::Bishop))
                + 5 * count(color, Piece::Rook)
                + 9 * count(color, Piece::Queen)
        };
        let (own, enemy) = (worth(stronger), worth(!stronger));
        if own < 5 {
            return 0;
        }
        // Two knights cannot force mate against a bare king.
        if own == 6 && enemy == 0 && count(stronger, Piece::Knight) == 2 {
            return if position.pieces(!stronger, Piece::Pawn).is_empty() {
                0
            } else {
                8
            };
        }
        if own - enemy <= 3 {
            return 14;
        }
    }
    opposite_bishops(position, pawns)
}

fn opposite_bishops(position: &Position, pawns: BitBoard) -> i32 {
    let board = position.board();
    let bishops = board.pieces(Piece::Bishop);
    if bishops.len() != 2
        || position.pieces(Color::White, Piece::Bishop).len() != 1
        || (bishops & BitBoard::DARK_SQUARES).len() != 1
    {
        return FULL_SCALE;
    }
    let others = board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if others.is_empty() {
        (18 + 5 * pawns.len() as i32).min(FULL_SCALE)
    } else {
        (44 + 3 * pawns.len() as i32).min(FULL_SCALE)
    }
}

/// Mop-up evaluation against a bare king: drive it to the edge, or to a corner of the bishop's colour, and bring the own
/// king near. From White's point of view, in centipawns.
#[inline]
pub(super) fn mop_up(position: &Position) -> i32 {
    let board = position.board();
    let kings = board.pieces(Piece::King);
    if (board.colors(Color::Black) & !kings).is_empty() {
        mop_up_for(position, Color::White)
    } else if (board.colors(Color::White) & !kings).is_empty() {
        -mop_up_for(position, Color::Black)
    } else {
        0
    }
}

fn mop_up_for(position: &Position, winner: Color) -> i32 {
    let [knights, bishops, rooks, queens] =
        [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen].map(|piece| position.pieces(winner, piece));
    let one_colour = bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES);
    let heavy = !(rooks | queens).is_empty();
    let mates = heavy || !one_colour || (!bishops.is_empty() && !knights.is_empty());
    if !mates {
        return 0;
    }
    let (winning, losing) = (position.board().king(winner), position.board().king(!winner));
    let corner = if !heavy && one_colour {
        let (a, b) = if bishops.is_subset(BitBoard::DARK_SQUARES) {
            (Square::A1, Square::H8)
        } else {
            (Square::A8, Square::H1)
        };
        14 - 2 * steps(losing, a).min(steps(losing, b))
    } else {
        0
    };
    400 + 20 * from_centre(losing) + 20 * corner + 10 * (7 - distance(winning, losing))
}

/// Rank and file steps between two squares.
fn steps(a: Square, b: Square) -> i32 {
    (a.file() as i32 - b.file() as i32).abs() + (a.rank() as i32 - b.rank() as i32).abs()
}

/// Rank and file steps from the nearest of the four central squares: 0 to 6.
fn from_centre(square: Square) -> i32 {
    let away = |index: i32| (3 - index).max(index - 4);
    away(square.file() as i32) + away(square.rank() as i32)
}
