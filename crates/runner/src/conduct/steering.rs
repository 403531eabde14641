//! Steering: which pairs come next, from all results in their order. It is all that differs between a tournament, a test,
//! a race, a tuning run and a trial.

use std::sync::Arc;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{ResultFile, ResultsFolder};
use lmrlab_results::rows::games::GameRow;

use crate::tournament::schedule::{Pair, Schedule};

/// Says which pairs come next.
pub trait Steering {
    /// The file with a line for each pair, and its first line. A part of a run has none.
    ///
    /// # Errors
    /// When the line cannot be written as CSV.
    fn pairs_file(&self) -> Result<Option<(ResultFile, Vec<u8>)>, Failure>;

    /// How many pairs are recorded.
    fn recorded(&self) -> u64;

    /// The pairs that are known from the recorded results.
    fn known(&self) -> KnownPairs;

    /// Counts the games of the next pair.
    ///
    /// # Errors
    /// When they are not those of the next pair.
    fn count(&mut self, games: &[GameRow; 2]) -> Result<Counted, Failure>;

    /// Whether the results decide the run, so that no more are needed.
    fn is_decided(&self) -> bool;

    /// Writes the files that are only complete at the end.
    ///
    /// # Errors
    /// When one of them cannot be written.
    fn write_end(&self, _folder: &ResultsFolder) -> Result<(), Failure> {
        Ok(())
    }
}

/// What a pair has changed.
pub struct Counted {
    /// Its line in the file of the pairs.
    pub line: Vec<u8>,
    /// Whether the pairs that are known have changed with it.
    pub changes: bool,
}

/// The pairs that are known from the recorded results.
#[derive(Clone)]
pub struct KnownPairs {
    pair: Arc<dyn Fn(u64) -> Option<Pair> + Send + Sync>,
    /// The number of the pair after the last one.
    end: u64,
    /// Whether the result of a known pair may change the others or add some.
    may_change: bool,
}

impl KnownPairs {
    /// The pairs of a schedule.
    pub fn scheduled(schedule: Schedule, may_change: bool) -> Self {
        Self {
            end: schedule.pairs(),
            pair: Arc::new(move |number| schedule.pair(number)),
            may_change,
        }
    }

    /// Some pairs; `first` is the number of the first one.
    pub fn some(first: u64, pairs: Arc<[Pair]>, may_change: bool) -> Self {
        let end = first + pairs.len() as u64;
        let pair = move |number: u64| pairs.get(usize::try_from(number.checked_sub(first)?).ok()?).cloned();
        Self {
            end,
            pair: Arc::new(pair),
            may_change,
        }
    }

    /// The pair with this number, from 0. `None` when there is no such pair, or when it depends on results that are
    /// missing.
    pub fn get(&self, number: u64) -> Option<Pair> {
        (self.pair)(number)
    }

    /// How many pairs there can be after the first `recorded` ones.
    pub(super) fn most_left(&self, recorded: u64) -> u64 {
        match self.may_change {
            true => u64::MAX,
            false => self.end.saturating_sub(recorded),
        }
    }

    /// Whether results after the first `recorded` ones may add pairs.
    pub fn more_may_come(&self, recorded: u64) -> bool {
        self.may_change && recorded < self.end
    }
}
