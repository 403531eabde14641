//! What plays the pairs of a run: threads of this process, or other machines.

use std::path::Path;

use super::in_order::{Record, Threads, play_in_order};
use super::pair_player::PairPlayer;
use super::threads_file::ThreadsFile;
use crate::interrupt::Interrupt;
use crate::memory::Tables;
use crate::record::recorded_pair::Waiting;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::Manifest;

/// The run that is played.
#[derive(Debug, Clone, Copy)]
pub struct RunInPlay<'r> {
    /// Its folder.
    pub folder: &'r Path,
    /// Its manifest.
    pub manifest: &'r Manifest,
    /// The threads that it asks for.
    pub threads: Threads,
}

/// Plays the pairs of a run.
pub trait WorkerPool {
    /// Plays pairs until none remain, the run is decided, or the user asks to stop. Records the results in the order of
    /// the pairs. `waiting` has the results that an earlier process finished before their turn; their pairs are not
    /// played again.
    ///
    /// # Errors
    /// When the recorder fails, a pair cannot be played, or no machine can play. Earlier results stay recorded.
    fn play(
        &mut self,
        run: RunInPlay<'_>,
        player: &PairPlayer<'_>,
        record: &mut dyn Record,
        waiting: Waiting,
        interrupt: &Interrupt,
    ) -> Result<(), Failure>;

    /// Checks that the tables of the run fit into memory.
    ///
    /// # Errors
    /// When they do not.
    fn check(&self, tables: Tables) -> Result<(), Failure> {
        Ok(tables.check()?)
    }
}

/// Threads of this process.
#[derive(Debug, Clone, Copy, Default)]
pub struct ThisProcess;

impl WorkerPool for ThisProcess {
    fn play(
        &mut self,
        run: RunInPlay<'_>,
        player: &PairPlayer<'_>,
        record: &mut dyn Record,
        waiting: Waiting,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        let file = ThreadsFile::of(run.folder, run.threads.count);
        let play = |players: &mut _, pair: &_, warnings: &mut _| player.play(players, pair, warnings);
        play_in_order(&play, record, waiting, run.threads, file, interrupt)
    }
}
