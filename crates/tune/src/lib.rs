//! Tuning: numbers of an engine are moved to where it plays best, by pairs of games between two settings of them.
//!
//! A [`Method`] says which pairs to play and learns from their outcomes. [`spsa`] is the one that fishtest and OpenBench
//! use, [`surface`] fits a model of the strength to all pairs so far and is the default. [`simulation`] compares methods on
//! surfaces whose best point is known. What these modules compute depends on the seed and on the outcomes alone: a run that
//! is repeated, on whatever number of threads, comes to the same values.

pub mod chance;
pub mod choice;
pub mod evaluation;
pub mod fishtest;
pub mod gate;
pub mod parameter;
pub mod plan;
pub mod play;
pub mod report;
pub mod session;
pub mod simulation;
pub mod spsa;
pub mod subject;
pub mod surface;
pub mod tuning_pairs;

use lmrlab_stats::PairOutcome;

/// Two settings that are to play a pair of games. Values stand in the order of the parameters, within their bounds, and
/// those of integers are whole; after them come the choices, see [`choice`].
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Whose side the outcome is seen from.
    pub first: Vec<f64>,
    /// The opponent.
    pub second: Vec<f64>,
}

/// Something that moves parameters by the outcomes of pairs.
pub trait Method {
    /// The pairs to play next; none when there is nothing left to learn. Their number does not depend on who plays them.
    fn next(&mut self) -> Vec<Probe>;

    /// Takes the outcomes of the pairs that [`Self::next`] named last, in the same order, each from the side of
    /// [`Probe::first`]. Outcomes beyond them are ignored; pairs without an outcome count as not played.
    fn record(&mut self, outcomes: &[PairOutcome]);

    /// What it would recommend now; not rounded.
    fn recommendation(&mut self) -> Vec<f64>;

    /// What a point gains over the start, in Elo, and the standard deviation of that; `None` when the method does not know.
    fn gain(&self, _values: &[f64]) -> Option<(f64, f64)> {
        None
    }

    /// What is known of the choices that were raced so far, in their order.
    fn decisions(&self) -> Vec<choice::Decision> {
        Vec::new()
    }

    /// What is known of each parameter at a point; empty when the method does not know.
    fn findings(&self, _values: &[f64]) -> Vec<Finding> {
        Vec::new()
    }
}

/// What is known of a parameter.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Finding {
    /// With 95% probability its best value is between these.
    pub interval: (f64, f64),
    /// It was moved so far away from its value,
    pub moved: f64,
    /// which loses so many Elo,
    pub effect: f64,
    /// with this standard deviation.
    pub deviation: f64,
}

impl Finding {
    /// Whether games show that the parameter matters: the effect is more than three standard deviations, because the worse of
    /// two sides is looked at, and because the points were chosen by what was known of them.
    pub fn is_measurable(&self) -> bool {
        self.effect > 3.0 * self.deviation
    }
}
