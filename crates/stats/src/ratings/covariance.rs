//! The covariance of fitted ratings: how uncertain they are.
//!
//! The sandwich estimate: the inverse of the second derivatives, times the variance of the first ones, times that inverse.
//! Results vary less than the likelihood assumes, because of draws, and the games of an opening are not independent.
//! Everything is in natural units.

use std::collections::BTreeSet;

use super::encounters::Share;
use super::fit::Fit;
use super::noise::add_noise;
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
    pub(super) fn of(fit: &Fit, groups: &[usize], shares: &[Share]) -> Option<Self> {
        let zero = || Quadratic::new(groups.len(), fit.white_advantage.is_some());
        let mut curvature = zero();
        for pairing in &fit.pairings {
            curvature.add(pairing, fit.weights(pairing));
        }
        let size = curvature.size;
        let curvature = curvature.decomposed(groups)?;
        let mut inverse = vec![0.0; size * size];
        inverse.iter_mut().step_by(size + 1).for_each(|value| *value = 1.0);
        curvature.solve_rows(&mut inverse);
        let inverse = Self { size, matrix: inverse };
        let differences: Vec<f64> = (fit.pairings.iter())
            .map(|pairing| inverse.of_difference(pairing.first, pairing.second))
            .collect();
        let distinct: BTreeSet<&usize> = groups.iter().collect();
        let parameters = groups.len() - distinct.len() + usize::from(fit.white_advantage.is_some());
        let mut noise = zero();
        add_noise(&mut noise, fit, shares, &differences, parameters);
        // Both matrices are symmetric, so the rows of the first result are the columns of the second problem.
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

fn transpose(matrix: &mut [f64], size: usize) {
    for row in 0..size {
        for column in 0..row {
            matrix.swap(row * size + column, column * size + row);
        }
    }
}
