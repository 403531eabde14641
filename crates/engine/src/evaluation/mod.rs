//! The static evaluation, as a sum of parts that can be asked for one by one.
//!
//! It is written once and generic over who listens: a search evaluates with nobody listening, the [parts] and the
//! [coefficients](coefficients::Coefficients) that tuning needs come from listeners.
//!
//! The terms are the field's common ones: tapered between two phases, with mobility, pawn structure, passed pawns, a
//! squared sum of attack units against the king, and threats (see the Chess Programming Wiki's pages of those names).
//! The weights are fitted to games of this project's engine; the head of `weights.rs` says how.

mod cache;
pub mod coefficients;
mod endgame;
mod geometry;
mod pawns;
mod sides;
mod tapered;
pub mod terms;
mod trace;
mod weights;

use cozy_chess::{BitBoard, Color, Piece, Square};

pub(crate) use self::cache::EvaluationCache;
pub(crate) use self::geometry::{distance, passed_pawn_span, pawn_attacks_of};
pub use self::sides::DANGER_DIVISOR;
pub(crate) use self::tapered::phase_weight;
pub use self::tapered::{FULL_PHASE, Tapered};

use self::coefficients::Groups;
use self::pawns::Pawns;
use self::sides::Sides;
use self::terms::{Group, KNIGHT_SQUARE, MATERIAL, PAWN_SQUARE, TEMPO};
use self::trace::Trace;
use self::weights::WEIGHTS;
use crate::position::Position;
use crate::score::Score;
use crate::search_parameters::EvaluationTerms;

/// The parts of an evaluation, in centipawns, from the side to move's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Parts {
    /// What the pieces are worth, wherever they stand.
    pub material: i32,
    /// What their squares are worth.
    pub piece_square: i32,
    /// Doubled, isolated, backward, defended pawns, and pawns side by side.
    pub pawn_structure: i32,
    /// Passed pawns.
    pub passed_pawns: i32,
    /// Mobility, the bishop pair, outposts, rooks on files, threats, space.
    pub activity: i32,
    /// Shelter of and attacks on the kings.
    pub king_safety: i32,
    /// The right to move.
    pub tempo: i32,
}

/// Evaluates a position for the side to move. The cache makes it faster and changes nothing.
pub(crate) fn evaluate(
    position: &Position,
    terms: EvaluationTerms,
    cache: &mut EvaluationCache,
) -> Score {
    if terms == EvaluationTerms::PieceSquare {
        return piece_square_score(position);
    }
    cache.score(position, |cache| {
        let pawns = cache.entry(position);
        let total = position.placement + beyond_placement(position, pawns, &mut ());
        finish(position, total, position.side_to_move())
    })
}

/// Evaluates a position for the side to move, where there is no cache at hand. The result is the same.
pub(crate) fn evaluate_uncached(position: &Position, terms: EvaluationTerms) -> Score {
    if terms == EvaluationTerms::PieceSquare {
        return piece_square_score(position);
    }
    let us = position.side_to_move();
    finish(position, traced(position, &mut ()), us)
}

fn piece_square_score(position: &Position) -> Score {
    finish(position, position.placement, position.side_to_move())
}

/// The sum of all terms from White's point of view, told to `trace`.
fn traced<T: Trace>(position: &Position, trace: &mut T) -> Tapered {
    if T::LISTENS {
        tell_placement(position, trace);
    }
    let mut pawns = Pawns::of(position, trace);
    position.placement + beyond_placement(position, &mut pawns, trace)
}

#[inline]
fn beyond_placement<T: Trace>(position: &Position, pawns: &mut Pawns, trace: &mut T) -> Tapered {
    let us = position.side_to_move();
    let tempo = weight(trace, us, TEMPO, 1);
    let shelter =
        pawns.shelter(position, Color::White, trace) - pawns.shelter(position, Color::Black, trace);
    let pieces = Sides::balance(position, pawns, trace);
    let tempo = if us == Color::White { tempo } else { -tempo };
    pawns.score + shelter + pieces + tempo
}

/// The score of a sum of terms, for the side to move.
#[inline]
fn finish(position: &Position, total: Tapered, us: Color) -> Score {
    let sum = total.blend(position.phase);
    let white =
        sum * endgame::scale(position, sum) / endgame::FULL_SCALE + endgame::drive_home(position);
    Score::centipawns(relative(white, us))
}

