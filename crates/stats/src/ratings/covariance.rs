//! The covariance of fitted ratings: how uncertain they are.
//!
//! The sandwich estimate: the inverse of the second derivatives, times the variance of the first ones, times that inverse.
//! Results vary less than the likelihood assumes, because of draws, and the two games of an opening are not independent.
//! Everything is in natural units.

use super::encounters::Pairing;
use super::fit::Fit;
use super::quadratic::Quadratic;

/// Covariance of the fitted parameters.
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
        let with_white = fit.white_advantage.is_some();
        let mut curvature = Quadratic::new(groups.len(), with_white);
        let mut noise = Quadratic::new(groups.len(), with_white);
        for pairing in &fit.pairings {
            curvature.add(pairing, weights(fit, pairing), 0.0);
            let (by_color, together) = noise_of(fit, pairing);
            noise.add(pairing, by_color, together);
        }
        // Both matrices are symmetric, so the rows of the first result are the columns of the second problem.
        let curvature = curvature.decomposed(groups)?;
        let size = noise.size;
        let mut matrix = noise.matrix;
        curvature.solve_rows(&mut matrix);
        transpose(&mut matrix, size);
        curvature.solve_rows(&mut matrix);
        Some(Self { size, matrix })
    }

    /// Variance of a player's rating, by place, relative to the mean of its group.
    pub(super) fn of_player(&self, place: usize) -> f64 {
        self.between(place, place)
    }

    /// Variance of the difference of two players of one group, by place.
    pub(super) fn of_difference(&self, first: usize, second: usize) -> f64 {
        (self.between(first, first) + self.between(second, second) - 2.0 * self.between(first, second)).max(0.0)
    }

    /// Variance of the advantage of the first move.
    pub(super) fn of_white_advantage(&self) -> f64 {
        self.between(self.size - 1, self.size - 1)
    }

    fn between(&self, first: usize, second: usize) -> f64 {
        self.matrix[first * self.size + second]
    }
}

/// Second derivatives, negated, for each colour.
fn weights(fit: &Fit, pairing: &Pairing) -> [f64; 2] {
    [0, 1].map(|color| {
        let expected = fit.expected(pairing, color);
        pairing.encounter.by_color[color].games() as f64 * expected * (1.0 - expected)
    })
}

/// The variance of a pairing's points, from its first player's side: of all games with each colour, and the covariance of
/// the two sums.
fn noise_of(fit: &Fit, pairing: &Pairing) -> ([f64; 2], f64) {
    let variances = [0, 1].map(|color| fit.variance(pairing, color));
    let games = |color: usize| pairing.encounter.by_color[color].games() as f64;
    let pairs: u64 = pairing.encounter.pairs.iter().flatten().sum();
    let correlation = fit.pair_correlation.unwrap_or(0.0);
    (
        [0, 1].map(|color| games(color) * variances[color]),
        correlation * pairs as f64 * variances[0].sqrt() * variances[1].sqrt(),
    )
}

fn transpose(matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            matrix.swap(row * size + column, column * size + row);
        }
    }
}
