//! The move that a policy chooses within a budget of nodes.

use std::sync::atomic::AtomicBool;

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;

use super::judged::MOST_CENTIPAWNS;
use crate::variant::Variant;

/// The transposition table of a search, in MiB: so few nodes fill no larger one, and clearing it takes time.
const HASH_MIB: u32 = 1;

/// What a search chose.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Choice {
    /// The move.
    pub(crate) mv: Move,
    /// Its score in centipawns, by the search itself.
    pub(crate) score: i32,
    /// Completed iterations, in plies.
    pub(crate) depth: u32,
}

/// What a variant chooses in positions where there is a move, each searched from empty tables for so many nodes.
pub(crate) fn choices<'p>(
    variant: &Variant,
    positions: impl IntoIterator<Item = &'p Position>,
    nodes: u64,
) -> Vec<Option<Choice>> {
    let mut engine = Engine::new(variant.preset.clone(), variant.policy.clone(), HASH_MIB);
    let limits = Limits::nodes(nodes);
    let choose = |position: &Position| {
        engine.new_game();
        let report = engine.search(&Game::new(position.clone()), &limits, &AtomicBool::new(false));
        Some(Choice {
            mv: report.best?,
            score: report.score.get().clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS),
            depth: report.depth,
        })
    };
    positions.into_iter().map(choose).collect()
}
