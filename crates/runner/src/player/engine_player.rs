//! The project's own engine as a player, in this process.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lmrlab_engine::engine::Engine;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;

use super::fault::Fault;
use super::turn::{ChosenMove, Player, Seat, Turn};

/// The project's own engine, in this process.
pub struct EnginePlayer {
    engine: Engine,
}

impl EnginePlayer {
    /// An engine with this preset and policy, and a transposition table of `hash_mib` MiB.
    pub fn new(preset: Arc<Preset>, policy: Arc<Policy>, hash_mib: u32) -> Self {
        Self {
            engine: Engine::new(preset, policy, hash_mib),
        }
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self, _: Seat<'_>, _stop: &AtomicBool) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: Turn<'_>) -> Result<ChosenMove, Fault> {
        let begun = Instant::now();
        let report = self.engine.search(turn.game, &turn.limits, turn.stop);
        Ok(ChosenMove {
            mv: report.best.ok_or_else(Fault::no_move)?,
            score: report.score.into(),
            depth: report.depth,
            nodes: report.nodes,
            time: begun.elapsed(),
        })
    }
}
