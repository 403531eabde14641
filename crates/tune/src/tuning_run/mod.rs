//! The playing of a tuning run, in a loop:
//!
//! 1. The method asks for a `batch` of pairs.
//! 2. Threads play them (`pair`), in any order.
//! 3. The journal gets their results in the order of the pairs (`recording`).
//! 4. When the batch is complete, the method learns from it (`learning`) and asks for the next one.
//!
//! So the pairs that a method asks for depend on the results alone, not on the number of threads. A resumed run begins
//! with step 4: the method learns from the journal again.

mod batch;
mod learning;
mod pair;
mod pair_lines;
mod recording;

use std::path::Path;
use std::time::{Duration, Instant};

use self::batch::PairTask;
use self::batch::PlayedPair;
use self::learning::Learning;
use self::recording::Recording;
use super::Method;
use super::plan::{Budget, Plan};
use super::tuning_pairs::{TuningJournal, TuningPair};
use lmrlab_results::failure::Failure;
use lmrlab_results::manifest::Manifest;
use lmrlab_runner::conduct::in_order::{Tasks as _, Threads, Waiting};
use lmrlab_runner::conduct::worker_pool::{RunInPlay, WorkerPool};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::fault_log::EngineLogs;

/// Why no more pairs are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The budget is spent.
    Complete,
    /// The run was asked to stop.
    Interrupted,
}

/// What is reported after each pair.
pub struct TuningProgress<'p> {
    /// Pairs that have been played.
    pub pairs: u64,
    /// The number of them that this process has played.
    pub here: u64,
    /// The time that the run has taken, earlier processes included.
    pub elapsed: Duration,
    /// Whether the method has learned from all of them; otherwise the last batch is incomplete.
    pub has_learned: bool,
    /// The method, with what it has learned.
    pub method: &'p mut dyn Method,
}

/// A run that is playing.
pub struct TuningRun<'r> {
    plan: &'r Plan,
    interrupt: &'r Interrupt,
    logs: &'r EngineLogs,
    /// The indices of the openings, in the order in which they are used.
    order: Vec<u32>,
    begun: Instant,
    /// The time that earlier processes of the run took.
    before: Duration,
}

impl<'r> TuningRun<'r> {
    /// A run of this plan. `before` is the time that earlier processes of the run took.
    pub fn new(plan: &'r Plan, interrupt: &'r Interrupt, logs: &'r EngineLogs, before: Duration) -> Self {
        Self {
            order: plan.opening_order().0,
            plan,
            interrupt,
            logs,
            begun: Instant::now(),
            before,
        }
    }

    /// Plays to the end of the budget. `played` are the pairs of the journal; the method learns from them first.
    ///
    /// # Errors
    /// When the journal is not of this plan or cannot be written, or an engine panics.
    pub fn play(
        &self,
        method: &mut dyn Method,
        played: &[TuningPair],
        (folder, manifest, journal): (&Path, &Manifest, &mut TuningJournal),
        worker_pool: &mut impl WorkerPool,
        report: &mut dyn FnMut(TuningProgress<'_>),
        warn: &mut dyn FnMut(String),
    ) -> Result<Ended, Failure> {
        let mut learning = Learning::new(self, method, report);
        learning.learn_again(played)?;
        let waiting = self.waiting(journal, &learning);
        let mut recording = Recording::new(&mut learning, journal, warn);
        let place = RunInPlay {
            folder,
            manifest,
            threads: self.threads(played.len() as u64),
        };
        worker_pool.play(place, self, &mut recording, waiting, self.interrupt)?;
        recording.check()?;
        Ok(learning.end())
    }

    /// The pairs of the present batch that an earlier process finished before their turn.
    fn waiting(&self, journal: &TuningJournal, learning: &Learning<'_>) -> Waiting<PairTask, PlayedPair> {
        let waiting = journal.waiting().into_iter().filter_map(|[pair]| {
            let number = pair.pair.checked_sub(1)?;
            let task = learning.batch().get(number)?;
            let wanted = number >= learning.recorded() && task.probe == pair.probe;
            wanted.then_some((number, (task, PlayedPair { pair, faults: None })))
        });
        waiting.collect()
    }

    fn threads(&self, played: u64) -> Threads {
        let threads = Threads {
            count: self.plan.threads,
            pinned: false,
        };
        match self.plan.budget {
            Budget::Pairs(pairs) => threads.for_tasks(pairs.saturating_sub(played)),
            Budget::Time(_) => threads,
        }
    }

    /// The time that the run has taken, earlier processes included.
    fn elapsed(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    /// When the time budget of the run ends; `None` when the budget is a number of pairs.
    fn deadline(&self) -> Option<Instant> {
        match self.plan.budget {
            Budget::Pairs(_) => None,
            Budget::Time(time) => self.begun.checked_add(time.saturating_sub(self.before)),
        }
    }
}
