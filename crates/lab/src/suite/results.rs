//! The results of a suite, policy by policy.

use serde::Serialize;

use super::difference::SolvedDifference;
use super::question::TestPosition;
use super::solution_means::SolutionMeans;
use super::solve::Answer;

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
    let soon = SolutionMeans::of(rows);
    let result = |(index, (name, answers)): (usize, (&String, &Vec<Answer>))| {
        let (solved, positions) = (solved(answers), answers.len());
        let has_points = tests.iter().any(|test| test.most_points().is_some());
        let points = answers.iter().map(|answer| u64::from(answer.points.unwrap_or(0)));
        let most_points = tests.iter().map(|test| u64::from(test.most_points().unwrap_or(0)));
        let depths: u64 = answers.iter().map(|answer| u64::from(answer.depth)).sum();
        let count = (positions as f64).max(1.0);
        let mean =
            |means: fn(&SolutionMeans) -> &Vec<f64>| soon.as_ref().and_then(|soon| means(soon).get(index).copied());
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
            solved_by_all: soon.as_ref().map_or(0, |soon| soon.positions),
            nodes_to_solution: mean(|soon| &soon.nodes),
            ms_to_solution: mean(|soon| &soon.milliseconds),
            difference: rows
                .first()
                .filter(|_| differences && index > 0)
                .map(|first| WonAndLost::between(tests, first, answers)),
        }
    };
    names.iter().zip(rows).enumerate().map(result).collect()
}
