//! Logistic regression of scores, with errors from clusters of observations.

use crate::linear_algebra::{Cholesky, dot};

/// Newton steps at most; a dozen are usual.
const MAX_STEPS: u32 = 200;
/// A fit has converged when no parameter changes by more than this, in natural units: a millionth of an Elo is 6e-9.
const CONVERGED: f64 = 1e-11;

/// The expected score of a side with this lead, in natural units.
pub(crate) fn logistic(lead: f64) -> f64 {
    0.5 + 0.5 * libm::tanh(lead / 2.0)
}

/// Games between two sides.
pub(crate) struct Observation<L> {
    /// The parameters that enter the lead of the first side, each with its factor.
    pub(crate) lead: L,
    /// The known part of the lead.
    pub(crate) offset: f64,
    pub(crate) games: f64,
    /// Points of the first side: a win is 1, a draw ½.
    pub(crate) points: f64,
}

/// A symmetric matrix of the parameters, row by row.
pub(crate) struct Quadratic {
    pub(crate) size: usize,
    pub(crate) matrix: Vec<f64>,
}

impl Quadratic {
    /// The matrix with this value on its diagonal, and 0 elsewhere.
    pub(crate) fn diagonal(size: usize, value: f64) -> Self {
        let mut matrix = vec![0.0; size * size];
        matrix.iter_mut().step_by(size + 1).for_each(|cell| *cell = value);
        Self { size, matrix }
    }

    /// Adds the square of a sum of parameters, each with its factor, times a value.
    pub(crate) fn add(&mut self, sum: &[(usize, f64)], value: f64) {
        for (row, a) in sum {
            for (column, b) in sum {
                self.matrix[row * self.size + column] += a * b * value;
            }
        }
    }
}

/// The likelihood of the observations at some parameters.
struct Likelihood {
    gradient: Vec<f64>,
    /// The second derivative of each observation by its lead, negated.
    weights: Vec<f64>,
    log_likelihood: f64,
}

impl Likelihood {
    fn at<L: AsRef<[(usize, f64)]>>(
        observations: impl Iterator<Item = Observation<L>>,
        parameters: &[f64],
        prior: f64,
    ) -> Self {
        let mut gradient: Vec<f64> = parameters.iter().map(|parameter| -prior * parameter).collect();
        let mut log_likelihood = -prior * dot(parameters, parameters) / 2.0;
        let weights = observations.map(|observation| {
            let Observation {
                offset, games, points, ..
            } = observation;
            let lead = observation.lead.as_ref();
            let exponent = offset
                + lead
                    .iter()
                    .map(|(place, factor)| factor * parameters[*place])
                    .sum::<f64>();
            let expected = logistic(exponent);
            for (place, factor) in lead {
                gradient[*place] += factor * (points - games * expected);
            }
            // ln of the logistic function, from the side that does not cancel.
            let log = |x: f64| x.min(0.0) - libm::log1p(libm::exp(-x.abs()));
            log_likelihood += points * log(exponent) + (games - points) * log(-exponent);
            games * expected * (1.0 - expected)
        });
        Self {
            weights: weights.collect(),
            gradient,
            log_likelihood,
        }
    }
}

/// The parameters of greatest likelihood, by Newton's method. `prior` is the precision of the prior of each. `decomposed`
/// decomposes the second derivatives, `settle` chooses among parameters of the same likelihood.
pub(crate) fn newton<L: AsRef<[(usize, f64)]>, O: Iterator<Item = Observation<L>>>(
    observations: impl Fn() -> O,
    size: usize,
    prior: f64,
    decomposed: impl Fn(Quadratic) -> Option<Cholesky>,
    settle: impl Fn(&mut [f64]),
) -> Vec<f64> {
    let mut parameters = vec![0.0; size];
    let mut point = Likelihood::at(observations(), &parameters, prior);
    for _ in 0..MAX_STEPS {
        let mut curvature = Quadratic::diagonal(size, prior);
        for (observation, weight) in observations().zip(&point.weights) {
            curvature.add(observation.lead.as_ref(), *weight);
        }
        let Some(curvature) = decomposed(curvature) else {
            break;
        };
        let mut step = point.gradient.clone();
        curvature.solve(&mut step);
        let mut length = 1.0;
        let (next, at_next) = loop {
            let both = parameters.iter().zip(&step);
            let mut next: Vec<f64> = both.map(|(parameter, step)| parameter + length * step).collect();
            settle(&mut next);
            let at_next = Likelihood::at(observations(), &next, prior);
            // Near the top, rounding decides which of two points is higher.
            let slack = 1e-12 * point.log_likelihood.abs();
            if at_next.log_likelihood >= point.log_likelihood - slack || length < 1e-6 {
                break (next, at_next);
            }
            length /= 2.0;
        };
        let changes = parameters
            .iter()
            .zip(&next)
            .map(|(before, after)| (before - after).abs());
        let change = changes.fold(0.0, f64::max);
        (parameters, point) = (next, at_next);
        if change < CONVERGED {
            break;
        }
    }
    parameters
}

/// The covariance of the parameters, row by row: the sandwich estimate. It is the inverse of the second derivatives, times
/// the variance of the first ones, times that inverse.
pub(crate) fn sandwich(curvature: &Cholesky, noise: Quadratic) -> Vec<f64> {
    let Quadratic { size, mut matrix } = noise;
    // Both matrices are symmetric, so the rows of the first result are the columns of the second problem.
    curvature.solve_rows(&mut matrix);
    for row in 0..size {
        for column in 0..row {
            matrix.swap(row * size + column, column * size + row);
        }
    }
    curvature.solve_rows(&mut matrix);
    matrix
}
