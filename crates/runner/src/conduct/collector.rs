//! The one thread that records: it takes results as they come, records them in the order of their numbers, and reports them.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use super::event::{Event, RunObserver};
use super::queue::{Queue, locked};
use super::steering::Steering;
use super::threads_file::{self, ThreadsFile};
use super::worker::{EngineWarning, Message, Played};
use crate::interrupt::Interrupt;
use crate::player::WarningKind;
use crate::record::recorded_pair::RecordedPair;
use crate::record::recorder::Recorder;
use lmrlab_diagnostics::failure::Failure;

/// Time between two syncs to the disk. A loss of power loses at most the results of this time.
const TICK: Duration = Duration::from_millis(900);

/// Takes what the threads send, puts it in order, records and reports it.
pub(super) struct Collector<'c, S> {
    pub(super) recorder: &'c mut Recorder<S>,
    pub(super) observer: &'c mut dyn RunObserver<S>,
    pub(super) queue: &'c Mutex<Queue>,
    pub(super) interrupt: &'c Interrupt,
    /// The numbers of the results that were waiting at the last tick.
    pub(super) waited_at_tick: Vec<u64>,
    /// Folders that are not needed when the results are saved.
    pub(super) unneeded: Vec<PathBuf>,
    pub(super) ticked: Instant,
    pub(super) file: Option<ThreadsFile>,
    /// The warnings that were already reported, by engine.
    pub(super) warned: BTreeSet<(usize, WarningKind)>,
}

impl<S: Steering> Collector<'_, S> {
    /// Returns when all threads have ended.
    pub(super) fn collect(mut self, results: &Receiver<Message>) -> Result<(), Failure> {
        let mut failure = self.record_waiting().err();
        loop {
            if failure.is_some() || self.recorder.is_over() {
                // Games in progress no longer count.
                self.interrupt.abandon_games();
            }
            let step = match results.recv_timeout(TICK) {
                Ok((played, warnings)) => {
                    warnings.iter().for_each(|warning| self.warn(warning));
                    played.map(|played| self.take(played))
                }
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
        if self.recorder.is_over() {
            self.recorder.waiting.clear();
        }
        self.save()
    }

    /// Takes what a thread has done. Results do not count when the pairs have changed while they were played.
    fn take(&mut self, played: Played) {
        let mut queue = locked(self.queue);
        match played {
            Played::Results(results, folder) => {
                let counts = |result: &RecordedPair| queue.given.get(&result.pair.index) == Some(&result.pair);
                let results = results.into_iter().filter(counts);
                let results = results.map(|result| (result.pair.index, result));
                self.recorder.waiting.extend(results);
                self.unneeded.extend(folder);
                return;
            }
            Played::Nothing(pairs) => queue.forget(&pairs),
            Played::Again(work) => queue.again.push(work),
        }
        drop(queue);
        self.interrupt.wake();
    }

    /// Saves what was recorded and what waits.
    fn save(&mut self) -> Result<(), Failure> {
        self.recorder.sync()?;
        self.recorder.keep_waiting()?;
        for folder in self.unneeded.drain(..) {
            // What cannot be removed stays.
            let _ = std::fs::remove_dir_all(folder);
        }
        Ok(())
    }

    /// Records the waiting results that come next.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        while !self.recorder.is_over()
            && let Some(result) = self.recorder.waiting.remove(&self.recorder.steering.recorded())
        {
            let changes = self.recorder.record(&result)?;
            let games = &result.games;
            self.report(Event::PairRecorded { games, changes });
            let mut queue = locked(self.queue);
            queue.recorded = self.recorder.steering.recorded();
            queue.given.remove(&result.pair.index);
            if changes {
                queue.change(self.recorder.steering.known());
                self.recorder
                    .waiting
                    .retain(|number, _| queue.given.contains_key(number));
            }
            drop(queue);
            self.interrupt.wake();
        }
        Ok(())
    }

    fn report(&mut self, event: Event<'_>) {
        self.observer.on_event(event, &mut self.recorder.steering);
    }

    /// Reports a warning, unless it was reported of this engine before.
    fn warn(&mut self, (index, warning): &EngineWarning) {
        if self.warned.insert((*index, warning.kind))
            && let Some(engine) = self.recorder.names.get(*index).cloned()
        {
            let (engine, what) = (&engine, &warning.what);
            self.report(Event::Warning { engine, what });
        }
    }

    /// Changes the number of threads when the user asks for it.
    fn steer(&mut self) {
        match self.file.as_mut().map(ThreadsFile::look) {
            Some(Ok(Some(threads))) => {
                locked(self.queue).threads = threads;
                let what = &threads_file::in_words(threads);
                self.report(Event::Steered { what });
            }
            Some(Err(what)) => self.report(Event::Steered { what: &what }),
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
        let waited = (self.waited_at_tick.iter()).any(|number| self.recorder.waiting.contains_key(number));
        if waited || self.recorder.waiting.is_empty() || !self.unneeded.is_empty() {
            self.save()?;
        } else {
            self.recorder.sync()?;
        }
        self.waited_at_tick = self.recorder.waiting.keys().copied().collect();
        self.ticked = Instant::now();
        Ok(())
    }
}
