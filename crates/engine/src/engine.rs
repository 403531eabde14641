//! The engine: a preset, a policy, and the tables that last from move to move.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_policy::Policy;

use lmrlab_diagnostics::failure::OutOfMemory;

use crate::game::Game;
use crate::limits::Limits;
use crate::preset::Preset;
use crate::reductions::Reductions;
use crate::search::memory::Memory;
use crate::search::observer::{Events, Observer, Unobserved};
use crate::search::state::Search;

pub use crate::search::report::Report;

/// The least and the greatest transposition table, in mebibytes.
pub const HASH_MIB: std::ops::RangeInclusive<u32> = 1..=65_536;

/// The default transposition table, in mebibytes.
pub const DEFAULT_HASH_MIB: u32 = 16;

/// An engine that plays one game at a time.
///
/// The same preset, policy, game and limit of nodes or depth, from a fresh [`Engine::new_game`] on, give the same search
/// every time and everywhere.
#[derive(Debug)]
pub struct Engine<R = Policy> {
    preset: Arc<Preset>,
    policy: Arc<R>,
    memory: Memory,
}

impl Engine {
    /// Searches the position that a game has reached, until a limit is met or `stop` is set.
    pub fn search(&mut self, game: &Game, limits: &Limits, stop: &AtomicBool) -> Report {
        self.search_with::<false>(game, limits, stop, &mut Unobserved)
    }

    /// As [`Engine::search`], with an observer.
    pub fn search_observed(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Report {
        if observer.events() == Events::NONE {
            self.search_with::<false>(game, limits, stop, observer)
        } else {
            self.search_with::<true>(game, limits, stop, observer)
        }
    }
}

impl<R: Reductions> Engine<R> {
    /// An engine with a transposition table of `hash_mib` mebibytes, clamped to [`HASH_MIB`].
    ///
    /// # Panics
    /// The system has no memory for the table. The payload of the panic is an [`OutOfMemory`], which the caller of a whole
    /// run reports as an error.
    pub fn new(preset: Arc<Preset>, policy: Arc<R>, hash_mib: u32) -> Self {
        Self::try_new(preset, policy, hash_mib).unwrap_or_else(|error| std::panic::resume_unwind(Box::new(error)))
    }

    /// As [`Engine::new`].
    ///
    /// # Errors
    /// The system has no memory for the table.
    pub fn try_new(preset: Arc<Preset>, policy: Arc<R>, hash_mib: u32) -> Result<Self, OutOfMemory> {
        let hash_mib = hash_mib.clamp(*HASH_MIB.start(), *HASH_MIB.end());
        let history = policy.history().map(|history| history.model);
        Ok(Self {
            memory: Memory::new(hash_mib, &preset.parameters, history, policy.needs())?,
            preset,
            policy,
        })
    }

    /// Clears all tables for a new game.
    pub fn new_game(&mut self) {
        self.memory.new_game();
    }

    /// The search preset.
    pub fn preset(&self) -> &Preset {
        &self.preset
    }

    /// The policy.
    pub fn policy(&self) -> &R {
        &self.policy
    }

    /// As [`Engine::search`], for reductions written in Rust. Each crate that calls it compiles the search again.
    pub fn search_generic(&mut self, game: &Game, limits: &Limits, stop: &AtomicBool) -> Report {
        self.search_with::<false>(game, limits, stop, &mut Unobserved)
    }

    fn search_with<const OBSERVED: bool>(
        &mut self,
        game: &Game,
        limits: &Limits,
        stop: &AtomicBool,
        observer: &mut dyn Observer,
    ) -> Report {
        Search::<_, OBSERVED>::new(
            &self.preset,
            &*self.policy,
            &mut self.memory,
            game.keys(),
            limits,
            stop,
            observer,
        )
        .run(game, limits)
    }
}
