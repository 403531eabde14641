//! The interface of a tuning method: pairs to play, outcomes to learn from, a recommendation.

use lmrlab_results::tuning::Finding;
use lmrlab_stats::PairOutcome;

use super::choice::Decision;

/// The effect of an idea.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Effect {
    /// The gain of a side with it over the same side without it, in Elo.
    pub elo: f64,
    /// Half the width of the 95% interval; 0 when all games ended alike.
    pub error_95: f64,
}

/// A pair of games to play between two settings.
///
/// Values stand in the order of the parameters, within their bounds; integers have whole values. Choices follow them as
/// indices, see [`super::choice`].
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
    /// How many games of the pair a fault of the first side ended, and how many a fault of the second. At most two
    /// together.
    pub faults: [u8; 2],
}

/// A pair without a fault.
impl From<PairOutcome> for PairResult {
    fn from(outcome: PairOutcome) -> Self {
        Self {
            outcome,
            faults: [0; 2],
        }
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

    /// The results of the choices that have been raced, in their order.
    fn decisions(&self) -> Vec<Decision> {
        Vec::new()
    }

    /// The effect of each idea of a trial; `None` for other methods, or when too few pairs were played.
    fn effects(&self) -> Option<Vec<Effect>> {
        None
    }

    /// What the games show about each parameter at a point; empty when the method does not know.
    fn findings(&self, _values: &[f64]) -> Vec<Finding> {
        Vec::new()
    }
}
