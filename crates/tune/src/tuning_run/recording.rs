//! Records the pairs of a run in their order.

use std::collections::BTreeSet;

use super::batch::PlayedPair;
use super::batch::{Batch, PairTask};
use super::learning::Learning;
use super::pair::PairWarning;
use crate::tuning_pairs::TuningJournal;
use lmrlab_results::failure::{Failure, in_a_row};
use lmrlab_runner::conduct::in_order::{Record, Waiting};
use lmrlab_runner::player::WarningKind;

/// Records pairs, and lets the method learn from them.
pub(super) struct Recording<'r, 'l> {
    learning: &'r mut Learning<'l>,
    journal: &'r mut TuningJournal,
    warn: &'r mut dyn FnMut(String),
    /// The kinds of warnings that were reported.
    reported: BTreeSet<WarningKind>,
    /// Games in a row that ended by faults that are counted. The journal does not have the kind of a fault, so a
    /// resumed run counts from 0.
    lost: u64,
    /// Why the run stops: faults ended too many games in a row.
    stopped: Option<String>,
}

impl<'r, 'l> Recording<'r, 'l> {
    pub(super) fn new(
        learning: &'r mut Learning<'l>,
        journal: &'r mut TuningJournal,
        warn: &'r mut dyn FnMut(String),
    ) -> Self {
        Self {
            learning,
            journal,
            warn,
            reported: BTreeSet::new(),
            lost: 0,
            stopped: None,
        }
    }

    /// Fails when faults have stopped the run.
    pub(super) fn check(self) -> Result<(), Failure> {
        self.stopped.map_or(Ok(()), |message| Err(Failure::run(message)))
    }

    /// Counts games in a row that ended by faults, and stops the run when there are too many.
    fn count_faults(&mut self, faults: [Option<String>; 2]) {
        let allowed = self.learning.run.plan.conditions.faults_allowed;
        for fault in faults {
            let Some(fault) = fault else {
                self.lost = 0;
                continue;
            };
            self.lost += 1;
            if allowed.limit().is_some_and(|allowed| self.lost == allowed.get()) {
                self.stopped = Some(format!(
                    "{} ended by {}; in the last one the engine {fault}; `faults_allowed = \"inf\"` plays on whatever the \
                     engine does",
                    in_a_row(self.lost),
                    allowed.counted().that_ended(self.lost),
                ));
            }
        }
    }
}

impl Record for Recording<'_, '_> {
    type Tasks = Batch;
    type Result = PlayedPair;
    type Warning = PairWarning;

    fn recorded(&self) -> u64 {
        self.learning.recorded()
    }

    fn tasks(&self) -> Batch {
        self.learning.batch().clone()
    }

    fn is_decided(&self) -> bool {
        self.stopped.is_some()
    }

    fn record(&mut self, _: &PairTask, PlayedPair { pair, faults }: PlayedPair) -> Result<bool, Failure> {
        self.journal.append(std::array::from_ref(&pair))?;
        self.learning.here += 1;
        if let Some(faults) = faults {
            self.count_faults(faults);
        }
        Ok(self.learning.learn(pair.result(), false))
    }

    fn keep_waiting(&mut self, waiting: &Waiting<PairTask, PlayedPair>) -> Result<(), Failure> {
        let pairs = waiting.values().map(|(_, played)| std::array::from_ref(&played.pair));
        self.journal.keep_waiting(pairs)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync()
    }

    fn steered(&mut self, what: &str) {
        (self.warn)(format!("threads: {what}"));
    }

    fn warn(&mut self, warning: PairWarning) {
        match warning {
            PairWarning::Fault(what) => (self.warn)(what),
            PairWarning::Odd(warning) => {
                if self.reported.insert(warning.kind) {
                    (self.warn)(format!("the engine {}", warning.what));
                }
            }
        }
    }
}
