//! Tactics: a move that short searches overlooked is clearly the best.

use lmrlab_engine::limits::Limits;

use super::found::Found;
use super::games::Visit;
use super::judge::{Judge, With, legal_moves};

/// Whoever has a second move with more than this, in centipawns, wins anyhow.
const WON_ANYHOW: i32 = 250;

/// Whoever has nothing better than this is lost anyhow.
const LOST_ANYHOW: i32 = -150;

/// Fewer legal moves are no choice.
const LEAST_MOVES: usize = 4;

/// A search of so small a part of the nodes decides which positions are worth a closer look.
const QUICK_PART: u64 = 20;

/// The position of a game, if its best move is clear, was overlooked by the player and by a search that remembers nothing, and
/// changes what the game comes to.
pub(super) fn judge(judge: &mut Judge<'_>, visit: &Visit) -> Option<Found> {
    let position = &visit.position;
    if position.in_check() || legal_moves(position).len() < LEAST_MOVES {
        return None;
    }
    let quick = Limits::nodes((judge.nodes / QUICK_PART).max(1));
    let report = judge.search(With::Preset, position, &quick);
    if report.best == Some(visit.played) || report.score.get() < LOST_ANYHOW {
        return None;
    }
    let overlooked = [Some(visit.played), report.best];
    let clear = judge.clearly_best_but(With::Preset, position, &overlooked)?;
    let matters = clear.second.get() <= WON_ANYHOW && clear.score.get() >= LOST_ANYHOW;
    matters.then(|| Found {
        position: position.clone(),
        best: clear.best,
        score: clear.score,
        second: clear.second,
        depth: None,
    })
}
