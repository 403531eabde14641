//! Fits the model to pairs of games: logistic regression of the scores with a normal prior.

use super::polynomial::{Prior, Terms};
use crate::methods::random::Random;
use lmrlab_stats::PairOutcome;
use lmrlab_stats::linear_algebra::{Cholesky, dot};

/// Logistic units in one Elo.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;
/// The prior dispersion: that of equal players with a quarter of draws; see [`Fit::dispersion`].
const USUAL_DISPERSION: f64 = 0.34;
/// The weight of [`USUAL_DISPERSION`], in pairs.
const DISPERSION_PAIRS: f64 = 100.0;

/// The least variance of a game's score. Without it, a pair with a certain outcome would make a step infinite.
const LEAST_VARIANCE: f64 = 0.002;
/// The greatest number of steps of one fit.
const MOST_STEPS: usize = 12;
/// The greatest number of halvings of one step.
const MOST_HALVINGS: usize = 12;
/// A fit is complete when a step changes the expected difference of every pair by at most this, in Elo.
const SETTLED: f64 = 10.0;

/// Pairs that were played between the same two points.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    /// The first point, in steps from the start.
    pub(super) first: Vec<f64>,
    /// The second point, in steps from the start.
    pub(super) second: Vec<f64>,
    /// The number of pairs.
    pub(super) pairs: f64,
    /// The sum of their scores, each from 0 to 1, from the first side.
    pub(super) score: f64,
    /// The sum of the squared scores.
    pub(super) squares: f64,
}

impl Block {
    /// A block before its first pair.
    pub(super) fn new(first: Vec<f64>, second: Vec<f64>) -> Self {
        Self {
            first,
            second,
            pairs: 0.0,
            score: 0.0,
            squares: 0.0,
        }
    }

    /// Counts a pair.
    pub(super) fn record(&mut self, outcome: PairOutcome) {
        let score = f64::from(outcome.half_points()) / 4.0;
        self.pairs += 1.0;
        self.score += score;
        self.squares += score * score;
    }
}

/// A fitted model: the coefficients and their uncertainty.
#[derive(Debug, Clone)]
pub(super) struct Fit {
    /// Its terms.
    pub(super) terms: Terms,
    /// The most likely coefficients.
    pub(super) coefficients: Vec<f64>,
    /// The inverse of their covariance, decomposed.
    pub(super) information: Cholesky,
    /// The precision of each coefficient in the prior.
    precisions: Vec<f64>,
    /// The variance of a pair's score divided by that of one game without draws.
    pub(super) dispersion: f64,
}

impl Fit {
    /// The prior, before the first game.
    pub(super) fn prior(terms: Terms) -> Option<Self> {
        let (coefficients, precisions) = Prior::default().of(&terms);
        Some(Self {
            information: Cholesky::new(diagonal(&precisions), terms.count())?,
            terms,
            coefficients,
            precisions,
            dispersion: USUAL_DISPERSION,
        })
    }

    /// Fits a model with these terms to weighted blocks, starting from these coefficients. `None` when a number overflows.
    ///
    /// `concave` scales the prior curvature: 1 expects a best point, 0 expects none.
    ///
    /// Method: Fisher scoring with a normal prior. The likelihood of the games chooses the prior among [`Prior::all`]
    /// (empirical Bayes, in Laplace's approximation). The dispersion makes up for draws and for the correlation of the
    /// games of a pair (quasi-likelihood, Wedderburn 1974). The objective is concave. A step that overshoots is halved.
    /// The fit ends when no expected difference changes much. When few games are new, that is after one step.
    pub(super) fn update(&self, terms: Terms, blocks: &[Block], weights: &[f64], concave: f64) -> Option<Self> {
        let differences: Vec<Vec<f64>> = blocks
            .iter()
            .map(|block| terms.difference(&block.first, &block.second))
            .collect();
        let games = WeightedBlocks {
            blocks,
            weights,
            differences: &differences,
        };
        let mut fit = Self { terms, ..self.clone() };
        for _ in 0..MOST_STEPS {
            let (next, change) = fit.step(&games, concave)?;
            fit = next;
            if change < SETTLED {
                break;
            }
        }
        (fit.coefficients.iter().all(|value| value.is_finite())).then_some(fit)
    }

