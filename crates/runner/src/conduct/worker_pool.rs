//! What plays the tasks of a run: threads of this process, or other machines.

use std::path::Path;

use super::in_order::{Record, Tasks, Threads, Waiting, play_in_order};
use super::portable::Portable;
use super::steering::Steering;
use crate::interrupt::Interrupt;
use crate::memory::Tables;
use lmrlab_results::failure::Failure;
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

/// Plays the tasks of a run.
pub trait WorkerPool {
    /// Plays tasks until none remain, the run is decided, or the user asks to stop. Records the results in the order of
    /// the tasks. `waiting` has the results that an earlier process finished before their turn; their tasks are not
    /// played again.
    ///
    /// # Errors
    /// When the recorder fails, a task panics, or no machine can play. Earlier results stay recorded.
    fn play<P, R>(
        &mut self,
        run: RunInPlay<'_>,
        play: &P,
        record: &mut R,
        waiting: Waiting<P::Task, P::Result>,
        interrupt: &Interrupt,
    ) -> Result<(), Failure>
    where
        P: Portable,
        R: Record<Result = P::Result, Warning = P::Warning>,
        R::Tasks: Tasks<Task = P::Task>;

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
    fn play<P, R>(
        &mut self,
        run: RunInPlay<'_>,
        play: &P,
        record: &mut R,
        waiting: Waiting<P::Task, P::Result>,
        interrupt: &Interrupt,
    ) -> Result<(), Failure>
    where
        P: Portable,
        R: Record<Result = P::Result, Warning = P::Warning>,
        R::Tasks: Tasks<Task = P::Task>,
    {
        let steering = Steering::of(run.folder, run.threads.count);
        play_in_order(play, record, waiting, run.threads, steering, interrupt)
    }
}
