//! What is measured of a policy before any game. Everything is relative to the same of a reference on the same positions.

use crate::measures::Measured;
use lmrlab_runner::number_text::{percent, signed, unsigned};

/// A measure: its column in CSV files, and its name in sentences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measure {
    /// Column of CSV files.
    pub column: &'static str,
    /// Name in tables and sentences.
    pub name: &'static str,
    /// Column of the half width of its 95% interval, where that tells how reliable it is.
    pub error_column: Option<&'static str>,
    /// What an empty cell stands for, where one is allowed.
    pub empty: Option<f64>,
}

/// The measures, in their order.
pub const MEASURES: [Measure; 7] = [
    Measure {
        column: "loss_difference",
        name: "loss of the chosen moves",
        error_column: Some("loss_difference_error_95"),
        empty: None,
    },
    Measure {
        column: "best_difference",
        name: "best moves chosen",
        error_column: Some("best_difference_error_95"),
        empty: None,
    },
    Measure {
        column: "score_error_difference",
        name: "error of the scores",
        error_column: Some("score_error_difference_error_95"),
        empty: None,
    },
    Measure {
        column: "depth_difference",
        name: "depth at equal nodes",
        error_column: None,
        empty: None,
    },
    Measure {
        column: "nodes_ratio",
        name: "nodes to a depth",
        error_column: None,
        empty: None,
    },
    Measure {
        column: "missed_rate",
        name: "missed rate of the audit",
        error_column: None,
        // Nothing was reduced, so nothing was missed.
        empty: Some(0.0),
    },
    Measure {
        column: "solved_gain",
        name: "solved positions",
        error_column: Some("solved_gain_error_95"),
        empty: None,
    },
];

/// The values of [`MEASURES`], in their order.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measures(pub [f64; MEASURES.len()]);

impl Measures {
    /// Of a policy that was measured with all of a [`Conditions`](super::Conditions)' plan; `None` when something is missing.
    /// A policy of which the audit found no move that was reduced and failed low has missed none.
    pub fn of(measured: &Measured) -> Option<Self> {
        let agreement = measured.agreement.as_ref()?;
        let missed = measured.missed?;
        Some(Self([
            agreement.loss_difference.mean,
            agreement.best_difference.mean,
            agreement.score_error_difference.mean,
            agreement.depth_difference,
            measured.tree?.log_ratio.factor().0,
            missed.rate.map_or(0.0, |rate| rate.value),
            measured.suite.as_ref()?.difference.gain() as f64,
        ]))
    }
}

/// The headings of [`Measures::cells`].
pub const HEADINGS: [&str; 8] = [
    "loss, %", "±95%", "best, %", "error, %", "depth", "nodes", "missed", "solved",
];

impl Measures {
    /// The values as a person reads them; `loss_error_95` is the error of the first.
    pub fn cells(&self, loss_error_95: Option<f64>) -> [String; HEADINGS.len()] {
        let [loss, best, error, depth, nodes, missed, solved] = self.0;
        [
            signed(Some(loss), 2),
            unsigned(loss_error_95, 2),
            signed(Some(best), 1),
            signed(Some(error), 2),
            signed(Some(depth), 2),
            unsigned(Some(nodes), 2),
            percent(Some(missed)),
            signed(Some(solved), 0),
        ]
    }
}

/// The numbers that a model reads: each measure, the tree sizes as a logarithm and as its square, because both too few and too
/// many reductions cost strength.
pub(super) struct Feature {
    /// Name in a model's file.
    pub(super) name: &'static str,
    /// The measure, by its place in [`MEASURES`].
    pub(super) measure: usize,
    /// Its value.
    pub(super) of: fn(f64) -> f64,
}

/// The features, in their order.
pub(super) const FEATURES: [Feature; MEASURES.len() + 1] = [
    Feature::plain(0),
    Feature::plain(1),
    Feature::plain(2),
    Feature::plain(3),
    Feature {
        name: "nodes_ratio_log",
        measure: 4,
        of: logarithm,
    },
    Feature {
        name: "nodes_ratio_log_square",
        measure: 4,
        of: square_of_logarithm,
    },
    Feature::plain(5),
    Feature::plain(6),
];

impl Feature {
    const fn plain(measure: usize) -> Self {
        Self {
            name: MEASURES[measure].column,
            measure,
            of: std::convert::identity,
        }
    }
}

fn logarithm(ratio: f64) -> f64 {
    libm::log(ratio)
}

fn square_of_logarithm(ratio: f64) -> f64 {
    logarithm(ratio) * logarithm(ratio)
}

impl Measures {
    /// The values of [`FEATURES`].
    pub(super) fn features(&self) -> Vec<f64> {
        FEATURES
            .iter()
            .map(|feature| (feature.of)(self.0[feature.measure]))
            .collect()
    }

    /// The values of the features of one measure alone.
    pub(super) fn features_of(&self, measure: usize) -> Vec<f64> {
        let of_measure = FEATURES.iter().filter(|feature| feature.measure == measure);
        of_measure.map(|feature| (feature.of)(self.0[measure])).collect()
    }
}