    /// One step, and the greatest change of the expected difference of a pair, in Elo.
    fn step(&self, games: &WeightedBlocks<'_>, concave: f64) -> Option<(Self, f64)> {
        let count = self.terms.count();
        // The information matrix of the games, and that matrix times the coefficients that fit the games best.
        let mut information = vec![0.0; count * count];
        let mut weighted = vec![0.0; count];
        let (mut squares, mut pairs) = (DISPERSION_PAIRS * USUAL_DISPERSION, DISPERSION_PAIRS);
        for (block, weight, terms) in games.each() {
            let elo = dot(terms, &self.coefficients);
            let expected = expected_score(elo);
            let game = (expected * (1.0 - expected)).max(LEAST_VARIANCE);
            let rest = block.score - block.pairs * expected;
            // Games between unequal settings say little about the dispersion.
            if game > 0.09 {
                squares += (block.squares - 2.0 * expected * block.score + block.pairs * expected * expected) / game;
                pairs += block.pairs;
            }
            let scale = weight / self.dispersion;
            let certain = scale * PER_ELO * PER_ELO * game * block.pairs;
            let towards = scale * PER_ELO * rest + certain * elo;
            for (row, &term) in terms.iter().enumerate() {
                weighted[row] += towards * term;
                let factor = certain * term;
                let place = &mut information[row * count..row * count + row + 1];
                for (sum, other) in place.iter_mut().zip(terms) {
                    *sum += factor * other;
                }
            }
        }
        let posteriors = Prior::all().filter_map(|prior| {
            let (mut means, precisions) = prior.of(&self.terms);
            for mean in &mut means {
                *mean *= concave;
            }
            let mut matrix = information.clone();
            let mut sum = weighted.clone();
            let mut evidence = prior.evidence();
            for (index, (mean, precision)) in means.iter().zip(&precisions).enumerate() {
                matrix[index * (count + 1)] += precision;
                sum[index] += precision * mean;
                evidence += libm::log(*precision) - mean * mean * precision;
            }
            let matrix = Cholesky::new(matrix, count)?;
            let mut coefficients = sum.clone();
            matrix.solve(&mut coefficients);
            evidence += dot(&sum, &coefficients) - matrix.log_determinant();
            Some((evidence, coefficients, matrix, (means, precisions)))
        });
        let (_, wanted, information, prior) = posteriors.max_by(|one, other| one.0.total_cmp(&other.0))?;
        let before = games.likelihood(&self.coefficients, self.dispersion, &prior);
        let mut share = 1.0;
        let mut coefficients = wanted.clone();
        for _ in 0..MOST_HALVINGS {
            if games.likelihood(&coefficients, self.dispersion, &prior) >= before - 1e-9 {
                break;
            }
            share *= 0.5;
            for ((now, old), wanted) in coefficients.iter_mut().zip(&self.coefficients).zip(&wanted) {
                *now = old + share * (wanted - old);
            }
        }
        let moved: Vec<f64> = (coefficients.iter().zip(&self.coefficients))
            .map(|(now, old)| now - old)
            .collect();
        let change = games
            .each()
            .fold(0.0_f64, |most, (_, _, terms)| most.max(dot(terms, &moved).abs()));
        let fit = Self {
            terms: self.terms.clone(),
            coefficients,
            information,
            precisions: prior.1,
            dispersion: squares / pairs,
        };
        Some((fit, change))
    }

    /// Coefficients drawn from the posterior distribution.
    pub(super) fn draw(&self, random: &mut Random) -> Vec<f64> {
        let mut draw: Vec<f64> = self.coefficients.iter().map(|_| random.normal()).collect();
        self.information.backward(&mut draw);
        for (value, mean) in draw.iter_mut().zip(&self.coefficients) {
            *value += mean;
        }
        draw
    }

    /// The expected loss of a point against another, in Elo.
    pub(super) fn loss(&self, point: &[f64], other: &[f64]) -> f64 {
        dot(&self.terms.difference(other, point), &self.coefficients)
    }

    /// The gain of `first` over `second` in Elo, and its standard deviation.
    pub(super) fn gain(&self, first: &[f64], second: &[f64]) -> (f64, f64) {
        let terms = self.terms.difference(first, second);
        let variance = self.information.inverse_form(&terms);
        (dot(&terms, &self.coefficients), libm::sqrt(variance))
    }

    /// The share of the prior variance of this gain that the games have removed, from 0 to 1.
    pub(super) fn share_of_games(&self, first: &[f64], second: &[f64]) -> f64 {
        let terms = self.terms.difference(first, second);
        let prior: f64 = (terms.iter().zip(&self.precisions))
            .map(|(term, precision)| term * term / precision)
            .sum();
        (1.0 - self.information.inverse_form(&terms) / prior.max(f64::MIN_POSITIVE)).clamp(0.0, 1.0)
    }
}

/// Blocks with their weights and their terms.
struct WeightedBlocks<'g> {
    blocks: &'g [Block],
    weights: &'g [f64],
    differences: &'g [Vec<f64>],
}

impl<'g> WeightedBlocks<'g> {
    fn each(&self) -> impl Iterator<Item = (&'g Block, f64, &'g [f64])> {
        let both = self.blocks.iter().zip(self.weights);
        both.zip(self.differences)
            .map(|((block, weight), terms)| (block, *weight, terms.as_slice()))
    }

    /// Logarithm of the posterior density of these coefficients, up to a constant.
    fn likelihood(&self, coefficients: &[f64], dispersion: f64, (means, precisions): &(Vec<f64>, Vec<f64>)) -> f64 {
        let games: f64 = self
            .each()
            .map(|(block, weight, terms)| {
                let logit = PER_ELO * dot(terms, coefficients);
                // ln(1 + e^x), finite for large x.
                let both = logit.max(0.0) + libm::log1p(libm::exp(-logit.abs()));
                weight * (block.score * logit - block.pairs * both)
            })
            .sum();
        let away: f64 = (coefficients.iter().zip(means).zip(precisions))
            .map(|((value, mean), precision)| precision * (value - mean) * (value - mean))
            .sum();
        games / dispersion - 0.5 * away
    }
}

/// The expected score of a setting that is stronger by this many Elo.
fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-PER_ELO * elo))
}

fn diagonal(values: &[f64]) -> Vec<f64> {
    let size = values.len();
    let mut matrix = vec![0.0; size * size];
    for (index, value) in values.iter().enumerate() {
        matrix[index * (size + 1)] = *value;
    }
    matrix
}
