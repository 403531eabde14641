//! Tuning: numbers of an engine are moved to where it plays best, by pairs of games between two settings of them.
//!
//! A [`Method`] says which pairs to play and learns from their outcomes. [`spsa`] is the one that fishtest and OpenBench
//! use, [`surface`] fits a model of the strength to all pairs so far and is the default. [`simulation`] compares methods on
//! surfaces whose best point is known. What these modules compute depends on the seed and on the outcomes alone: a run that
//! is repeated, on whatever number of threads, comes to the same values.

pub mod chance;
pub mod fishtest;
pub mod parameter;
pub mod simulation;
pub mod spsa;
pub mod surface;

use crate::stats::PairOutcome;

/// Two settings that are to play a pair of games. Values stand in the order of the parameters, within their bounds, and
/// those of integers are whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Probe {
    /// Whose side the outcome is seen from.
    pub first: Vec<f64>,
    /// The opponent.
    pub second: Vec<f64>,
}

/// Something that moves parameters by the outcomes of pairs.
pub trait Method {
    /// The pairs to play next. Their number does not depend on who plays them; it is never 0.
    fn next(&mut self) -> Vec<Probe>;

    /// Takes the outcomes of the pairs that [`Self::next`] named last, in the same order, each from the side of
    /// [`Probe::first`]. Outcomes beyond them are ignored; pairs without an outcome count as not played.
    fn record(&mut self, outcomes: &[PairOutcome]);

    /// What it would recommend now; not rounded.
    fn recommendation(&mut self) -> Vec<f64>;
}
