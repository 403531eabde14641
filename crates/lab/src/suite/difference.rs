//! The positions that one policy solves and another does not.

use super::solve::Answer;

/// The positions at which two rows of answers differ: one answer is right, the other is not.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SolvedDifference {
    /// Positions, by their index, that the second solved and the first did not.
    pub won: Vec<usize>,
    /// Positions that the first solved and the second did not.
    pub lost: Vec<usize>,
}

impl SolvedDifference {
    /// From the answers of `first` to those of `second` to the same positions.
    pub fn between(first: &[Answer], second: &[Answer]) -> Self {
        let mut difference = Self::default();
        for (index, (before, after)) in first.iter().zip(second).enumerate() {
            match (before.row.right, after.row.right) {
                (0, 1) => difference.won.push(index),
                (1, 0) => difference.lost.push(index),
                _ => {}
            }
        }
        difference
    }

    /// How many more positions the second solved.
    pub fn gain(&self) -> i64 {
        self.won.len() as i64 - self.lost.len() as i64
    }

    /// Half the width of the 95% interval of [`SolvedDifference::gain`]: positions that both solve or
    /// both miss do not count (McNemar 1947).
    pub fn gain_error_95(&self) -> f64 {
        let (won, lost) = (self.won.len() as f64, self.lost.len() as f64);
        lmrlab_stats::DEVIATIONS_95 * (won + lost).sqrt()
    }
}
