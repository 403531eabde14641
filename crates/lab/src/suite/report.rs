//! The results of a suite as text.

use std::fmt::Write as _;

use super::difference::SolvedDifference;
use super::question::TestPosition;
use super::results::PolicyResult;
use super::solve::Answer;
use lmrlab_results::number_text::{percent, unsigned};
use lmrlab_runner::text_table::TextTable;
use lmrlab_stats::CONFIDENCE;

/// One line for each policy: what it solved and how soon.
pub fn overview(results: &[PolicyResult]) -> String {
    let mut columns = vec!["policy", "solved", "of", "share"];
    if results.iter().any(|result| result.points.is_some()) {
        columns.extend(["points", "of"]);
    }
    columns.extend(["depth", "nodes to solution", "ms to solution", "nodes", "seconds"]);
    let mut table = TextTable::new(1, columns);
    for result in results {
        let mut cells = vec![
            result.policy.clone(),
            result.solved.to_string(),
            result.positions.to_string(),
            percent(Some(result.share)),
        ];
        let points = [result.points, result.most_points];
        cells.extend(points.into_iter().flatten().map(|points| points.to_string()));
        cells.extend([
            format!("{:.2}", result.mean_depth),
            unsigned(result.nodes_to_solution, 0),
            unsigned(result.ms_to_solution, 0),
            result.nodes.to_string(),
            format!("{:.2}", result.time_ms / 1e3),
        ]);
        table.push(cells);
    }
    let mut text = table.to_string();
    let solved_by_all = results.first().map_or(0, |first| first.solved_by_all);
    if solved_by_all > 0 {
        let _ = writeln!(
            text,
            "to solution: geometric means over the {solved_by_all} positions that {}",
            if results.len() == 1 {
                "were solved"
            } else {
                "all solved"
            }
        );
    }
    text
}

/// The positions that each policy won and lost against the first.
pub fn differences(names: &[String], tests: &[TestPosition], rows: &[Vec<Answer>]) -> String {
    let mut text = String::new();
    let Some((first, others)) = rows.split_first() else {
        return text;
    };
    for (name, answers) in names.iter().skip(1).zip(others) {
        let difference = SolvedDifference::between(first, answers);
        let _ = writeln!(
            text,
            "\n{name} against {}: {} won, {} lost, {:+} ± {:.1} ({CONFIDENCE})",
            names[0],
            difference.won.len(),
            difference.lost.len(),
            difference.gain(),
            difference.gain_error_95()
        );
        for (word, positions) in [("won", &difference.won), ("lost", &difference.lost)] {
            for index in positions {
                let test = &tests[*index];
                let _ = writeln!(
                    text,
                    "  {word:<4}  {}: {}, not {}  {}",
                    test.id,
                    test.san(answers[*index].mv),
                    test.san(first[*index].mv),
                    test.position
                );
            }
        }
    }
    text
}
