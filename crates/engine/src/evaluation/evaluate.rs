//! The static evaluation: the sum of all terms, blended by phase and scaled.

use cozy_chess::{Color, Piece, Square};

use super::cache::EvaluationCache;
use super::endgame;
use super::pawns::Pawns;
use super::sides::Sides;
use super::trace::{Trace, weight};
use crate::position::Position;
use crate::score::Score;
use crate::search_parameters::EvaluationTerms;
use crate::weights::terms::{MATERIAL, TEMPO};
use crate::weights::{Tapered, WEIGHTS, piece_square, square_weight};

/// Evaluates a position for the side to move. The cache makes it faster and changes nothing.
pub(crate) fn evaluate(position: &Position, terms: EvaluationTerms, cache: &mut EvaluationCache) -> Score {
    if terms == EvaluationTerms::PieceSquare {
        return piece_square_score(position);
    }
    cache.score(position, |cache| {
        let pawns = cache.entry(position);
        let total = position.piece_square_sum + other_terms(position, pawns, &mut ());
        finish(position, total, position.side_to_move())
    })
}

/// As [`evaluate`], without a cache.
pub(crate) fn evaluate_uncached(position: &Position, terms: EvaluationTerms) -> Score {
    if terms == EvaluationTerms::PieceSquare {
        return piece_square_score(position);
    }
    let us = position.side_to_move();
    finish(position, traced(position, &mut ()), us)
}

fn piece_square_score(position: &Position) -> Score {
    finish(position, position.piece_square_sum, position.side_to_move())
}

/// The sum of all terms from White's point of view; every weight goes to `trace`.
pub(super) fn traced<T: Trace>(position: &Position, trace: &mut T) -> Tapered {
    if T::ACTIVE {
        trace_piece_square(position, trace);
    }
    let mut pawns = Pawns::of(position, trace);
    position.piece_square_sum + other_terms(position, &mut pawns, trace)
}

#[inline]
fn other_terms<T: Trace>(position: &Position, pawns: &mut Pawns, trace: &mut T) -> Tapered {
    let us = position.side_to_move();
    let tempo = weight(trace, us, TEMPO, 1);
    let shelter = pawns.shelter(position, Color::White, trace) - pawns.shelter(position, Color::Black, trace);
    let pieces = Sides::balance(position, pawns, trace);
    let tempo = if us == Color::White { tempo } else { -tempo };
    pawns.score + shelter + pieces + tempo
}

/// The score of a sum of terms, for the side to move.
#[inline]
fn finish(position: &Position, total: Tapered, us: Color) -> Score {
    let sum = total.blend(position.phase);
    let white = sum * endgame::scale(position, sum) / endgame::FULL_SCALE + endgame::mop_up(position);
    Score::centipawns(relative(white, us))
}

/// Traces the weights of the position's incremental piece-square sum.
fn trace_piece_square<T: Trace>(position: &Position, trace: &mut T) {
    for color in Color::ALL {
        for piece in Piece::ALL {
            for square in position.pieces(color, piece) {
                if piece != Piece::King {
                    trace.add(color, MATERIAL + piece as usize, 1);
                }
                trace.add(color, square_weight(color, piece, square), 1);
            }
        }
    }
}

/// The material balance for the side to move, in centipawns.
pub(crate) fn material_balance(position: &Position) -> i32 {
    let mut sum = Tapered::ZERO;
    for piece in [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
        let count =
            position.pieces(Color::White, piece).len() as i32 - position.pieces(Color::Black, piece).len() as i32;
        sum += WEIGHTS[MATERIAL + piece as usize] * count;
    }
    relative(sum.blend(position.phase), position.side_to_move())
}

#[inline]
pub(super) fn relative(white: i32, side: Color) -> i32 {
    match side {
        Color::White => white,
        Color::Black => -white,
    }
}

/// The change of the piece-square value when a piece moves between two squares, in centipawns.
pub(crate) fn piece_square_gain(position: &Position, piece: Piece, from: Square, to: Square) -> i32 {
    let color = position.side_to_move();
    let gain = piece_square(color, piece, to) - piece_square(color, piece, from);
    relative(gain.blend(position.phase), color)
}
