//! The one thread that records: it takes results as they come, and records them in the order of their numbers.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::queue::{Queue, locked};
use super::steering::KnownPairs;
use super::threads_file::{self, ThreadsFile};
use super::worker::{EngineWarning, Message};
use crate::interrupt::Interrupt;
use crate::record::recorded_pair::{RecordedPair, Waiting};
use lmrlab_diagnostics::failure::Failure;

/// Time between two syncs to the disk. A loss of power loses at most the results of this time.
const TICK: Duration = Duration::from_millis(900);

/// Records results; lives in one thread.
pub trait Record {
    /// How many results are recorded; also the number of the next one.
    fn recorded(&self) -> u64;

    /// The pairs that are known from the recorded results.
    fn known(&self) -> KnownPairs;

    /// Whether the results so far decide the run, so that no more are needed.
    fn is_decided(&self) -> bool;

    /// Records the next result. Returns whether the known pairs have changed with it.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn record(&mut self, pair: RecordedPair) -> Result<bool, Failure>;

    /// Saves the results that wait for an earlier one. They replace those that were saved before.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn keep_waiting(&mut self, waiting: &Waiting) -> Result<(), Failure>;

    /// Makes what was recorded survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that.
    fn sync(&mut self) -> Result<(), Failure>;

    /// Reports a warning.
    fn warn(&mut self, warning: EngineWarning);

    /// Reports that the number of threads has changed, or why it has not.
    fn steered(&mut self, what: &str);
}

/// Takes what the threads send, puts it in order and records it.
pub(super) struct Collector<'c> {
    pub(super) record: &'c mut dyn Record,
    pub(super) queue: &'c Mutex<Queue>,
    pub(super) interrupt: &'c Interrupt,
    /// Results that were finished before an earlier one.
    pub(super) waiting: Waiting,
    /// The numbers of the results that were waiting at the last tick.
    pub(super) waited_at_tick: Vec<u64>,
    /// Folders that are not needed when the results are saved.
    pub(super) unneeded: Vec<PathBuf>,
    pub(super) ticked: Instant,
    pub(super) file: Option<ThreadsFile>,
}

impl Collector<'_> {
    /// Returns when all threads have ended.
    pub(super) fn collect(mut self, results: &Receiver<Message>) -> Result<(), Failure> {
        let mut failure = self.record_waiting().err();
        loop {
            if failure.is_some() || self.record.is_decided() {
                // Games in progress no longer count.
                self.interrupt.abandon_games();
            }
            let step = match results.recv_timeout(TICK) {
                Ok(Message::Played(results, folder)) => {
                    self.finished(results);
                    self.unneeded.extend(folder);
                    Ok(())
                }
                Ok(Message::Warning(warning)) => {
                    self.record.warn(warning);
                    Ok(())
                }
                Ok(Message::Broken(broken)) => Err(broken),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if failure.is_none() {
                failure = step
                    .and_then(|()| self.record_waiting())
                    .and_then(|()| self.tick())
                    .err();
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if self.record.is_decided() {
            self.waiting.clear();
        }
        self.save()
    }

    /// Takes results, unless the pairs have changed while they were played.
    fn finished(&mut self, results: Vec<RecordedPair>) {
        let queue = locked(self.queue);
        for result in results {
            let number = result.pair.index;
            if queue.given.get(&number) == Some(&result.pair) {
                self.waiting.insert(number, result);
            }
        }
    }

    /// Saves what was recorded and what waits.
    fn save(&mut self) -> Result<(), Failure> {
        self.record.sync()?;
        self.record.keep_waiting(&self.waiting)?;
        for folder in self.unneeded.drain(..) {
            // What cannot be removed stays.
            let _ = std::fs::remove_dir_all(folder);
        }
        Ok(())
    }

    /// Records the waiting results that come next.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        while !self.record.is_decided()
            && let Some(result) = self.waiting.remove(&self.record.recorded())
        {
            let number = result.pair.index;
            let changed = self.record.record(result)?;
            let mut queue = locked(self.queue);
            queue.recorded = self.record.recorded();
            queue.given.remove(&number);
            if changed {
                queue.change(self.record.known());
                self.waiting.retain(|number, _| queue.given.contains_key(number));
            }
            drop(queue);
            self.interrupt.wake();
        }
        Ok(())
    }

    /// Changes the number of threads when the user asks for it.
    fn steer(&mut self) {
        match self.file.as_mut().map(ThreadsFile::look) {
            Some(Ok(Some(threads))) => {
                locked(self.queue).threads = threads;
                self.record.steered(&threads_file::in_words(threads));
            }
            Some(Err(wrong)) => self.record.steered(&wrong),
            Some(Ok(None)) | None => {}
        }
        // No result wakes the threads of a paused run. They have to see that its time is up.
        self.interrupt.wake();
    }

    /// Once a second, saves the results so that they survive a kill and a loss of power.
    fn tick(&mut self) -> Result<(), Failure> {
        if self.ticked.elapsed() < TICK {
            return Ok(());
        }
        self.steer();
        // Most results wait for a moment only. Those that wait for a second are saved.
        let waited = (self.waited_at_tick.iter()).any(|number| self.waiting.contains_key(number));
        if waited || self.waiting.is_empty() || !self.unneeded.is_empty() {
            self.save()?;
        } else {
            self.record.sync()?;
        }
        self.waited_at_tick = self.waiting.keys().copied().collect();
        self.ticked = Instant::now();
        Ok(())
    }
}
