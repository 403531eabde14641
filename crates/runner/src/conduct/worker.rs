//! A thread that plays: it takes pairs from the queue, and sends their results to the collector.

use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::mpsc::SyncSender;

use super::queue::{Next, Queue, Work, locked};
use crate::interrupt::Interrupt;
use crate::player::{Player, Warning};
use crate::record::recorded_pair::RecordedPair;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::Failure;

/// What a thread keeps from pair to pair: the players that it has used.
pub type Players = Vec<Option<Box<dyn Player>>>;

/// A warning about an engine, by its index.
pub type EngineWarning = (usize, Warning);

/// What a thread gets to play.
pub struct Assignment<'t> {
    /// The number of the thread.
    pub thread: usize,
    /// The players that it has used.
    pub players: &'t mut Players,
    /// The pairs.
    pub work: Work,
    /// Gets warnings.
    pub warnings: &'t mut Vec<EngineWarning>,
    /// Whether the results of all pairs still count.
    pub is_wanted: &'t dyn Fn() -> bool,
}

/// What a thread has done with its pairs.
pub enum Played {
    /// Their results, and a folder that is not needed when these are saved.
    Results(Vec<RecordedPair>, Option<PathBuf>),
    /// Nothing: the games of these pairs were abandoned, or the pairs are not wanted any more.
    Nothing(Vec<Pair>),
    /// They are to be given out again.
    Again(Work),
}

/// Plays pairs.
///
/// # Errors
/// When they cannot be played, or an engine of this process panics.
pub type Play<'p> = &'p (dyn Fn(Assignment<'_>) -> Result<Played, Failure> + Sync);

/// What a thread sends to the collector: what it has done with its pairs, and warnings.
pub(super) type Message = (Result<Played, Failure>, Vec<EngineWarning>);

/// What all threads share.
pub(super) struct Worker<'w> {
    pub(super) play: Play<'w>,
    pub(super) queue: &'w Mutex<Queue>,
    pub(super) interrupt: &'w Interrupt,
}

impl Worker<'_> {
    pub(super) fn run(&self, thread: usize, results: &SyncSender<Message>) {
        let mut players = Players::new();
        loop {
            // Read before the checks: a change after them then ends the wait at once.
            let news = self.interrupt.news();
            if self.interrupt.is_requested() || self.interrupt.is_abandoned() {
                break;
            }
            let next = locked(self.queue).next(thread);
            let work = match next {
                Next::Play(work) => work,
                Next::Wait => {
                    self.interrupt.wait(news);
                    continue;
                }
                Next::End => break,
            };
            let mut warnings = Vec::new();
            let pairs = work.pairs.clone();
            let played = (self.play)(Assignment {
                thread,
                players: &mut players,
                work,
                warnings: &mut warnings,
                is_wanted: &|| locked(self.queue).wants(&pairs),
            });
            let is_broken = played.is_err();
            if results.send((played, warnings)).is_err() || is_broken {
                break;
            }
        }
    }
}
