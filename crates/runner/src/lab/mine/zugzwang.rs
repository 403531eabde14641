//! Zugzwang: the best line leads to a position in which the opponent would rather pass, and a search that lets it pass
//! (null move pruning) does not see how good the best move is.

use cozy_chess::{Color, Move, Piece};
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;

use super::Found;
use super::games::Visit;
use super::judge::{Judge, With};

/// Most pieces of a side beside king and pawns: with more, hardly anybody is in zugzwang.
const MOST_PIECES: u32 = 2;

/// Moves of the best line behind which the opponent may be in zugzwang.
const MOVES_AHEAD: usize = 4;

/// A search of so small a part of the nodes decides which positions are worth a closer look, and whether somebody would
/// rather pass.
const QUICK_PART: u64 = 10;

/// The position of a game, if its best move is clear, its line leads to a zugzwang, and null moves hide that.
pub(super) fn judge(judge: &mut Judge<'_>, visit: &Visit) -> Option<Found> {
    let position = &visit.position;
    if position.in_check() || !is_endgame(position) {
        return None;
    }
    let quick = Limits::nodes((judge.nodes / QUICK_PART).max(1));
    let without = judge.search(With::NoNullMove, position, &quick);
    let with = judge.search(With::BlindNullMove, position, &quick);
    let differs = without.best != with.best || (without.score - with.score).abs() >= judge.margin;
    if !differs {
        return None;
    }
    let clear = judge.clearly_best(With::NoNullMove, position)?;
    let middle = (clear.score.get() + clear.second.get()) / 2;
    let blind = judge.search(With::BlindNullMove, position, &Limits::nodes(judge.nodes));
    let sees = blind.best == Some(clear.best) && blind.score.get() > middle;
    if sees || !leads_to_zugzwang(judge, position, &clear.line) {
        return None;
    }
    Some(Found {
        position: position.clone(),
        best: clear.best,
        score: clear.score,
        second: clear.second,
    })
}

/// Whether the opponent of the side to move is in zugzwang after one of its first moves of this line.
fn leads_to_zugzwang(judge: &mut Judge<'_>, position: &Position, line: &[Move]) -> bool {
    let mut position = position.clone();
    for (ply, mv) in line.iter().take(2 * MOVES_AHEAD).enumerate() {
        if !position.board().is_legal(*mv) {
            return false;
        }
        position.play(*mv);
        if ply % 2 == 0 && would_rather_pass(judge, &position) {
            return true;
        }
    }
    false
}

/// Whether a side is in zugzwang: with another move of the opponent's it would stand better by the margin than with any
/// move of its own. Only where the search would make a null move: not in check, and not with pawns alone.
fn would_rather_pass(judge: &mut Judge<'_>, position: &Position) -> bool {
    if !position.has_pieces(position.side_to_move()) {
        return false;
    }
    let Some(passed) = position.pass() else {
        return false;
    };
    let limits = Limits::nodes((judge.nodes / QUICK_PART).max(1));
    let moving = judge.search(With::NoNullMove, position, &limits);
    if moving.best.is_none() {
        return false;
    }
    let passing = judge.search(With::NoNullMove, &passed, &limits);
    -passing.score - moving.score >= judge.margin
}

fn is_endgame(position: &Position) -> bool {
    Color::ALL.iter().all(|color| {
        let pieces = [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
        let count: u32 = pieces
            .iter()
            .map(|piece| position.pieces(*color, *piece).len())
            .sum();
        count <= MOST_PIECES
    })
}
