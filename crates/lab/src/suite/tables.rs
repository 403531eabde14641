//! The results of a suite as tables.

use std::fmt::Write as _;

use cozy_chess::Move;
use cozy_chess::util::display_san_move;

use super::difference::Difference;
use super::summary::Summary;
use super::{Answer, TestPosition};
use crate::sheet::Sheet;
use crate::table::decimal;
use lmrlab_runner::summary::percent;

/// One line for each policy: what it solved and how soon.
pub fn overview(summaries: &[Summary]) -> String {
    let mut columns = vec!["policy", "solved", "of", "share"];
    if summaries.iter().any(|summary| summary.points.is_some()) {
        columns.extend(["points", "of"]);
    }
    columns.extend([
        "depth",
        "nodes to solution",
        "ms to solution",
        "nodes",
        "seconds",
    ]);
    let mut sheet = Sheet::new(columns);
    for summary in summaries {
        let mut cells = vec![
            summary.policy.clone(),
            summary.solved.to_string(),
            summary.positions.to_string(),
            percent(Some(summary.share)),
        ];
        let points = [summary.points, summary.most_points];
        cells.extend(
            points
                .into_iter()
                .flatten()
                .map(|points| points.to_string()),
        );
        cells.extend([
            format!("{:.2}", summary.mean_depth),
            decimal(summary.nodes_to_solution, 0),
            decimal(summary.ms_to_solution, 0),
            summary.nodes.to_string(),
            format!("{:.2}", summary.time_ms / 1e3),
        ]);
        sheet.push(cells);
    }
    let mut text = sheet.text(1);
    let solved_by_all = summaries.first().map_or(0, |first| first.solved_by_all);
    if solved_by_all > 0 {
        let _ = writeln!(
            text,
            "to solution: geometric means over the {solved_by_all} positions that {}",
            if summaries.len() == 1 {
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
        let difference = Difference::between(first, answers);
        let _ = writeln!(
            text,
            "\n{name} against {}: {} won, {} lost, {:+} ± {:.1} (95%)",
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
                    san(test, answers[*index].mv),
                    san(test, first[*index].mv),
                    test.position
                );
            }
        }
    }
    text
}

/// All answers: nothing in it depends on the clock, unless the clock ended the searches.
pub fn answers_table(names: &[String], tests: &[TestPosition], rows: &[Vec<Answer>]) -> Sheet {
    let mut sheet = Sheet::new([
        "policy",
        "position",
        "move",
        "right",
        "points",
        "most_points",
        "depth",
        "nodes",
        "solution_depth",
        "solution_nodes",
    ]);
    let optional = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    for (name, test, answer) in each(names, tests, rows) {
        sheet.push([
            name.clone(),
            test.id.clone(),
            san(test, answer.mv),
            u8::from(answer.is_right).to_string(),
            optional(answer.points.map(u64::from)),
            optional(test.most_points().map(u64::from)),
            answer.depth.to_string(),
            answer.nodes.to_string(),
            optional(answer.solution.map(|solution| u64::from(solution.depth))),
            optional(answer.solution.map(|solution| solution.nodes)),
        ]);
    }
    sheet
}

/// What depends on the clock.
pub fn times_table(names: &[String], tests: &[TestPosition], rows: &[Vec<Answer>]) -> Sheet {
    let mut sheet = Sheet::new(["policy", "position", "time_ms", "solution_time_ms"]);
    let milliseconds = |time: std::time::Duration| format!("{:.3}", time.as_secs_f64() * 1e3);
    for (name, test, answer) in each(names, tests, rows) {
        let solution = answer.solution.map(|solution| milliseconds(solution.time));
        sheet.push([
            name.clone(),
            test.id.clone(),
            milliseconds(answer.time),
            solution.unwrap_or_default(),
        ]);
    }
    sheet
}

fn each<'a>(
    names: &'a [String],
    tests: &'a [TestPosition],
    rows: &'a [Vec<Answer>],
) -> impl Iterator<Item = (&'a String, &'a TestPosition, &'a Answer)> {
    names.iter().zip(rows).flat_map(move |(name, answers)| {
        let answered = tests.iter().zip(answers);
        answered.map(move |(test, answer)| (name, test, answer))
    })
}

fn san(test: &TestPosition, mv: Option<Move>) -> String {
    let board = test.position.board();
    mv.filter(|mv| board.is_legal(*mv)).map_or_else(
        || "-".to_owned(),
        |mv| display_san_move(board, mv).to_string(),
    )
}
