//! How soon policies solve a suite.

use super::solve::{Answer, Solution};

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
}
