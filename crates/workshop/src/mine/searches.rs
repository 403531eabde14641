//! The searches that judge a position. They reduce no move.

use std::sync::Arc;

use cozy_chess::Move;
use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::score::Score;
use lmrlab_policy::Policy;

use crate::self_play::NEVER;

/// The transposition table of a search, in MiB.
const HASH_MIB: u32 = 8;

/// Searches positions, each from a cleared memory.
pub(super) struct Judge {
    /// With the preset as it is.
    plain: Engine,
    /// Without null moves.
    without_null_move: Engine,
    /// With null moves that nothing verifies.
    blind: Engine,
    /// Nodes of a search.
    pub(super) nodes: u64,
    /// What makes a move clearly better than another, in centipawns.
    pub(super) margin: i32,
}

/// Which search of the judge's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum With {
    /// The preset as it is.
    Preset,
    /// No null moves.
    NoNullMove,
    /// Null moves that nothing verifies.
    BlindNullMove,
}

/// The best move, and how much better it is than the second.
#[derive(Debug, Clone)]
pub(super) struct Clear {
    pub(super) best: Move,
    pub(super) score: Score,
    pub(super) second: Score,
}

impl Judge {
    pub(super) fn new(preset: &Arc<Preset>, nodes: u64, margin: i32) -> Self {
        let engine = |null_move: bool, verification: i32| {
            let mut preset = (**preset).clone();
            preset.parameters.null_move = null_move;
            preset.parameters.null_move_verification_depth = verification;
            Engine::new(Arc::new(preset), Arc::new(Policy::none()), HASH_MIB)
        };
        let parameters = &preset.parameters;
        Self {
            plain: engine(parameters.null_move, parameters.null_move_verification_depth),
            without_null_move: engine(false, 0),
            blind: engine(true, 0),
            nodes,
            margin,
        }
    }

    pub(super) fn search(&mut self, with: With, position: &Position, limits: &Limits) -> Report {
        let engine = match with {
            With::Preset => &mut self.plain,
            With::NoNullMove => &mut self.without_null_move,
            With::BlindNullMove => &mut self.blind,
        };
        engine.new_game();
        engine.search(&Game::new(position.clone()), limits, &NEVER)
    }

    /// The score of the best move but this one; `None` when it is the only one.
    pub(super) fn second(&mut self, with: With, position: &Position, best: Move, nodes: u64) -> Option<Score> {
        let others: Vec<Move> = legal_moves(position).into_iter().filter(|mv| *mv != best).collect();
        if others.is_empty() {
            return None;
        }
        let limits = Limits {
            search_moves: others,
            ..Limits::nodes(nodes)
        };
        Some(self.search(with, position, &limits).score)
    }

    /// The best move, if it is better than any other by the margin, and a search four times as long agrees. `None` when it is
    /// one of the moves `known`.
    pub(super) fn clearly_best(&mut self, with: With, position: &Position, known: &[Move]) -> Option<Clear> {
        let report = self.search(with, position, &Limits::nodes(self.nodes));
        let best = report.best.filter(|best| !known.contains(best))?;
        let second = self.second(with, position, best, self.nodes)?;
        if report.score - second < self.margin {
            return None;
        }
        let again = self.search(with, position, &Limits::nodes(4 * self.nodes));
        (again.best == Some(best) && again.score - second >= self.margin).then_some(Clear {
            best,
            score: again.score,
            second,
        })
    }
}

/// The legal moves of a position.
pub(super) fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.board().generate_moves(|found| {
        moves.extend(found);
        false
    });
    moves
}
