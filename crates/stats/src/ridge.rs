//! Ridge regression: an effect predicted from several features, for members of families that were not seen.
//!
//! ```text
//! effect = intercept + sum of coefficient * (feature - mean) / scale + u + error
//! ```
//!
//! The error's variance is known: it is that of the measured effect. u is what the features do not explain; its variance is the
//! scatter squared. Means and scales are those of the observations. Each coefficient has a penalty on its square, which keeps
//! features that say much the same from working against each other. Read as a prior, the penalty gives the coefficients' covariance.
//!
//! A feature that is measured with errors of its own is worth less than it seems. Its reliability is the share of its variance that
//! is not error; its penalty is divided by the reliability, so one that is nothing but error has no part in the prediction.
//!
//! Penalty and scatter come from predictions of groups that were left out: the penalty with the least weighted sum of squared
//! residuals, and the scatter at which these residuals have their expected size (Paule, Mandel). Each is found with the other held,
//! in turns.
//!
//! Sources: A. E. Hoerl, R. W. Kennard, *Ridge regression: biased estimation for nonorthogonal problems*, 1970. D. V. Lindley,
//! A. F. M. Smith, *Bayes estimates for the linear model*, 1972 (the prior). M. Stone, *Cross-validatory choice and assessment of
//! statistical predictions*, 1974. W. A. Fuller, *Measurement Error Models*, 1987 (the reliability). R. C. Paule, J. Mandel, *Consensus values and weighting factors*, 1982.

use std::collections::BTreeSet;
use std::fmt;

use super::linear_algebra::{Cholesky, dot};
use super::meta::Prediction;
use super::root_finding::{Sample, root};
use super::student::deviations_within;

/// Penalties that are tried, as shares of the sum of the weights.
const PENALTIES: [f64; 13] = [
    0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0,
];

/// The least reliability, which stands for none.
const LEAST_RELIABILITY: f64 = 1e-12;

/// Features that differ by a smaller share of their mean are the same everywhere.
const ROUNDING: f64 = 1e-9;

/// How often penalty and scatter are found in turns.
const TURNS: usize = 6;

/// An effect that was measured.
#[derive(Debug, Clone, PartialEq)]
pub struct Observation {
    /// The number of its group. Groups are left out as a whole.
    pub group: usize,
    /// The features; every observation has as many.
    pub features: Vec<f64>,
    /// The effect.
    pub effect: f64,
    /// The variance of the effect's measurement; positive.
    pub variance: f64,
}

/// A fitted regression.
#[derive(Debug, Clone, PartialEq)]
pub struct Ridge {
    /// Means of the features.
    pub means: Vec<f64>,
    /// Standard deviations of the features (1 for a feature that is the same everywhere), divided by the roots of their
    /// reliabilities.
    pub scales: Vec<f64>,
    /// The intercept, then the coefficient of each standardised feature.
    pub coefficients: Vec<f64>,
    /// The covariance of the coefficients, row by row.
    pub covariance: Vec<f64>,
    /// The penalty, as a share of the sum of the weights.
    pub penalty: f64,
    /// Standard deviation of what the features do not explain.
    pub scatter: f64,
    /// Degrees of freedom of a prediction: the groups minus two.
    pub freedom: f64,
}

/// Why there is no regression.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RidgeError {
    /// A number is not finite, a variance is not positive, or observations have different numbers of features.
    Observation,
    /// There are fewer than three groups.
    TooFew,
}

impl fmt::Display for RidgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Observation => "an observation has a wrong number",
            Self::TooFew => "a regression needs three families",
        })
    }
}

impl std::error::Error for RidgeError {}

impl Ridge {
    /// Fits the regression. `reliabilities` are those of the features, 0 to 1.
    ///
    /// # Errors
    /// When an observation is wrong or has not as many features as there are reliabilities, or there are fewer than three groups.
    pub fn fit(observations: &[Observation], reliabilities: &[f64]) -> Result<Self, RidgeError> {
        let design = Design::of(observations, reliabilities)?;
        let (penalty, variance) = design.penalty_and_variance();
        let normal = design.normal(variance);
        let (coefficients, inverse) = normal.solve(penalty * normal.weight).ok_or(RidgeError::Observation)?;
        let size = coefficients.len();
        let mut covariance = vec![0.0; size * size];
        for (index, row) in covariance.chunks_exact_mut(size).enumerate() {
            row[index] = 1.0;
            inverse.solve(row);
        }
        Ok(Self {
            means: design.means,
            scales: design.scales,
            coefficients,
            covariance,
            penalty,
            scatter: variance.sqrt(),
            freedom: design.groups.len() as f64 - 2.0,
        })
    }

    /// The effect for these features, with the interval that it is in with the probability `level`, between 0 and 1. The error of
    /// a measurement is not part of it.
    pub fn predict(&self, features: &[f64], level: f64) -> Prediction {
        self.prediction(&self.row(features), self.scatter * self.scatter, level)
    }

