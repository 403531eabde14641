//! Lets the method learn from the results of whole batches.

use std::sync::Arc;

use super::batch::Batch;
use super::{Ended, TuningProgress, TuningRun};
use crate::plan::Budget;
use crate::tuning_pairs::TuningPair;
use crate::{Method, PairResult};
use lmrlab_results::failure::Failure;
use lmrlab_runner::conduct::in_order::Tasks as _;

/// The pairs that the method has asked for, and the results that it has learned from.
pub(super) struct Learning<'l> {
    pub(super) run: &'l TuningRun<'l>,
    method: &'l mut dyn Method,
    report: &'l mut dyn FnMut(TuningProgress<'_>),
    batch: Batch,
    /// The results of the first pairs of the batch.
    results: Vec<PairResult>,
    /// Pairs that this process has played.
    pub(super) here: u64,
}

impl<'l> Learning<'l> {
    /// The state before the method has asked for a batch.
    pub(super) fn new(
        run: &'l TuningRun<'l>,
        method: &'l mut dyn Method,
        report: &'l mut dyn FnMut(TuningProgress<'_>),
    ) -> Self {
        Self {
            batch: Batch {
                first: 0,
                probes: Arc::default(),
                deadline: run.deadline(),
            },
            run,
            method,
            report,
            results: Vec::new(),
            here: 0,
        }
    }

    /// Asks for the first batch, and learns from the pairs of the journal.
    ///
    /// # Errors
    /// When the journal has a pair that the method does not ask for.
    pub(super) fn learn_again(&mut self, played: &[TuningPair]) -> Result<(), Failure> {
        self.next_batch(!played.is_empty());
        for (index, pair) in played.iter().enumerate() {
            let asked = self.batch.get(index as u64);
            if asked.is_none_or(|asked| asked.probe != pair.probe) {
                return Err(Failure::input(
                    format!("pair {} of the journal is not one of this run", pair.pair),
                    "the journal was changed, or was written by another version of lmrlab",
                ));
            }
            self.learn(pair.result(), index + 1 < played.len());
        }
        Ok(())
    }

    /// The pairs that are to be played now.
    pub(super) fn batch(&self) -> &Batch {
        &self.batch
    }

    /// The number of recorded pairs: those that the method has learned from, and those of its incomplete batch.
    pub(super) fn recorded(&self) -> u64 {
        self.batch.first + self.results.len() as u64
    }

    /// Takes the result of the next pair. Reports it, unless the journal has further pairs (`more_played`). Returns
    /// whether it completes the batch; then there is a new batch.
    pub(super) fn learn(&mut self, result: PairResult, more_played: bool) -> bool {
        self.results.push(result);
        let complete = self.results.len() == self.batch.probes.len();
        if complete {
            self.end_batch();
        }
        if !more_played {
            self.report(complete);
        }
        if complete {
            self.next_batch(more_played);
        }
        complete
    }

    fn report(&mut self, has_learned: bool) {
        let pairs = self.recorded();
        (self.report)(TuningProgress {
            pairs,
            here: self.here,
            elapsed: self.run.elapsed(),
            has_learned,
            method: self.method,
        });
    }

    /// Gives the method the results of the batch.
    fn end_batch(&mut self) {
        let pairs = self.recorded();
        self.method.record(&self.results);
        self.results.clear();
        self.batch.first = pairs;
        self.batch.probes = Arc::default();
    }

    /// Asks the method for the next batch. The batch is empty when the budget is spent or the method has no more pairs.
    fn next_batch(&mut self, more_played: bool) {
        let budget = match self.run.plan.budget {
            Budget::Pairs(pairs) => pairs,
            Budget::Time(_) => u64::MAX,
        };
        let first = self.batch.first;
        let left = budget.saturating_sub(first);
        if left == 0 || (self.batch.is_time_up() && !more_played) {
            return;
        }
        let mut probes = self.method.next();
        probes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        self.batch.probes = probes.into();
    }

    /// Returns why the pair before was the last one.
    pub(super) fn end(mut self) -> Ended {
        if self.batch.probes.is_empty() {
            return Ended::Complete;
        }
        if !self.batch.is_time_up() {
            // The pairs of the incomplete batch stay in the journal until the run is resumed.
            return Ended::Interrupted;
        }
        self.end_batch();
        self.report(true);
        Ended::Complete
    }
}
