//! Scores of several policies, each compared with the first one on the same moves.

use std::path::Path;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_results::csv_file::write;
use lmrlab_results::fixed::Shortest;
use lmrlab_results::lab_rows::ScoreRow;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::number_text::percent;
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::{ERROR_HEADING, Resamples};

use super::score::{Score, Tally};
use crate::node_kinds::kind_name;

/// A value, and its 95% interval from resampling positions.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Estimate {
    value: Option<f64>,
    interval: Option<(f64, f64)>,
}

/// A policy against the first one.
#[derive(Debug, Clone, PartialEq)]
struct Line {
    tally: Tally,
    nodes_ratio: Estimate,
    missed_difference: Estimate,
    missed_nodes_difference: Estimate,
}

fn line(score: &Score, first: &Score, kind: Option<NodeKind>, resamples: &Resamples) -> Line {
    let estimate = |statistic: &dyn Fn(&Tally, &Tally) -> Option<f64>| Estimate {
        value: statistic(&score.total(kind), &first.total(kind)),
        interval: resamples.interval(|times| statistic(&score.sum(times, kind), &first.sum(times, kind))),
    };
    let difference =
        |part: fn(&Tally) -> Option<f64>| estimate(&|own: &Tally, first: &Tally| Some(part(own)? - part(first)?));
    Line {
        tally: score.total(kind),
        nodes_ratio: estimate(&|own, first| (first.nodes > 0.0).then(|| own.nodes / first.nodes)),
        missed_difference: difference(Tally::missed_share),
        missed_nodes_difference: difference(Tally::missed_nodes_share),
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
        let Line {
            tally,
            nodes_ratio,
            missed_difference,
            missed_nodes_difference,
        } = line(score, first, None, &sets);
        let half = |estimate: Estimate| {
            let half = estimate.interval.map(|(low, high)| (high - low) / 2.0);
            half.filter(|_| index > 0)
        };
        table.push([
            (*name).to_owned(),
            percent(tally.nodes_share()),
            decimals(nodes_ratio.value, 3),
            decimals(half(nodes_ratio), 3),
            percent(tally.missed_share()),
            points(half(missed_difference)),
            hundredths(tally.missed_nodes_share()),
            hundredths(half(missed_nodes_difference)),
            percent(tally.false_alarm_share()),
            percent((tally.moves > 0.0).then(|| tally.unknown / tally.moves)),
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
    let rows = scores.iter().flat_map(|(name, score)| {
        let lines = kinds().map(|kind| (kind, line(score, first, kind, &sets)));
        lines.map(|(kind, line)| row(name, kind, &line))
    });
    write(path, rows)
}

fn row(policy: &str, kind: Option<NodeKind>, line: &Line) -> ScoreRow {
    let Line {
        tally,
        nodes_ratio,
        missed_difference,
        missed_nodes_difference,
    } = line;
    let ends = |estimate: &Estimate| {
        let (low, high) = estimate.interval.unzip();
        (Shortest(low), Shortest(high))
    };
    let (nodes_ratio_low_95, nodes_ratio_high_95) = ends(nodes_ratio);
    let (missed_difference_low_95, missed_difference_high_95) = ends(missed_difference);
    let (missed_nodes_difference_low_95, missed_nodes_difference_high_95) = ends(missed_nodes_difference);
    ScoreRow {
        policy: policy.to_owned(),
        expected: kind.map_or("", kind_name).to_owned(),
        curves: tally.curves,
        moves: tally.moves.into(),
        raising: tally.raising.into(),
        nodes_share: tally.nodes_share().into(),
        nodes_ratio: nodes_ratio.value.into(),
        nodes_ratio_low_95,
        nodes_ratio_high_95,
        missed_share: tally.missed_share().into(),
        missed_difference: missed_difference.value.into(),
        missed_difference_low_95,
        missed_difference_high_95,
        missed_nodes_share: tally.missed_nodes_share().into(),
        missed_nodes_difference: missed_nodes_difference.value.into(),
        missed_nodes_difference_low_95,
        missed_nodes_difference_high_95,
        false_alarm_share: tally.false_alarm_share().into(),
        unknown_share: (tally.moves > 0.0).then(|| tally.unknown / tally.moves).into(),
    }
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