    /// The effect for these features minus that for others: both have their scatter.
    pub fn predict_difference(&self, features: &[f64], others: &[f64], level: f64) -> Prediction {
        let pairs = self.row(features).into_iter().zip(self.row(others));
        let row: Vec<f64> = pairs.map(|(here, there)| here - there).collect();
        self.prediction(&row, 2.0 * self.scatter * self.scatter, level)
    }

    /// What of a predicted effect each feature contributes, against the mean of the observations.
    pub fn contributions(&self, features: &[f64]) -> Vec<f64> {
        let row = self.row(features);
        let terms = row.iter().zip(&self.coefficients).skip(1);
        terms.map(|(value, coefficient)| value * coefficient).collect()
    }

    fn row(&self, features: &[f64]) -> Vec<f64> {
        standardised(features, &self.means, &self.scales)
    }

    fn prediction(&self, row: &[f64], variance: f64, level: f64) -> Prediction {
        let rows = self.covariance.chunks_exact(row.len());
        let of_coefficients: f64 = row.iter().zip(rows).map(|(value, of)| value * dot(of, row)).sum();
        let margin = deviations_within(level, self.freedom) * (variance + of_coefficients).sqrt();
        let mean = dot(row, &self.coefficients);
        Prediction {
            mean,
            low: mean - margin,
            high: mean + margin,
        }
    }
}

/// Predicts every observation from those of the other groups, with an interval that the measured effect, its own error
/// included, is in with the probability `level`.
///
/// # Errors
/// As [`Ridge::fit`], for which one group less must suffice.
pub fn leave_groups_out(
    observations: &[Observation],
    reliabilities: &[f64],
    level: f64,
) -> Result<Vec<Prediction>, RidgeError> {
    let groups: BTreeSet<usize> = observations.iter().map(|observation| observation.group).collect();
    let mut found = vec![
        Prediction {
            mean: 0.0,
            low: 0.0,
            high: 0.0,
        };
        observations.len()
    ];
    for group in groups {
        let others: Vec<Observation> = (observations.iter())
            .filter(|observation| observation.group != group)
            .cloned()
            .collect();
        let ridge = Ridge::fit(&others, reliabilities)?;
        for (observation, place) in observations.iter().zip(&mut found) {
            if observation.group == group {
                let row = ridge.row(&observation.features);
                let variance = ridge.scatter * ridge.scatter + observation.variance;
                *place = ridge.prediction(&row, variance, level);
            }
        }
    }
    Ok(found)
}

/// A one for the intercept, then the standardised features.
fn standardised(features: &[f64], means: &[f64], scales: &[f64]) -> Vec<f64> {
    let scaled = features.iter().zip(means).zip(scales);
    std::iter::once(1.0)
        .chain(scaled.map(|((value, mean), scale)| (value - mean) / scale))
        .collect()
}

/// The observations with standardised features.
struct Design<'o> {
    observations: &'o [Observation],
    means: Vec<f64>,
    scales: Vec<f64>,
    rows: Vec<Vec<f64>>,
    /// The observations of each group.
    groups: Vec<Vec<usize>>,
}

impl<'o> Design<'o> {
    fn of(observations: &'o [Observation], reliabilities: &[f64]) -> Result<Self, RidgeError> {
        let count = reliabilities.len();
        let is_right = |observation: &Observation| {
            observation.features.len() == count
                && observation.features.iter().all(|value| value.is_finite())
                && observation.effect.is_finite()
                && observation.variance.is_finite()
                && observation.variance > 0.0
        };
        if !observations.iter().all(is_right) {
            return Err(RidgeError::Observation);
        }
        let numbers: BTreeSet<usize> = observations.iter().map(|observation| observation.group).collect();
        if numbers.len() < 3 {
            return Err(RidgeError::TooFew);
        }
        let members = |group: usize| {
            let all = 0..observations.len();
            all.filter(|index| observations[*index].group == group).collect()
        };
        let all = observations.len() as f64;
        let mean = |of: &dyn Fn(&Observation) -> f64| observations.iter().map(of).sum::<f64>() / all;
        let means: Vec<f64> = (0..count)
            .map(|feature| mean(&|observation| observation.features[feature]))
            .collect();
        let scale = |feature: usize| {
            let square = mean(&|observation| (observation.features[feature] - means[feature]).powi(2));
            let reliability = reliabilities[feature].clamp(LEAST_RELIABILITY, 1.0);
            // Equal values have a mean that rounding may move.
            let differs = square > (ROUNDING * means[feature]).powi(2);
            (if differs { square } else { 1.0 } / reliability).sqrt()
        };
        let scales: Vec<f64> = (0..count).map(scale).collect();
        Ok(Self {
            rows: (observations.iter())
                .map(|observation| standardised(&observation.features, &means, &scales))
                .collect(),
            groups: numbers.into_iter().map(members).collect(),
            observations,
            means,
            scales,
        })
    }

