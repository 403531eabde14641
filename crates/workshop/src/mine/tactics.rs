//! Tactics: one move is clearly best, and short searches overlooked it.

use lmrlab_engine::limits::Limits;

use super::Found;
use super::searches::{Judge, With, legal_moves};
use crate::self_play::Visit;

/// With a second move above this, in centipawns, the side to move wins anyway.
const WON_ANYWAY: i32 = 250;

/// With no move above this, in centipawns, the side to move loses anyway.
const LOST_ANYWAY: i32 = -150;

/// Positions with fewer legal moves are skipped.
const LEAST_MOVES: usize = 4;

/// A search of so small a part of the nodes decides which positions are worth a closer look.
const QUICK_PART: u64 = 20;

/// The position of a game, if its best move is clear and changes the outcome, and if the player overlooked it and so does a
/// search with an empty transposition table.
pub(super) fn judge(judge: &mut Judge, visit: &Visit) -> Option<Found> {
    let position = &visit.position;
    if position.in_check() || legal_moves(position).len() < LEAST_MOVES {
        return None;
    }
    let quick = Limits::nodes((judge.nodes / QUICK_PART).max(1));
    let report = judge.search(With::Preset, position, &quick);
    if report.best == Some(visit.played) || report.score.get() < LOST_ANYWAY {
        return None;
    }
    let clear = judge.clearly_best(With::Preset, position, &[visit.played, report.best?])?;
    let matters = clear.second.get() <= WON_ANYWAY && clear.score.get() >= LOST_ANYWAY;
    matters.then(|| Found {
        position: position.clone(),
        best: clear.best,
        score: clear.score,
        second: clear.second,
        depth: None,
    })
}
