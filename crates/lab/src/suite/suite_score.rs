//! Sums and means over the answers to a suite.

use super::question::TestPosition;
use super::solve::{Answer, Solution};

/// Sums over the positions of a suite.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SuiteScore {
    /// Positions.
    pub positions: usize,
    /// Positions solved.
    pub solved: usize,
    /// Points gained, over the positions that have points to give.
    pub points: u64,
    /// Points that could be gained; 0 when no position has any to give.
    pub most_points: u64,
    /// Mean of the last iterations, in plies.
    pub mean_depth: f64,
    /// Nodes of all searches.
    pub nodes: u64,
}

impl SuiteScore {
    /// Of the answers to these positions, in the same order.
    pub fn of(tests: &[TestPosition], answers: &[Answer]) -> Self {
        let depths: u64 = answers.iter().map(|answer| u64::from(answer.depth)).sum();
        Self {
            positions: answers.len(),
            solved: answers.iter().filter(|answer| answer.is_right).count(),
            points: answers.iter().map(|answer| u64::from(answer.points.unwrap_or(0))).sum(),
            most_points: tests
                .iter()
                .map(|test| u64::from(test.most_points().unwrap_or(0)))
                .sum(),
            mean_depth: depths as f64 / (answers.len() as f64).max(1.0),
            nodes: answers.iter().map(|answer| answer.nodes).sum(),
        }
    }

    /// Share of the positions that were solved, 0 to 1.
    pub fn share(&self) -> f64 {
        self.solved as f64 / (self.positions as f64).max(1.0)
    }
}

/// How soon each row of answers had its solutions, over the positions that all rows solved.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct SolutionMeans {
    /// How many positions those are; at least one.
    pub positions: usize,
    /// Geometric means of the nodes to the solution, one for each row.
    pub nodes: Vec<f64>,
    /// Geometric means of the time to the solution in milliseconds.
    pub milliseconds: Vec<f64>,
}

impl SolutionMeans {
    /// Of rows of answers to the same positions; `None` when there is no position that all solved.
    pub(super) fn of(rows: &[Vec<Answer>]) -> Option<Self> {
        let positions = rows.first().map_or(0, Vec::len);
        let solution = |row: &[Answer], index: usize| row.get(index)?.solution;
        let common: Vec<usize> = (0..positions)
            .filter(|index| rows.iter().all(|row| solution(row, *index).is_some()))
            .collect();
        let means = |quantity: fn(Solution) -> f64| {
            let mean = |row: &Vec<Answer>| {
                let solutions = common.iter().filter_map(|index| solution(row, *index));
                let sum: f64 = solutions.map(|solution| libm::log(quantity(solution))).sum();
                libm::exp(sum / common.len() as f64)
            };
            rows.iter().map(mean).collect()
        };
        (!common.is_empty()).then(|| Self {
            positions: common.len(),
            nodes: means(|solution| solution.nodes.max(1) as f64),
            milliseconds: means(|solution| solution.time.as_secs_f64().max(1e-6) * 1e3),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn answer(solved_after: Option<u64>) -> Answer {
        Answer {
            mv: None,
            is_right: solved_after.is_some(),
            points: Some(2),
            depth: 5,
            nodes: 1_000,
            time: Duration::from_millis(3),
            solution: solved_after.map(|nodes| Solution {
                depth: 3,
                nodes,
                time: Duration::from_millis(2),
            }),
        }
    }

    #[test]
    fn means_are_over_what_all_solved() {
        let rows = [
            vec![answer(Some(100)), answer(Some(10_000)), answer(Some(7))],
            vec![answer(Some(10)), answer(Some(10)), answer(None)],
        ];
        let means = SolutionMeans::of(&rows).unwrap();
        assert_eq!(means.positions, 2);
        assert!((means.nodes[0] - 1_000.0).abs() < 1e-9);
        assert!((means.nodes[1] - 10.0).abs() < 1e-9);
        assert!((means.milliseconds[1] - 2.0).abs() < 1e-9);
        assert_eq!(SolutionMeans::of(&[vec![answer(None)]]), None);
        assert_eq!(SolutionMeans::of(&[]), None);
    }

    #[test]
    fn sums() {
        let score = SuiteScore::of(&[], &[answer(Some(1)), answer(None)]);
        assert_eq!(
            (score.positions, score.solved, score.points, score.nodes),
            (2, 1, 4, 2_000)
        );
        assert_eq!((score.share(), score.mean_depth), (0.5, 5.0));
    }
}
