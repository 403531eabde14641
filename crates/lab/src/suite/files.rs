//! The answers of a suite as CSV files.

use super::question::TestPosition;
use super::solve::Answer;
use crate::sheet::Sheet;

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
        "fen",
        "expected",
    ]);
    let optional = |value: Option<u64>| value.map_or_else(String::new, |value| value.to_string());
    for (name, test, answer) in each(names, tests, rows) {
        sheet.push([
            name.clone(),
            test.id.clone(),
            test.san(answer.mv),
            u8::from(answer.is_right).to_string(),
            optional(answer.points.map(u64::from)),
            optional(test.most_points().map(u64::from)),
            answer.depth.to_string(),
            answer.nodes.to_string(),
            optional(answer.solution.map(|solution| u64::from(solution.depth))),
            optional(answer.solution.map(|solution| solution.nodes)),
            test.position.to_string(),
            test.expected(),
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
