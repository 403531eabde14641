//! The judge: what a move is worth, by a deep search of that move alone.

use std::collections::HashMap;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;

use super::judged::{JudgedPosition, MOST_CENTIPAWNS};

/// The transposition table of a search, in MiB.
const HASH_MIB: u32 = 8;

/// The score of a move in centipawns, by a search of so many nodes.
///
/// The search is that of the preset `standard` without late move reductions: it has the blind spots of no policy that is
/// screened. Each move is searched from empty tables, so its score does not depend on what else was judged.
pub(super) fn judge(position: &Position, mv: Move, nodes: u64) -> i32 {
    let mut engine = Engine::new(Arc::new(Preset::default()), Arc::new(Policy::none()), HASH_MIB);
    let limits = Limits {
        search_moves: vec![mv],
        ..Limits::nodes(nodes)
    };
    let report = engine.search(&Game::new(position.clone()), &limits, &AtomicBool::new(false));
    report.score.get().clamp(-MOST_CENTIPAWNS, MOST_CENTIPAWNS)
}

/// The scores of moves that were not judged before. One judge serves all policies, so no move is searched twice.
#[derive(Debug, Clone, Default)]
pub struct Judge(Arc<Mutex<HashMap<(u64, Move), i32>>>);

impl Judge {
    /// The score of a move in centipawns: that of the file, or that of a search as those of the file.
    pub fn score(&self, position: &JudgedPosition, mv: Move) -> i32 {
        if let Some(score) = position.score(mv) {
            return score;
        }
        let key = (position.position.key(), mv);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&key).copied();
        known.unwrap_or_else(|| {
            // Two threads may search the same move; both find the same score.
            let score = judge(&position.position, mv, position.nodes);
            self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(key, score);
            score
        })
    }
}
