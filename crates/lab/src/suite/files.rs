//! The answers of a suite as the lines of CSV files.

use super::question::TestPosition;
use super::solve::Answer;
use crate::each::each;
use lmrlab_results::fixed::Fixed;
use lmrlab_results::lab_rows::{AnswerRow, AnswerTime};

/// All answers: nothing in them depends on the clock, unless the clock ended the searches.
pub fn answer_rows(names: &[String], tests: &[TestPosition], rows: &[Vec<Answer>]) -> Vec<AnswerRow> {
    each(names, tests, rows, |policy, test, answer| AnswerRow {
        policy,
        position: test.id.clone(),
        fen: test.position.to_string(),
        r#move: answer.mv.map_or_else(String::new, |mv| test.uci(&[mv])),
        right: u8::from(answer.is_right),
        points: answer.points.map(u64::from),
        most_points: test.most_points().map(u64::from),
        depth: answer.depth,
        nodes: answer.nodes,
        solution_depth: answer.solution.map(|solution| solution.depth),
        solution_nodes: answer.solution.map(|solution| solution.nodes),
        expected: test.uci(&test.wanted()),
        avoided: test.uci(test.avoided()),
    })
}

/// What depends on the clock.
pub fn time_rows(names: &[String], tests: &[TestPosition], rows: &[Vec<Answer>]) -> Vec<AnswerTime> {
    let milliseconds = |time: std::time::Duration| time.as_secs_f64() * 1e3;
    each(names, tests, rows, |policy, test, answer| AnswerTime {
        policy,
        position: test.id.clone(),
        fen: test.position.to_string(),
        time_ms: milliseconds(answer.time).into(),
        solution_time_ms: Fixed(answer.solution.map(|solution| milliseconds(solution.time))),
    })
}
