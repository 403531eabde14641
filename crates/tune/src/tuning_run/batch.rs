//! The pairs that a method has asked for, as tasks.

use std::sync::Arc;
use std::time::Instant;

use crate::Probe;
use crate::tuning_pairs::TuningPair;
use lmrlab_runner::conduct::in_order::Tasks;

/// A pair to play.
#[derive(Debug, Clone, PartialEq)]
pub struct PairTask {
    /// Its number, from 0.
    pub(super) number: u64,
    pub(super) probe: Probe,
}

/// The pairs that the method has asked for.
#[derive(Clone)]
pub(super) struct Batch {
    /// The number of the first one.
    pub(super) first: u64,
    /// The pairs; empty when the run is complete.
    pub(super) probes: Arc<[Probe]>,
    /// When the time budget of the run ends.
    pub(super) deadline: Option<Instant>,
}

impl Tasks for Batch {
    type Task = PairTask;

    fn get(&self, number: u64) -> Option<PairTask> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        let probe = self.probes.get(index)?.clone();
        Some(PairTask { number, probe })
    }

    fn more_may_come(&self, _recorded: u64) -> bool {
        !self.probes.is_empty()
    }

    fn is_time_up(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

/// A pair that was played.
#[derive(Debug, Clone, PartialEq)]
pub struct PlayedPair {
    pub(super) pair: TuningPair,
    /// The crash, stall or illegal move that ended each game. `None` for a pair that was read from a file.
    pub(super) faults: Option<[Option<String>; 2]>,
}
