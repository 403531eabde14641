//! Scores of several policies, each compared with the first one on the same moves.

use std::path::Path;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_results::csv_file::write;
use lmrlab_results::failure::Failure;
use lmrlab_results::fixed::Shortest;
use lmrlab_results::lab_rows::ScoreRow;
use lmrlab_results::number_text::percent;
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::{ERROR_HEADING, Resamples};

use super::score::{Score, Tally};
use crate::node_kinds::kind_name;

/// A policy against the first one. The intervals come from resampling positions.
fn row(policy: &str, score: &Score, first: &Score, kind: Option<NodeKind>, resamples: &Resamples) -> ScoreRow {
    let (tally, of_first) = (score.total(kind), first.total(kind));
    let ends = |statistic: &dyn Fn(&Tally, &Tally) -> Option<f64>| {
        let interval = resamples.interval(|times| statistic(&score.sum(times, kind), &first.sum(times, kind)));
        let (low, high) = interval.unzip();
        (Shortest(low), Shortest(high))
    };
    let ratio = |own: &Tally, first: &Tally| (first.nodes > 0.0).then(|| own.nodes / first.nodes);
    let missed = |own: &Tally, first: &Tally| Some(own.missed_share()? - first.missed_share()?);
    let missed_nodes = |own: &Tally, first: &Tally| Some(own.missed_nodes_share()? - first.missed_nodes_share()?);
    let (nodes_ratio_low_95, nodes_ratio_high_95) = ends(&ratio);
    let (missed_difference_low_95, missed_difference_high_95) = ends(&missed);
    let (missed_nodes_difference_low_95, missed_nodes_difference_high_95) = ends(&missed_nodes);
    ScoreRow {
        policy: policy.to_owned(),
        expected: kind.map_or("", kind_name).to_owned(),
        curves: tally.curves,
        moves: tally.moves.into(),
        raising: tally.raising.into(),
        nodes_share: tally.nodes_share().into(),
        nodes_ratio: ratio(&tally, &of_first).into(),
        nodes_ratio_low_95,
        nodes_ratio_high_95,
        missed_share: tally.missed_share().into(),
        missed_difference: missed(&tally, &of_first).into(),
        missed_difference_low_95,
        missed_difference_high_95,
        missed_nodes_share: tally.missed_nodes_share().into(),
        missed_nodes_difference: missed_nodes(&tally, &of_first).into(),
        missed_nodes_difference_low_95,
        missed_nodes_difference_high_95,
        false_alarm_share: tally.false_alarm_share().into(),
        unknown_share: (tally.moves > 0.0).then(|| tally.unknown / tally.moves).into(),
    }
}

/// The scores of policies, by their names, as a table. `resamples` sets of positions give the intervals.
pub fn score_table(scores: &[(&str, Score)], resamples: usize, seed: u64) -> String {
    let Some((_, first)) = scores.first() else {
        return String::new();
    };
    let sets = first.resamples(resamples, seed);
    let mut table = TextTable::new(
        1,
        [
            "policy",
            "nodes",
            "ratio",
            ERROR_HEADING,
            "missed",
            ERROR_HEADING,
            "by nodes",
            ERROR_HEADING,
            "false alarms",
            "unknown",
        ],
    );
    for (index, (name, score)) in scores.iter().enumerate() {
        let row = row(name, score, first, None, &sets);
        let half = |low: Shortest, high: Shortest| Some((high.0? - low.0?) / 2.0).filter(|_| index > 0);
        let missed_nodes = half(row.missed_nodes_difference_low_95, row.missed_nodes_difference_high_95);
        table.push([
            (*name).to_owned(),
            percent(row.nodes_share.0),
            decimals(row.nodes_ratio.0, 3),
            decimals(half(row.nodes_ratio_low_95, row.nodes_ratio_high_95), 3),
            percent(row.missed_share.0),
            points(half(row.missed_difference_low_95, row.missed_difference_high_95)),
            hundredths(row.missed_nodes_share.0),
            hundredths(missed_nodes),
            percent(row.false_alarm_share.0),
            percent(row.unknown_share.0),
        ]);
    }
    let mut kinds = TextTable::new(
        2,
        [
            "policy",
            "node",
            "curves",
            "nodes",
            "missed",
            "by nodes",
            "false alarms",
        ],
    );
    for (name, score) in scores {
        for kind in Score::KINDS {
            let tally = score.total(Some(kind));
            if tally.curves == 0 {
                continue;
            }
            kinds.push([
                (*name).to_owned(),
                kind_name(kind).to_owned(),
                tally.curves.to_string(),
                percent(tally.nodes_share()),
                percent(tally.missed_share()),
                hundredths(tally.missed_nodes_share()),
                percent(tally.false_alarm_share()),
            ]);
        }
    }
    format!(
        "{table}nodes: of all searches of the moves, as a share of those at full depth; ratio: to those of the first policy\n\
         missed: of the moves that raise alpha at full depth, those that do not raise it with the reduction\n\
         by nodes: the nodes at full depth of the missed moves, as a share of those of all moves\n\
         false alarms: of the moves that fail low at full depth, those with a first search that raises alpha\n\
         unknown: moves with a reduction beyond their curve; they count as missed when they raise alpha at full depth, with the nodes of its last point\n\
         {ERROR_HEADING}: of the difference to the first policy, on the same positions\n\n{kinds}"
    )
}

/// Writes the scores of policies, by their names, into a CSV file: for each policy a line of all nodes, and one for each kind.
///
/// # Errors
/// When the file cannot be written.
pub fn write_scores(path: &Path, scores: &[(&str, Score)], resamples: usize, seed: u64) -> Result<(), Failure> {
    let Some((_, first)) = scores.first() else {
        return Ok(());
    };
    let sets = first.resamples(resamples, seed);
    let kinds = || std::iter::once(None).chain(Score::KINDS.map(Some));
    let rows = (scores.iter()).flat_map(|(name, score)| kinds().map(|kind| row(name, score, first, kind, &sets)));
    write(path, rows)
}

fn decimals(value: Option<f64>, count: usize) -> String {
    value.map_or("-".to_owned(), |value| format!("{value:.count$}"))
}

/// A share as percent, with one decimal, or `-`.
fn points(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{:.1}%", 100.0 * value))
}

/// A small share as percent, with two decimals, or `-`.
fn hundredths(value: Option<f64>) -> String {
    value.map_or("-".to_owned(), |value| format!("{:.2}%", 100.0 * value))
}
