//! The columns of measured variants: in a CSV file, and in a table of text.

use super::{Measured, Missed, Plan, Solved, Strength, TreeSize};
use lmrlab_runner::number_text::{percent, signed, unsigned};
use lmrlab_runner::record::fixed::Fixed;

impl Plan {
    /// The names of the columns of a CSV.
    pub fn csv_columns(&self) -> Vec<&'static str> {
        let mut columns = Vec::new();
        if self.nodes.is_some() {
            columns.extend(["nodes", "nodes_ratio", "nodes_ratio_low_95", "nodes_ratio_high_95"]);
        }
        if self.suite.is_some() {
            columns.extend(["solved", "positions", "solved_gain", "solved_gain_error_95"]);
        }
        if self.audit.is_some() {
            columns.extend([
                "audit_dismissed",
                "audit_missed",
                "missed_rate",
                "missed_rate_low_95",
                "missed_rate_high_95",
            ]);
        }
        if self.games.is_some() {
            columns.extend(Strength::COLUMNS);
        }
        columns
    }

    /// The cells of a variant below [`Plan::csv_columns`].
    pub fn csv_cells(&self, measured: &Measured) -> Vec<String> {
        let mut cells = Vec::new();
        if self.nodes.is_some() {
            cells.extend(measured.tree.as_ref().map_or_else(Default::default, tree_cells));
        }
        if self.suite.is_some() {
            cells.extend(measured.suite.as_ref().map_or_else(Default::default, suite_cells));
        }
        if self.audit.is_some() {
            cells.extend(measured.missed.as_ref().map_or_else(Default::default, missed_cells));
        }
        if self.games.is_some() {
            cells.extend(
                measured
                    .strength
                    .as_ref()
                    .map_or_else(Default::default, Strength::cells),
            );
        }
        cells
    }

    /// The headings of a person's table.
    pub fn headings(&self) -> Vec<&'static str> {
        let mut headings = Vec::new();
        if self.nodes.is_some() {
            headings.extend(["nodes", "ratio", "95% interval"]);
        }
        if self.suite.is_some() {
            headings.extend(["solved", "gain", "±95%"]);
        }
        if self.audit.is_some() {
            headings.extend(["missed", "95% interval"]);
        }
        if self.games.is_some() {
            headings.extend(["pairs", "Elo", "±95%", "LOS"]);
        }
        headings
    }

    /// The cells of a variant below [`Plan::headings`].
    pub fn cells(&self, measured: &Measured) -> Vec<String> {
        let dash = || "-".to_owned();
        let mut cells = Vec::new();
        if self.nodes.is_some() {
            cells.extend(measured.tree.map_or([dash(), dash(), dash()], |tree| {
                let (ratio, ends) = tree.log_ratio.factor();
                let ends = ends.map(|(low, high)| format!("{low:.3} - {high:.3}"));
                [tree.nodes.to_string(), format!("{ratio:.3}"), ends.unwrap_or_else(dash)]
            }));
        }
        if self.suite.is_some() {
            let solved = measured.suite.as_ref();
            cells.extend(solved.map_or([dash(), dash(), dash()], |solved| {
                [
                    solved.score.solved.to_string(),
                    format!("{:+}", solved.difference.gain()),
                    format!("{:.1}", solved.difference.gain_error_95()),
                ]
            }));
        }
        if self.audit.is_some() {
            let rate = measured.missed.and_then(|missed| missed.rate);
            cells.extend(rate.map_or([dash(), dash()], |rate| {
                let ends = rate
                    .interval
                    .map(|(low, high)| format!("{} - {}", percent(Some(low)), percent(Some(high))));
                [percent(Some(rate.value)), ends.unwrap_or_else(dash)]
            }));
        }
        if self.games.is_some() {
            let strength = measured.strength.as_ref();
            cells.extend(strength.map_or([dash(), dash(), dash(), dash()], |strength| {
                let estimate = &strength.estimate;
                [
                    strength.pairs.pairs().to_string(),
                    signed(Some(estimate.elo.0), 1),
                    unsigned(estimate.elo_error_95.map(|error| error.0), 1),
                    percent(Some(estimate.los)),
                ]
            }));
        }
        cells
    }
}

fn tree_cells(tree: &TreeSize) -> [String; 4] {
    let (ratio, ends) = tree.log_ratio.factor();
    [
        tree.nodes.to_string(),
        Fixed::<6>(Some(ratio)).to_string(),
        Fixed::<6>(ends.map(|(low, _)| low)).to_string(),
        Fixed::<6>(ends.map(|(_, high)| high)).to_string(),
    ]
}

fn suite_cells(solved: &Solved) -> [String; 4] {
    [
        solved.score.solved.to_string(),
        solved.score.positions.to_string(),
        solved.difference.gain().to_string(),
        Fixed::<3>(Some(solved.difference.gain_error_95())).to_string(),
    ]
}

fn missed_cells(missed: &Missed) -> [String; 5] {
    let interval = missed.rate.and_then(|rate| rate.interval);
    [
        missed.dismissed.to_string(),
        missed.missed.to_string(),
        Fixed::<6>(missed.rate.map(|rate| rate.value)).to_string(),
        Fixed::<6>(interval.map(|(low, _)| low)).to_string(),
        Fixed::<6>(interval.map(|(_, high)| high)).to_string(),
    ]
}

impl Strength {
    /// The names of the columns of a CSV.
    pub(crate) const COLUMNS: [&str; 8] = ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww", "elo", "elo_error_95", "los"];

    /// The cells below [`Self::COLUMNS`].
    pub(crate) fn cells(&self) -> [String; 8] {
        let [ll, ld, even, wd, ww] = self.pairs.counts().map(|count| count.to_string());
        let estimate = &self.estimate;
        [
            ll,
            ld,
            even,
            wd,
            ww,
            Fixed::<3>(Some(estimate.elo.0)).to_string(),
            Fixed::<3>(estimate.elo_error_95.map(|error| error.0)).to_string(),
            Fixed::<6>(Some(estimate.los)).to_string(),
        ]
    }
}
