//! The columns of measured variants: in a CSV file, and in a table for people, which is made from the CSV.

use super::{Measured, Missed, Plan, Solved, Strength, TreeSize};
use lmrlab_runner::number_text::{percent, signed, unsigned};
use lmrlab_runner::record::fixed::Fixed;
use lmrlab_stats::{ERROR_HEADING, INTERVAL_HEADING};

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
}

/// The value of a column of a CSV in one row; nothing when the cell is empty.
type Value<'v> = &'v dyn Fn(&str) -> Option<f64>;

/// A measure in a table for people: the column of the CSV that shows that it was measured, the headings, and the cells below them.
type Shown = (&'static str, &'static [&'static str], fn(Value<'_>) -> Vec<String>);

const SHOWN: [Shown; 4] = [
    ("nodes", &["nodes", "ratio", INTERVAL_HEADING], |value| {
        let ratio = |ratio: f64| format!("{ratio:.3}");
        vec![
            or_dash(value("nodes"), |nodes| format!("{nodes:.0}")),
            or_dash(value("nodes_ratio"), ratio),
            interval(value, "nodes_ratio", ratio),
        ]
    }),
    ("solved", &["solved", "gain", ERROR_HEADING], |value| {
        vec![
            or_dash(value("solved"), |solved| format!("{solved:.0}")),
            or_dash(value("solved_gain"), |gain| format!("{gain:+.0}")),
            or_dash(value("solved_gain_error_95"), |error| format!("{error:.1}")),
        ]
    }),
    ("missed_rate", &["missed", INTERVAL_HEADING], |value| {
        let share = |share| percent(Some(share));
        vec![
            or_dash(value("missed_rate"), share),
            interval(value, "missed_rate", share),
        ]
    }),
    ("elo", &["pairs", "Elo", ERROR_HEADING, "LOS"], |value| {
        let Some(elo) = value("elo") else {
            return vec!["-".to_owned(); 4];
        };
        let pairs: f64 = Strength::COLUMNS[..5].iter().filter_map(|column| value(column)).sum();
        vec![
            format!("{pairs:.0}"),
            signed(Some(elo), 1),
            unsigned(value("elo_error_95"), 1),
            percent(value("los")),
        ]
    }),
];

/// The headings of a table for people, of a CSV that has some of the columns of [`Plan::csv_columns`].
pub fn shown_headings(has: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let shown = SHOWN.iter().filter(|(column, ..)| has(column));
    shown.flat_map(|(_, headings, _)| headings.iter().copied()).collect()
}

/// The cells below [`shown_headings`], from the values in a row of the CSV.
pub fn shown_cells(has: impl Fn(&str) -> bool, value: impl Fn(&str) -> Option<f64>) -> Vec<String> {
    let shown = SHOWN.iter().filter(|(column, ..)| has(column));
    shown.flat_map(|(_, _, cells)| cells(&value)).collect()
}

fn or_dash(value: Option<f64>, text: impl Fn(f64) -> String) -> String {
    value.map_or_else(|| "-".to_owned(), text)
}

fn interval(value: Value<'_>, of: &str, text: impl Fn(f64) -> String) -> String {
    let ends = value(&format!("{of}_low_95")).zip(value(&format!("{of}_high_95")));
    ends.map_or_else(
        || "-".to_owned(),
        |(low, high)| format!("{} - {}", text(low), text(high)),
    )
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
