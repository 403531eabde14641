//! The model fitted to pairs of games: logistic regression of the scores, held near what was believed before.

use super::linear::{Cholesky, dot};
use super::quadratic::{Belief, Terms};
use crate::stats::PairOutcome;

/// Logistic units in one Elo.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;
/// The variance of a pair's score divided by that of one game without draws, before anything was played: that of
/// even players who draw a quarter of their games.
const USUAL_DISPERSION: f64 = 0.34;
/// So many pairs is [`USUAL_DISPERSION`] worth.
const DISPERSION_PAIRS: f64 = 100.0;

/// Pairs that were played between the same two points.
#[derive(Debug, Clone, PartialEq)]
pub struct Block {
    /// In steps from the start.
    pub first: Vec<f64>,
    /// In steps from the start.
    pub second: Vec<f64>,
    /// How many pairs.
    pub pairs: f64,
    /// The sum of their scores, each from 0 to 1, from the first side.
    pub score: f64,
    /// The sum of the squared scores.
    pub squares: f64,
}

impl Block {
    /// Before any pair.
    pub fn new(first: Vec<f64>, second: Vec<f64>) -> Self {
        Self {
            first,
            second,
            pairs: 0.0,
            score: 0.0,
            squares: 0.0,
        }
    }

    /// Counts a pair.
    pub fn record(&mut self, outcome: PairOutcome) {
        let score = f64::from(outcome.half_points()) / 4.0;
        self.pairs += 1.0;
        self.score += score;
        self.squares += score * score;
    }
}

/// A fitted model: the coefficients, and how sure they are.
#[derive(Debug, Clone)]
pub struct Fit {
    /// Which terms it has.
    pub terms: Terms,
    /// The most likely coefficients.
    pub coefficients: Vec<f64>,
    /// The inverse of their covariance, decomposed.
    pub information: Cholesky,
    /// The variance of a pair's score divided by that of one game without draws.
    pub dispersion: f64,
}

impl Fit {
    /// What is believed before any game.
    pub fn prior(terms: Terms, belief: &Belief) -> Option<Self> {
        let mut coefficients = vec![0.0; terms.count()];
        for index in 0..terms.dimensions {
            coefficients[terms.quadratic(index)] = belief.quadratic.0;
        }
        let prior = Self {
            information: Cholesky::new(diagonal(&precisions(terms, belief)), terms.count())?,
            terms,
            coefficients,
            dispersion: USUAL_DISPERSION,
        };
        Some(prior)
    }

    /// Fits to blocks, each of which counts with its weight, starting from these coefficients. `None` when the numbers are
    /// beyond reason.
    ///
    /// Method: Fisher scoring with a normal prior; the dispersion makes up for draws and for the correlation of the games
    /// of a pair (quasi-likelihood, Wedderburn 1974).
    pub fn update(&self, belief: &Belief, blocks: &[Block], weights: &[f64]) -> Option<Self> {
        const ROUNDS: usize = 2;
        let count = self.terms.count();
        let precisions = precisions(self.terms, belief);
        let mut means = vec![0.0; count];
        for index in 0..self.terms.dimensions {
            means[self.terms.quadratic(index)] = belief.quadratic.0;
        }
        let mut fit = self.clone();
        for _ in 0..ROUNDS {
            let mut information = diagonal(&precisions);
            let mut slope: Vec<f64> = (0..count)
                .map(|index| precisions[index] * (means[index] - fit.coefficients[index]))
                .collect();
            let (mut squares, mut pairs) = (DISPERSION_PAIRS * USUAL_DISPERSION, DISPERSION_PAIRS);
            for (block, weight) in blocks.iter().zip(weights) {
                let terms = self.terms.difference(&block.first, &block.second);
                let elo = dot(&terms, &fit.coefficients).clamp(-800.0, 800.0);
                let expected = 1.0 / (1.0 + libm::exp(-PER_ELO * elo));
                let game = expected * (1.0 - expected);
                let rest = block.score - block.pairs * expected;
                // Far from even, few games say much about the dispersion.
                if game > 0.09 {
                    squares += (block.squares - 2.0 * expected * block.score
                        + block.pairs * expected * expected)
                        / game;
                    pairs += block.pairs;
                }
                let scale = weight / fit.dispersion;
                let towards = scale * PER_ELO * rest;
                let certain = scale * PER_ELO * PER_ELO * game * block.pairs;
                for (row, &term) in terms.iter().enumerate() {
                    slope[row] += towards * term;
                    let factor = certain * term;
                    let place = &mut information[row * count..row * count + row + 1];
                    for (sum, other) in place.iter_mut().zip(&terms) {
                        *sum += factor * other;
                    }
                }
            }
            fit.information = Cholesky::new(information, count)?;
            fit.information.solve(&mut slope);
            for (coefficient, step) in fit.coefficients.iter_mut().zip(&slope) {
                *coefficient += step;
            }
            fit.dispersion = squares / pairs;
        }
        fit.coefficients
            .iter()
            .all(|value| value.is_finite())
            .then_some(fit)
    }

    /// What `first` gains over `second` in Elo, and the standard deviation of that.
    pub fn gain(&self, first: &[f64], second: &[f64]) -> (f64, f64) {
        let terms = self.terms.difference(first, second);
        let variance = self.information.inverse_form(&terms);
        (dot(&terms, &self.coefficients), libm::sqrt(variance))
    }
}

fn precisions(terms: Terms, belief: &Belief) -> Vec<f64> {
    let mut deviations = vec![belief.product; terms.count()];
    for index in 0..terms.dimensions {
        deviations[terms.linear(index)] = belief.linear;
        deviations[terms.quadratic(index)] = belief.quadratic.1;
        deviations[terms.cubic(index)] = belief.cubic;
    }
    deviations
        .into_iter()
        .map(|deviation| 1.0 / (deviation * deviation))
        .collect()
}

fn diagonal(values: &[f64]) -> Vec<f64> {
    let size = values.len();
    let mut matrix = vec![0.0; size * size];
    for (index, value) in values.iter().enumerate() {
        matrix[index * (size + 1)] = *value;
    }
    matrix
}
