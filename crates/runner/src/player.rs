//! Who plays: something that chooses a move when asked.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::{Clock, Limits};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::score::Score;
use lmrlab_policy::policy::Policy;

/// What a player is asked: to choose a move in a game.
#[derive(Debug, Clone)]
pub struct Turn<'t> {
    /// The game so far.
    pub game: &'t Game,
    /// What the player may spend on the move.
    pub limits: Limits,
    /// The clock of the other side, when the game is played with clocks.
    pub opponent_clock: Option<Clock>,
    /// Becomes true when the answer is no longer wanted; the player then answers at once, whatever it has.
    pub stop: &'t AtomicBool,
}

/// What a player answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Choice {
    /// The move. Whether it is legal is the game's to say.
    pub mv: Move,
    /// How good the player thinks that this is, from its own side.
    pub score: Score,
    /// Depth of the last complete iteration, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
}

/// Why there is no answer; the player loses the game.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// The player named no move although there are legal ones.
    NoMove,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoMove => f.write_str("chose no move"),
        }
    }
}

impl std::error::Error for Fault {}

/// Someone who plays games, one after the other.
pub trait Player: Send {
    /// Forgets the games before, so that the next one is as if it were the first.
    ///
    /// # Errors
    /// When the player cannot go on.
    fn new_game(&mut self) -> Result<(), Fault>;

    /// Chooses a move; there is at least one legal move.
    ///
    /// # Errors
    /// When the player does not answer as it should.
    fn choose(&mut self, turn: Turn<'_>) -> Result<Choice, Fault>;
}

/// The project's own engine, in this process.
pub struct EnginePlayer {
    engine: Engine,
}

impl EnginePlayer {
    /// An engine with this preset and policy, and a transposition table of so many MiB.
    pub fn new(preset: Arc<Preset>, policy: Arc<Policy>, hash_mib: u32) -> Self {
        Self {
            engine: Engine::new(preset, policy, hash_mib),
        }
    }
}

impl Player for EnginePlayer {
    fn new_game(&mut self) -> Result<(), Fault> {
        self.engine.new_game();
        Ok(())
    }

    fn choose(&mut self, turn: Turn<'_>) -> Result<Choice, Fault> {
        let report = self.engine.search(turn.game, &turn.limits, turn.stop);
        Ok(Choice {
            mv: report.best.ok_or(Fault::NoMove)?,
            score: report.score,
            depth: report.depth,
            nodes: report.nodes,
        })
    }
}
