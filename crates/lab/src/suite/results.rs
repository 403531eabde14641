//! The results of a suite, policy by policy.

use serde::Serialize;

use super::difference::SolvedDifference;
use super::question::TestPosition;
use super::solve::Answer;
use lmrlab_stats::geometric_mean;

/// The result of one policy.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PolicyResult {
    /// The policy.
    pub policy: String,
    /// Positions solved.
    pub solved: usize,
    /// Positions.
    pub positions: usize,
    /// The share of positions solved, 0 to 1.
    pub share: f64,
    /// Points gained; `None` when no position has any to give.
    pub points: Option<u64>,
    /// Points that could be gained.
    pub most_points: Option<u64>,
    /// Mean of the last iterations, in plies.
    pub mean_depth: f64,
    /// Nodes of all searches.
    pub nodes: u64,
    /// Time of all searches, in milliseconds.
    pub time_ms: f64,
    /// Positions that all policies solved.
    pub solved_by_all: usize,
    /// Geometric mean of the nodes to the solution over those; `None` when there are none.
    pub nodes_to_solution: Option<f64>,
    /// The same of the time, in milliseconds.
    pub ms_to_solution: Option<f64>,
    /// Against the first policy; `None` for the first, and when no differences were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<WonAndLost>,
}

/// Which positions a policy wins and loses against the first.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WonAndLost {
    /// Positions that this one solves and the first does not.
    pub won: Vec<String>,
    /// Positions that the first solves and this one does not.
    pub lost: Vec<String>,
    /// How many more positions this one solves.
    pub gain: i64,
    /// Half the width of that number's 95% interval.
    pub gain_error_95: f64,
}

impl WonAndLost {
    fn between(tests: &[TestPosition], first: &[Answer], answers: &[Answer]) -> Self {
        let difference = SolvedDifference::between(first, answers);
        let ids = |indices: &[usize]| {
            let tests = indices.iter().filter_map(|index| tests.get(*index));
            tests.map(|test| test.id.clone()).collect()
        };
        Self {
            won: ids(&difference.won),
            lost: ids(&difference.lost),
            gain: difference.gain(),
            gain_error_95: difference.gain_error_95(),
        }
    }
}

/// How many of the answers are right.
pub(crate) fn solved(answers: &[Answer]) -> usize {
    answers.iter().filter(|answer| answer.is_right).count()
}

/// One result for each row of answers to the same positions. With `differences`, each is compared with the first.
pub fn results(names: &[String], tests: &[TestPosition], rows: &[Vec<Answer>], differences: bool) -> Vec<PolicyResult> {
    let solved_by_all: Vec<usize> = (0..rows.first().map_or(0, Vec::len))
        .filter(|index| (rows.iter()).all(|row| row.get(*index).is_some_and(|answer| answer.solution.is_some())))
        .collect();
    let result = |(index, (name, answers)): (usize, (&String, &Vec<Answer>))| {
        let (solved, positions) = (solved(answers), answers.len());
        let has_points = tests.iter().any(|test| test.most_points().is_some());
        let points = answers.iter().map(|answer| u64::from(answer.points.unwrap_or(0)));
        let most_points = tests.iter().map(|test| u64::from(test.most_points().unwrap_or(0)));
        let depths: u64 = answers.iter().map(|answer| u64::from(answer.depth)).sum();
        let count = (positions as f64).max(1.0);
        let solutions = || solved_by_all.iter().filter_map(|index| answers.get(*index)?.solution);
        let seconds: f64 = answers.iter().map(|answer| answer.time.as_secs_f64()).sum();
        PolicyResult {
            policy: name.clone(),
            solved,
            positions,
            share: solved as f64 / count,
            points: has_points.then(|| points.sum()),
            most_points: has_points.then(|| most_points.sum()),
            mean_depth: depths as f64 / count,
            nodes: answers.iter().map(|answer| answer.nodes).sum(),
            time_ms: seconds * 1e3,
            solved_by_all: solved_by_all.len(),
            nodes_to_solution: geometric_mean(solutions().map(|solution| solution.nodes.max(1) as f64)),
            ms_to_solution: geometric_mean(solutions().map(|solution| solution.time.as_secs_f64().max(1e-6) * 1e3)),
            difference: rows
                .first()
                .filter(|_| differences && index > 0)
                .map(|first| WonAndLost::between(tests, first, answers)),
        }
    };
    names.iter().zip(rows).enumerate().map(result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::Solution;
    use std::time::Duration;

    #[test]
    fn means_are_over_what_all_solved() {
        let answer = |nodes: Option<u64>| Answer {
            mv: None,
            is_right: nodes.is_some(),
            points: None,
            depth: 5,
            nodes: 1_000,
            time: Duration::from_millis(3),
            solution: nodes.map(|nodes| Solution {
                depth: 3,
                nodes,
                time: Duration::from_millis(2),
            }),
        };
        let rows = [[Some(100), Some(10_000), Some(7)], [Some(10), Some(10), None]].map(|row| row.map(answer).to_vec());
        let results = results(&["a", "b"].map(str::to_owned), &[], &rows, false);
        assert_eq!(results[0].solved_by_all, 2);
        assert!((results[0].nodes_to_solution.unwrap() - 1_000.0).abs() < 1e-9);
        assert!((results[1].ms_to_solution.unwrap() - 2.0).abs() < 1e-9);
    }
}
