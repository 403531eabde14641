//! The covariance of fitted ratings: how uncertain they are.
//!
//! Results vary less than the likelihood assumes, because of draws, and the games of an opening are not independent.
//! Everything is in natural units.

use std::collections::BTreeSet;

use super::encounters::Share;
use super::fit::Fit;
use super::noise::noise;
use crate::regression::{Quadratic, sandwich};

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
    pub(super) fn of(fit: &Fit, shares: &[Share]) -> Option<Self> {
        let size = fit.size();
        let mut curvature = Quadratic::diagonal(size, 0.0);
        for pairing in &fit.pairings {
            for (color, weight) in fit.weights(pairing).into_iter().enumerate() {
                curvature.add(&fit.lead(pairing, color), weight);
            }
        }
        let curvature = fit.decomposed(curvature)?;
        let Quadratic { mut matrix, .. } = Quadratic::diagonal(size, 1.0);
        curvature.solve_rows(&mut matrix);
        let inverse = Self { size, matrix };
        let differences: Vec<f64> = (fit.pairings.iter())
            .map(|pairing| inverse.of_difference(pairing.first, pairing.second))
            .collect();
        let distinct: BTreeSet<&usize> = fit.groups.iter().collect();
        let parameters = fit.groups.len() - distinct.len() + usize::from(fit.white_advantage.is_some());
        let noise = noise(fit, shares, &differences, parameters);
        let matrix = sandwich(&curvature, noise);
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
