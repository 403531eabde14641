//! The static evaluation: the sum of all terms, blended by phase and scaled.

use cozy_chess::{Color, Piece, Square};

use super::endgame;
use super::memory::EvaluationMemory;
use super::pawns::Pawns;
use super::sides::Sides;
use super::trace::{Trace, weight};
use crate::network::Network;
use crate::position::Position;
use crate::score::Score;
use crate::search_parameters::EvaluationMethod;
use crate::weights::terms::{MATERIAL, TEMPO};
use crate::weights::{Tapered, WEIGHTS, piece_square, square_weight};

/// Evaluates a position at a ply for the side to move. The tables in `memory` make it faster and change nothing.
pub(crate) fn evaluate(
    position: &Position,
    method: EvaluationMethod,
    memory: &mut EvaluationMemory,
    ply: usize,
) -> Score {
    let EvaluationMemory {
        scores,
        pawns,
        accumulators,
    } = memory;
    match method {
        EvaluationMethod::PieceSquare => finish(position, position.piece_square_sum),
        EvaluationMethod::Terms => scores.score(position, || {
            finish(position, terms(position, pawns.entry(position), &mut ()))
        }),
        EvaluationMethod::Network => scores.score(position, || {
            let structure = structure(position, pawns.entry(position), &mut ());
            finish_network(position, structure, accumulators.evaluate(position, ply))
        }),
    }
}

/// As [`evaluate`], without caches.
pub(crate) fn evaluate_alone(position: &Position, method: EvaluationMethod) -> Score {
    match method {
        EvaluationMethod::PieceSquare => finish(position, position.piece_square_sum),
        EvaluationMethod::Terms => finish(position, traced(position, &mut ())),
        EvaluationMethod::Network => {
            let structure = structure(position, &mut Pawns::of(position, &mut ()), &mut ());
            finish_network(position, structure, Network::standard().evaluate(position))
        }
    }
}

/// The sum of all terms from White's point of view, the piece squares one by one; every weight goes to `trace`.
pub(super) fn traced<T: Trace>(position: &Position, trace: &mut T) -> Tapered {
    if T::ACTIVE {
        trace_piece_square(position, trace);
    }
    terms(position, &mut Pawns::of(position, trace), trace)
}

/// The sum of all terms from White's point of view.
#[inline]
fn terms<T: Trace>(position: &Position, pawns: &mut Pawns, trace: &mut T) -> Tapered {
    let us = position.side_to_move();
    let tempo = weight(trace, us, TEMPO, 1);
    let structure = structure(position, pawns, trace);
    let pieces = Sides::balance(position, pawns, trace);
    structure + pieces + if us == Color::White { tempo } else { -tempo }
}

/// The terms that caches hold, from White's point of view: material, piece squares, pawn structure and king shelter.
#[inline]
fn structure<T: Trace>(position: &Position, pawns: &mut Pawns, trace: &mut T) -> Tapered {
    let shelter = pawns.shelter(position, Color::White, trace) - pawns.shelter(position, Color::Black, trace);
    position.piece_square_sum + pawns.score + shelter
}

/// The score of a sum of terms, for the side to move.
#[inline]
fn finish(position: &Position, total: Tapered) -> Score {
    with_endgames(position, total.blend(position.phase))
}

/// The score of the structure and an output of the network, for the side to move.
#[inline]
fn finish_network(position: &Position, structure: Tapered, output: i32) -> Score {
    let output = relative(output, position.side_to_move());
    with_endgames(position, structure.blend(position.phase) + output)
}

/// The score of an evaluation from White's point of view, after the endgame knowledge, for the side to move.
#[inline]
fn with_endgames(position: &Position, white: i32) -> Score {
    let white = white * endgame::scale(position, white) / endgame::FULL_SCALE + endgame::mop_up(position);
    Score::centipawns(relative(white, position.side_to_move()))
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
fn relative(white: i32, side: Color) -> i32 {
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
