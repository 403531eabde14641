//! The covariance of fitted ratings: how uncertain they are.

use super::fit::{Fit, sign};
use crate::linear_algebra::Cholesky;

/// Covariance of the fitted parameters, in natural units.
///
/// The sandwich estimate: the inverse of the second derivatives, times the variance of the first ones, times that inverse.
/// Results vary less than the likelihood assumes, because of draws, and the two games of an opening are not independent.
#[derive(Debug, Clone)]
pub(super) struct Covariance {
    /// Number of parameters: the ratings, and the advantage of the first move as the last.
    size: usize,
    /// Row by row.
    matrix: Vec<f64>,
}

impl Covariance {
    /// `None` when the second derivatives cannot be inverted.
    pub(super) fn of(fit: &Fit, groups: &[usize]) -> Option<Self> {
        let white = groups.len();
        let with_white = fit.white_advantage.is_some();
        let size = white + 1;
        let place = |row: usize, column: usize| row * size + column;
        let mut curvature = vec![0.0; size * size];
        let mut noise = vec![0.0; size * size];
        let correlation = fit.pair_correlation.unwrap_or(0.0);
        for pairing in &fit.pairings {
            // How the parameters enter the first player's lead.
            let factors = |color: usize| {
                let advantage = if with_white { sign(color) } else { 0.0 };
                [(pairing.first, 1.0), (pairing.second, -1.0), (white, advantage)]
            };
            let mut deviations = [0.0; 2];
            for (color, deviation) in deviations.iter_mut().enumerate() {
                let games = pairing.encounter.by_color[color].games() as f64;
                let expected = fit.expected(pairing, color);
                let variance = fit.variance(pairing, color);
                *deviation = variance.sqrt();
                for (i, a) in factors(color) {
                    for (j, b) in factors(color) {
                        curvature[place(i, j)] += a * b * games * expected * (1.0 - expected);
                        noise[place(i, j)] += a * b * games * variance;
                    }
                }
            }
            let pairs: u64 = pairing.encounter.pairs.iter().flatten().sum();
            let together = correlation * pairs as f64 * deviations[0] * deviations[1];
            for (i, a) in factors(0) {
                for (j, b) in factors(1) {
                    noise[place(i, j)] += a * b * together;
                    noise[place(j, i)] += a * b * together;
                }
            }
        }
        if !with_white {
            curvature[place(white, white)] = 1.0;
        }
        // Only differences within a group have a meaning. This fixes the means, and cancels below.
        for i in 0..white {
            for j in 0..white {
                if groups[i] == groups[j] {
                    curvature[place(i, j)] += 1.0;
                }
            }
        }
        // Both matrices are symmetric, so the rows of the first result are the columns of the second problem.
        let curvature = Cholesky::new(curvature, size)?;
        let mut matrix = noise;
        curvature.solve_rows(&mut matrix);
        transpose(&mut matrix, size);
        curvature.solve_rows(&mut matrix);
        Some(Self { size, matrix })
    }

    /// Of two players' ratings, by place, each relative to the mean of its group.
    pub(super) fn between(&self, first: usize, second: usize) -> f64 {
        self.matrix[first * self.size + second]
    }

    /// Variance of the advantage of the first move.
    pub(super) fn of_white_advantage(&self) -> f64 {
        self.between(self.size - 1, self.size - 1)
    }
}

fn transpose(matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            matrix.swap(row * size + column, column * size + row);
        }
    }
}