    /// The normal equations of all observations, for this variance of what the features do not explain.
    fn normal(&self, variance: f64) -> Normal {
        self.normal_of(variance, &(0..self.rows.len()).collect::<Vec<usize>>())
    }

    fn normal_of(&self, variance: f64, members: &[usize]) -> Normal {
        let size = self.means.len() + 1;
        let mut normal = Normal {
            matrix: vec![0.0; size * size],
            right: vec![0.0; size],
            weight: 0.0,
        };
        for &member in members {
            let (row, observation) = (&self.rows[member], &self.observations[member]);
            let weight = (observation.variance + variance).recip();
            normal.weight += weight;
            for (index, value) in row.iter().enumerate() {
                normal.right[index] += weight * value * observation.effect;
                for (place, other) in normal.matrix[index * size..].iter_mut().zip(row) {
                    *place += weight * value * other;
                }
            }
        }
        normal
    }

    /// The penalty, and the variance of what the features do not explain.
    fn penalty_and_variance(&self) -> (f64, f64) {
        let all = self.observations.len() as f64;
        let mean = self
            .observations
            .iter()
            .map(|observation| observation.effect)
            .sum::<f64>()
            / all;
        let squares = self
            .observations
            .iter()
            .map(|observation| (observation.effect - mean).powi(2));
        let mut variance = squares.sum::<f64>() / all;
        let mut penalty = 1.0;
        for _ in 0..TURNS {
            let whole = self.normal(variance);
            let parts: Vec<Normal> = (self.groups.iter())
                .map(|members| whole.without(&self.normal_of(variance, members)))
                .collect();
            let of = |penalty: f64| self.left_out(&parts, penalty * whole.weight);
            let loss = |left_out: &[LeftOut]| -> f64 {
                let weight = |left_out: &LeftOut| left_out.residual.powi(2) / (left_out.measured + variance);
                left_out.iter().map(weight).sum()
            };
            let mut least = f64::INFINITY;
            let mut best = Vec::new();
            for tried in PENALTIES {
                let left_out = of(tried);
                let loss = loss(&left_out);
                if loss < least {
                    (least, penalty, best) = (loss, tried, left_out);
                }
            }
            variance = unexplained(&best);
        }
        (penalty, variance)
    }

    /// How well each observation is predicted by the other groups; `parts` are their normal equations.
    fn left_out(&self, parts: &[Normal], penalty: f64) -> Vec<LeftOut> {
        let mut found = Vec::with_capacity(self.rows.len());
        for (members, part) in self.groups.iter().zip(parts) {
            let Some((coefficients, inverse)) = part.solve(penalty) else {
                continue;
            };
            found.extend(members.iter().map(|&member| LeftOut {
                residual: self.observations[member].effect - dot(&self.rows[member], &coefficients),
                of_coefficients: inverse.inverse_form(&self.rows[member]),
                measured: self.observations[member].variance,
            }));
        }
        found
    }
}

/// An observation that other groups predicted.
struct LeftOut {
    residual: f64,
    /// The prediction's variance that comes from the coefficients.
    of_coefficients: f64,
    /// The variance of the measurement.
    measured: f64,
}

/// The variance at which the squares of the residuals have their expectation; 0 when the others explain them.
fn unexplained(left_out: &[LeftOut]) -> f64 {
    let excess = |variance: f64| {
        let share = |of: &LeftOut| of.residual.powi(2) / (variance + of.of_coefficients + of.measured);
        left_out.iter().map(share).sum::<f64>() - left_out.len() as f64
    };
    if excess(0.0) <= 0.0 {
        return 0.0;
    }
    let high = left_out.iter().map(|of| of.residual.powi(2)).sum::<f64>();
    let [low, high] = [0.0, high].map(|at| Sample { at, value: excess(at) });
    root(low, high, 1e-12, excess)
}

/// Normal equations without a penalty.
struct Normal {
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// The sum of the weights.
    weight: f64,
}

impl Normal {
    fn without(&self, part: &Self) -> Self {
        let minus = |all: &[f64], part: &[f64]| all.iter().zip(part).map(|(all, part)| all - part).collect();
        Self {
            matrix: minus(&self.matrix, &part.matrix),
            right: minus(&self.right, &part.right),
            weight: self.weight - part.weight,
        }
    }

    /// The coefficients, and the decomposed matrix. The intercept has no penalty.
    fn solve(&self, penalty: f64) -> Option<(Vec<f64>, Cholesky)> {
        let size = self.right.len();
        let mut matrix = self.matrix.clone();
        for index in 1..size {
            matrix[index * size + index] += penalty;
        }
        let inverse = Cholesky::new(matrix, size)?;
        let mut coefficients = self.right.clone();
        inverse.solve(&mut coefficients);
        Some((coefficients, inverse))
    }
}

#[cfg(test)]
mod tests;
