//! The model fitted to pairs of games: logistic regression of the scores, held near what was believed before.

use super::quadratic::{Belief, Terms};
use crate::chance::Chance;
use lmrlab_stats::PairOutcome;
use lmrlab_stats::linear_algebra::{Cholesky, dot};

/// Logistic units in one Elo.
const PER_ELO: f64 = std::f64::consts::LN_10 / 400.0;
/// The variance of a pair's score divided by that of one game without draws, before anything was played: that of
/// even players who draw a quarter of their games.
const USUAL_DISPERSION: f64 = 0.34;
/// So many pairs is [`USUAL_DISPERSION`] worth.
const DISPERSION_PAIRS: f64 = 100.0;

/// The variance of a game's score that is counted with at least, so that pairs whose end is certain do not make steps endless.
const LEAST_VARIANCE: f64 = 0.002;
/// Steps of one fit at most.
const MOST_STEPS: usize = 12;
/// Halvings of one step at most.
const MOST_HALVINGS: usize = 12;
/// A fit is done when a step changes what is expected of no pair by more Elo.
const SETTLED: f64 = 10.0;

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
    pub fn prior(terms: Terms) -> Option<Self> {
        let (coefficients, precisions) = Belief::default().of(&terms);
        Some(Self {
            information: Cholesky::new(diagonal(&precisions), terms.count())?,
            terms,
            coefficients,
            dispersion: USUAL_DISPERSION,
        })
    }

    /// Fits a model with these terms to blocks, each of which counts with its weight, starting from these coefficients.
    /// `None` when the numbers are beyond reason.
    ///
    /// `concave` is how much it is believed that there is a best point: 1, or 0 for not at all.
    ///
    /// Method: Fisher scoring with a normal prior, chosen among [`Belief::all`] by the likelihood of the games (empirical Bayes,
    /// in Laplace's approximation); the dispersion makes up for draws and for the correlation of the games of a pair
    /// (quasi-likelihood, Wedderburn 1974). What is maximised is concave; a step that overshoots is halved, and steps are made
    /// until no game is expected to go otherwise than before, which is at once when nearly the same games were known already.
    pub fn update(
        &self,
        terms: Terms,
        blocks: &[Block],
        weights: &[f64],
        concave: f64,
    ) -> Option<Self> {
        let differences: Vec<Vec<f64>> = blocks
            .iter()
            .map(|block| terms.difference(&block.first, &block.second))
            .collect();
        let games = Games {
            blocks,
            weights,
            differences: &differences,
        };
        let mut fit = Self {
            terms,
            ..self.clone()
        };
        for _ in 0..MOST_STEPS {
            let (next, change) = fit.step(&games, concave)?;
            fit = next;
            if change < SETTLED {
                break;
            }
        }
        (fit.coefficients.iter().all(|value| value.is_finite())).then_some(fit)
    }

    /// One step, and by how many Elo it changes what is expected of some pair, at most.
    fn step(&self, games: &Games<'_>, concave: f64) -> Option<(Self, f64)> {
        let count = self.terms.count();
        // What the games say: the matrix of their information, and that matrix times the coefficients that they call for.
        let mut information = vec![0.0; count * count];
        let mut called = vec![0.0; count];
        let (mut squares, mut pairs) = (DISPERSION_PAIRS * USUAL_DISPERSION, DISPERSION_PAIRS);
        for (block, weight, terms) in games.each() {
            let elo = dot(terms, &self.coefficients);
            let expected = expected_score(elo);
            let game = (expected * (1.0 - expected)).max(LEAST_VARIANCE);
            let rest = block.score - block.pairs * expected;
            // Far from even, few games say much about the dispersion.
            if game > 0.09 {
                squares += (block.squares - 2.0 * expected * block.score
                    + block.pairs * expected * expected)
                    / game;
                pairs += block.pairs;
            }
            let scale = weight / self.dispersion;
            let certain = scale * PER_ELO * PER_ELO * game * block.pairs;
            let towards = scale * PER_ELO * rest + certain * elo;
            for (row, &term) in terms.iter().enumerate() {
                called[row] += towards * term;
                let factor = certain * term;
                let place = &mut information[row * count..row * count + row + 1];
                for (sum, other) in place.iter_mut().zip(terms) {
                    *sum += factor * other;
                }
            }
        }
        let posteriors = Belief::all().filter_map(|belief| {
            let (mut means, precisions) = belief.of(&self.terms);
            for mean in &mut means {
                *mean *= concave;
            }
            let mut matrix = information.clone();
            let mut sum = called.clone();
            let mut evidence = belief.evidence();
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
        let (_, wanted, information, prior) =
            posteriors.max_by(|one, other| one.0.total_cmp(&other.0))?;
        let before = games.likelihood(&self.coefficients, self.dispersion, &prior);
        let mut share = 1.0;
        let mut coefficients = wanted.clone();
        for _ in 0..MOST_HALVINGS {
            if games.likelihood(&coefficients, self.dispersion, &prior) >= before - 1e-9 {
                break;
            }
            share *= 0.5;
            for ((now, old), wanted) in coefficients.iter_mut().zip(&self.coefficients).zip(&wanted)
            {
                *now = old + share * (wanted - old);
            }
        }
        let moved: Vec<f64> = (coefficients.iter().zip(&self.coefficients))
            .map(|(now, old)| now - old)
            .collect();
        let change = games.each().fold(0.0_f64, |most, (_, _, terms)| {
            most.max(dot(terms, &moved).abs())
        });
        let fit = Self {
            terms: self.terms.clone(),
            coefficients,
            information,
            dispersion: squares / pairs,
        };
        Some((fit, change))
    }

    /// Coefficients that are as likely as the games say.
    pub fn draw(&self, chance: &mut Chance) -> Vec<f64> {
        let mut draw: Vec<f64> = self.coefficients.iter().map(|_| chance.normal()).collect();
        self.information.backward(&mut draw);
        for (value, mean) in draw.iter_mut().zip(&self.coefficients) {
            *value += mean;
        }
        draw
    }

    /// How many Elo a point is expected to lose to another.
    pub fn loss(&self, point: &[f64], other: &[f64]) -> f64 {
        dot(&self.terms.difference(other, point), &self.coefficients)
    }

    /// What `first` gains over `second` in Elo, and the standard deviation of that.
    pub fn gain(&self, first: &[f64], second: &[f64]) -> (f64, f64) {
        let terms = self.terms.difference(first, second);
        let variance = self.information.inverse_form(&terms);
        (dot(&terms, &self.coefficients), libm::sqrt(variance))
    }
}

/// Blocks with what they count and with their terms.
struct Games<'g> {
    blocks: &'g [Block],
    weights: &'g [f64],
    differences: &'g [Vec<f64>],
}

impl<'g> Games<'g> {
    fn each(&self) -> impl Iterator<Item = (&'g Block, f64, &'g [f64])> {
        let both = self.blocks.iter().zip(self.weights);
        both.zip(self.differences)
            .map(|((block, weight), terms)| (block, *weight, terms.as_slice()))
    }

    /// The logarithm of how likely the games are with these coefficients, and these with that prior, but for a constant.
    fn likelihood(
        &self,
        coefficients: &[f64],
        dispersion: f64,
        (means, precisions): &(Vec<f64>, Vec<f64>),
    ) -> f64 {
        let games: f64 = self
            .each()
            .map(|(block, weight, terms)| {
                let logit = PER_ELO * dot(terms, coefficients);
                // ln(1 + e^x), which a large x must not make infinite.
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

/// What the stronger by so many Elo scores against the weaker.
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
