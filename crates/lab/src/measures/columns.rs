//! The columns of measured variants: in a CSV file, and in a table for people, which is made from the CSV.

use super::{Measured, Plan, Strength};
use crate::audit::Audit;
use crate::suite::{Answer, SolvedDifference, solved};
use lmrlab_results::csv_file::cells;
use lmrlab_results::lab_rows::{AuditMeasured, GamesMeasured, NodesMeasured, SuiteMeasured};
use lmrlab_results::number_text::{chance, percent, signed, unsigned};
use lmrlab_results::row::Row;
use lmrlab_stats::{ERROR_HEADING, INTERVAL_HEADING, Paired};

/// Resampled sets of positions for the interval of a missed rate.
const RESAMPLES: usize = 1_000;

impl Plan {
    /// The names of the columns of a CSV.
    pub fn csv_columns(&self) -> Vec<String> {
        let groups = [
            (self.nodes.is_some(), NodesMeasured::names()),
            (self.suite.is_some(), SuiteMeasured::names()),
            (self.audit.is_some(), AuditMeasured::names()),
            (self.games.is_some(), GamesMeasured::names()),
        ];
        let measured = groups.into_iter().filter(|(is_measured, _)| *is_measured);
        measured.flat_map(|(_, names)| names).collect()
    }

    /// The cells of a variant below [`Plan::csv_columns`].
    pub fn csv_cells(&self, measured: &Measured) -> Vec<String> {
        let groups = [
            (self.nodes.is_some(), group(measured.tree.as_ref())),
            (self.suite.is_some(), group(measured.suite.as_ref())),
            (self.audit.is_some(), group(measured.missed.as_ref())),
            (
                self.games.is_some(),
                group(measured.strength.as_ref().map(games_measured).as_ref()),
            ),
        ];
        let measured = groups.into_iter().filter(|(is_measured, _)| *is_measured);
        measured.flat_map(|(_, cells)| cells).collect()
    }
}

/// The cells of a group of columns; empty cells when it was not measured.
fn group<R: Row>(row: Option<&R>) -> Vec<String> {
    row.map_or_else(|| vec![String::new(); R::names().len()], cells)
}

/// The value of a column of a CSV in one row; nothing when the cell is empty.
type Value<'v> = &'v dyn Fn(&str) -> Option<f64>;

/// A measure in a table for people: a column of the CSV that is there when it was measured, the headings, and the cells
/// below them.
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
        let pairs: f64 = GamesMeasured::names()
            .iter()
            .take(5)
            .filter_map(|column| value(column))
            .sum();
        vec![
            format!("{pairs:.0}"),
            signed(Some(elo), 1),
            unsigned(value("elo_error_95"), 1),
            chance(value("los")),
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

/// From nodes by position. The ratio is the geometric mean: every position counts alike, however large its tree.
pub(super) fn nodes_measured(nodes: &[u64], reference: &[u64]) -> NodesMeasured {
    let log = |nodes: &u64| libm::log((*nodes).max(1) as f64);
    let ratios = nodes.iter().zip(reference).map(|(here, there)| log(here) - log(there));
    let (ratio, ends) = Paired::of(&ratios.collect::<Vec<f64>>()).factor();
    let (low, high) = ends.unzip();
    NodesMeasured {
        nodes: nodes.iter().sum(),
        nodes_ratio: ratio.into(),
        nodes_ratio_low_95: low.into(),
        nodes_ratio_high_95: high.into(),
    }
}

pub(super) fn suite_measured(answers: &[Answer], reference: &[Answer]) -> SuiteMeasured {
    let difference = SolvedDifference::between(reference, answers);
    SuiteMeasured {
        solved: solved(answers) as u64,
        positions: answers.len() as u64,
        solved_gain: difference.gain(),
        solved_gain_error_95: difference.gain_error_95().into(),
    }
}

pub(super) fn audit_measured(audit: &Audit, seed: u64) -> AuditMeasured {
    let total = audit.total();
    let rate = audit.missed_rate(&audit.resamples(RESAMPLES, seed), |_| true);
    let (low, high) = rate.and_then(|rate| rate.interval).unzip();
    AuditMeasured {
        audit_dismissed: total.dismissed(),
        audit_missed: total.missed,
        missed_rate: rate.map(|rate| rate.value).into(),
        missed_rate_low_95: low.into(),
        missed_rate_high_95: high.into(),
    }
}

fn games_measured(strength: &Strength) -> GamesMeasured {
    let [n_ll, n_ld, n_dd_wl, n_wd, n_ww] = strength.pairs.counts();
    let estimate = &strength.estimate;
    GamesMeasured {
        n_ll,
        n_ld,
        n_dd_wl,
        n_wd,
        n_ww,
        elo: estimate.elo.0.into(),
        elo_error_95: estimate.elo_error_95.map(|error| error.0).into(),
        los: estimate.los.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_counts_alike() {
        let measured = nodes_measured(&[10, 4_000], &[20, 2_000]);
        assert_eq!(measured.nodes, 4_010);
        let ratio = measured.nodes_ratio.0.unwrap();
        assert!((ratio - 1.0).abs() < 1e-12, "a half and a double");
    }
}
