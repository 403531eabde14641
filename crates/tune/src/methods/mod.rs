//! The interface of a tuning method: pairs to play, outcomes to learn from, a recommendation.

pub mod finding;
pub mod random;
#[cfg(test)]
mod simulated;
pub mod spsa;
pub mod surface;
pub mod trial;

use finding::Finding;
use lmrlab_stats::{EloEffect, PairOutcome};

/// How much more two ideas of a trial gain together than each of them alone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interaction {
    /// The places of both ideas in the list of ideas; the first is the smaller one.
    pub ideas: [usize; 2],
    /// The gain of either idea beside the other one, minus its gain without the other one.
    pub effect: EloEffect,
}

/// A pair of games to play between two settings.
///
/// Values stand in the order of the parameters, within their bounds; integers have whole values. An idea of a trial is 1 when the
/// side has it, and 0 when not.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// The setting of the first player. The outcome is recorded from its side.
    pub first: Vec<f64>,
    /// The opponent.
    pub second: Vec<f64>,
}

/// The result of a pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PairResult {
    /// Its outcome, from the side of [`Probe::first`].
    pub outcome: PairOutcome,
    /// The number of its opening.
    pub opening: usize,
}

/// A pair from the first opening.
impl From<PairOutcome> for PairResult {
    fn from(outcome: PairOutcome) -> Self {
        Self { outcome, opening: 0 }
    }
}

/// A tuning method: it learns from the outcomes of pairs, and recommends values.
pub trait Method {
    /// The pairs to play next; empty when there is nothing left to learn. Their number does not depend on the machines
    /// that play them.
    fn next(&mut self) -> Vec<Probe>;

    /// Takes the results of the pairs that [`Self::next`] returned last, in the same order. Excess results are ignored; pairs
    /// without a result count as not played.
    fn record(&mut self, results: &[PairResult]);

    /// The values that it recommends now; not rounded.
    fn recommendation(&mut self) -> Vec<f64>;

    /// The gain of a point over the start in Elo, and its standard deviation; `None` when the method does not know.
    fn gain(&self, _values: &[f64]) -> Option<(f64, f64)> {
        None
    }

    /// The effect of each idea of a trial; `None` for other methods, or when too few pairs were played.
    fn effects(&self) -> Option<Vec<EloEffect>> {
        None
    }

    /// The interaction of every two ideas of a trial; empty for other methods, for a trial that cannot show them, and when
    /// too few pairs were played.
    fn interactions(&self) -> Vec<Interaction> {
        Vec::new()
    }

    /// What the games show about each parameter at a point; empty when the method does not know.
    fn findings(&self, _values: &[f64]) -> Vec<Finding> {
        Vec::new()
    }
}
