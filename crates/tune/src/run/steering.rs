//! The steering of a tuning run and of a trial: a method asks for pairs, and learns from their results.
//!
//! The method asks for a batch of pairs. When all of them are recorded, it learns from them and asks for the next batch. So
//! the pairs depend on the results alone, not on the number of threads. A resumed run learns from its journal again.

use std::sync::Arc;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{ResultFile, TUNING_PAIRS};
use lmrlab_results::rows::games::GameRow;
use lmrlab_runner::conduct::steering::{Counted, KnownPairs, Steering};
use lmrlab_runner::tournament::schedule::{Pair, Pairing};

use crate::plan::Plan;
use crate::run::pairs;
use crate::subject::Subject;
use crate::{Method, PairResult, Probe};

/// A method, the pairs that it has asked for, and their results so far.
pub struct Learning {
    /// What is tuned.
    pub subject: Subject,
    /// How many pairs are played.
    pub pairs: u64,
    /// The method, with what it has learned.
    pub method: Box<dyn Method>,
    /// The indices of the openings, in the order in which they are used.
    order: Vec<u32>,
    /// The number of the first pair of the batch, from 0.
    first: u64,
    probes: Vec<Probe>,
    /// The pairs of the batch; empty when the run is complete.
    batch: Arc<[Pair]>,
    /// The results of the first pairs of the batch.
    results: Vec<PairResult>,
}

impl Learning {
    /// The method of a plan with its first batch.
    pub fn new(plan: &Plan) -> Self {
        let mut learning = Self {
            method: plan.method(),
            subject: plan.subject.clone(),
            pairs: plan.pairs,
            order: plan.opening_order(),
            first: 0,
            probes: Vec::new(),
            batch: Arc::default(),
            results: Vec::new(),
        };
        learning.next_batch();
        learning
    }

    /// Gives the method the results of the batch.
    fn learn(&mut self) {
        self.first = self.recorded();
        if !self.results.is_empty() {
            self.method.record(&self.results);
            self.results.clear();
        }
    }

    /// Asks the method for the next batch. The batch is empty when the budget is spent or the method has no more pairs.
    fn next_batch(&mut self) {
        let left = self.pairs.saturating_sub(self.first);
        self.probes = match left {
            0 => Vec::new(),
            _ => self.method.next(),
        };
        self.probes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        let numbered = (self.first..).zip(&self.probes);
        let pairs = numbered.map(|(index, probe)| pair(&self.subject, &self.order, index, probe));
        self.batch = pairs.collect();
    }

    /// Whether no pair is left to play. The pairs of an incomplete batch stay in the journal until the run is resumed.
    pub fn is_complete(&self) -> bool {
        self.batch.is_empty()
    }
}

/// The pair with this number, from 0, between these sides.
fn pair(subject: &Subject, order: &[u32], index: u64, probe: &Probe) -> Pair {
    Pair {
        index,
        round: index,
        pairing: Pairing { first: 0, second: 0 },
        opening: order[(index % order.len() as u64) as usize] as usize,
        overrides: Some([&probe.first, &probe.second].map(|values| subject.overrides(values).into())),
    }
}

/// The pairs of a trial by their numbers, from 0. The pairs of a tuning run depend on its results.
pub fn pairs_of_trial(plan: &Plan) -> impl Fn(u64) -> Option<Pair> {
    let (trial, order) = (plan.trial(), plan.opening_order());
    move |number| {
        let probe = trial.as_ref()?.probe(number)?;
        Some(pair(&plan.subject, &order, number, &probe))
    }
}

impl Steering for Learning {
    fn pairs_file(&self) -> Result<Option<(ResultFile, Vec<u8>)>, Failure> {
        Ok(Some((TUNING_PAIRS, pairs::header(&self.subject.names())?)))
    }

    fn recorded(&self) -> u64 {
        self.first + self.results.len() as u64
    }

    fn known(&self) -> KnownPairs {
        KnownPairs::some(self.first, Arc::clone(&self.batch), true)
    }

    fn count(&mut self, games: &[GameRow; 2]) -> Result<Counted, Failure> {
        let Some(probe) = self.probes.get(self.results.len()) else {
            return Err(Failure::input(
                format!("game {} is not one of this run", games[0].game),
                "games.csv was edited, or is of another run",
            ));
        };
        let line = pairs::line(games, probe);
        self.results.push(pairs::result(games));
        let changes = self.results.len() == self.batch.len();
        if changes {
            self.learn();
            self.next_batch();
        }
        Ok(Counted {
            line: line.into(),
            changes,
        })
    }

    fn is_decided(&self) -> bool {
        false
    }
}