/// A weight so many times, told to `trace`.
#[inline(always)]
fn weight<T: Trace>(trace: &mut T, color: Color, index: usize, count: i32) -> Tapered {
    trace.add(color, index, count);
    WEIGHTS[index] * count
}

/// Tells the weights that a position carries along in its running sum.
fn tell_placement<T: Trace>(position: &Position, trace: &mut T) {
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

/// The parts of the full evaluation. Their sum differs from the score that the search sees by rounding, and by the
/// scaling of endgames that are hard to win.
pub fn parts(position: &Position) -> Parts {
    let groups = groups(position);
    let value = |part: Group| {
        let balance = groups.of(part, Color::White) - groups.of(part, Color::Black);
        relative(balance.blend(position.phase), position.side_to_move())
    };
    Parts {
        material: value(Group::Material),
        piece_square: value(Group::PieceSquare),
        pawn_structure: value(Group::PawnStructure),
        passed_pawns: value(Group::PassedPawns),
        activity: value(Group::Activity),
        king_safety: value(Group::Shelter) + value(Group::Danger),
        tempo: value(Group::Tempo),
    }
}

/// One side's own parts of the full evaluation, in centipawns: what the other side has is not taken off. Material,
/// squares and tempo, which are only known as a balance, are left at 0.
pub(crate) fn parts_of(position: &Position, color: Color) -> Parts {
    let groups = groups(position);
    let value = |part: Group| groups.of(part, color).blend(position.phase);
    let danger = groups.of(Group::Danger, !color).blend(position.phase);
    Parts {
        pawn_structure: value(Group::PawnStructure),
        passed_pawns: value(Group::PassedPawns),
        activity: value(Group::Activity),
        king_safety: value(Group::Shelter) - danger,
        ..Parts::default()
    }
}

fn groups(position: &Position) -> Groups {
    let mut groups = Groups::default();
    traced(position, &mut groups);
    groups
}

/// The material balance for the side to move, in centipawns.
pub(crate) fn material_balance(position: &Position) -> i32 {
    let mut sum = Tapered::ZERO;
    for piece in [
        Piece::Pawn,
        Piece::Knight,
        Piece::Bishop,
        Piece::Rook,
        Piece::Queen,
    ] {
        let count = position.pieces(Color::White, piece).len() as i32
            - position.pieces(Color::Black, piece).len() as i32;
        sum += WEIGHTS[MATERIAL + piece as usize] * count;
    }
    relative(sum.blend(position.phase), position.side_to_move())
}

/// What a piece gains by moving between two squares, in centipawns.
pub(crate) fn piece_square_gain(
    position: &Position,
    piece: Piece,
    from: Square,
    to: Square,
) -> i32 {
    let color = position.side_to_move();
    let gain = piece_square(color, piece, to) - piece_square(color, piece, from);
    relative(gain.blend(position.phase), color)
}

/// The squares that the pawns of a side attack.
pub(crate) fn pawn_attacks(position: &Position, color: Color) -> BitBoard {
    pawn_attacks_of(position.pieces(color, Piece::Pawn), color)
}

#[inline]
fn relative(white: i32, side: Color) -> i32 {
    match side {
        Color::White => white,
        Color::Black => -white,
    }
}

/// Index of the weight of a piece on a square.
const fn square_weight(color: Color, piece: Piece, square: Square) -> usize {
    let from_below = match color {
        Color::White => square as usize,
        Color::Black => square as usize ^ 56,
    };
    let (rank, file) = (from_below / 8, from_below % 8);
    let half = if file < 4 { file } else { 7 - file };
    let table = KNIGHT_SQUARE - PAWN_SQUARE;
    PAWN_SQUARE + piece as usize * table + 4 * rank + half
}

/// Material and square of a piece, from White's point of view, for White and for Black.
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

/// Material and square of a piece, from White's point of view.
#[inline]
pub(crate) fn piece_square(color: Color, piece: Piece, square: Square) -> Tapered {
    PIECE_SQUARE[color as usize][piece as usize][square as usize]
}

#[cfg(test)]
mod tests;
