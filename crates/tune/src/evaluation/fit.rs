//! Fits the weights by mini-batch gradient descent with a validation set.

use lmrlab_engine::evaluation::coefficients::{self, Coefficients};
use lmrlab_engine::evaluation::terms::{Group, TERMS, Term, WEIGHT_COUNT};
use lmrlab_engine::position::Position;
use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::curve::{best_curve, logistic};
use super::model::{Data, Weights, is_danger};
use super::samples::Sample;

/// How weights are fitted.
#[derive(Debug, Clone)]
pub struct Options {
    /// Share of the game's result in the target of the evaluation; the rest is the search's score. From 0 to 1.
    pub result_share: f64,
    /// The greatest number of passes over the positions.
    pub epochs: u32,
    /// Passes without a better validation loss before the end.
    pub patience: u32,
    /// Step of the optimiser, in centipawns.
    pub step: f64,
    /// Strength of the pull to the starting weights, in positions that contain the weight: it holds rare weights back.
    pub prior: f64,
    /// Seed of the order of positions.
    pub seed: u64,
}

/// Losses of a set of positions with the starting weights and with the fitted ones: mean cross-entropy less the entropy
/// of the targets, in nats.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Losses {
    /// Positions.
    pub positions: usize,
    /// With the starting weights.
    pub before: f64,
    /// With the fitted weights, as they are written: in whole centipawns.
    pub after: f64,
}

/// The result of a fit.
#[derive(Debug, Clone, PartialEq)]
pub struct Fit {
    /// The fitted weights: middlegame and endgame.
    pub weights: Vec<[i32; 2]>,
    /// Passes over the positions up to the best validation loss.
    pub epochs: u32,
    /// Steepness of the logistic curve that fits the starting weights best, per centipawn.
    pub curve: f64,
    /// The factor applied to all weights at the end, so that a pawn is worth 100 centipawns in the endgame.
    pub rescaled_by: f64,
    /// Nine games of ten.
    pub training: Losses,
    /// Every tenth game.
    pub validation: Losses,
}

/// Positions of a mini-batch.
const BATCH: usize = 16_384;
/// Positions whose gradients are summed by one thread: the order of additions must not depend on the number of
/// threads.
const CHUNK: usize = 1024;
/// Games whose number is a multiple of this are for validation.
const VALIDATION: u64 = 10;
/// The mean value of a pawn in the endgame, in centipawns.
const PAWN: f64 = 100.0;

/// Fits the weights, starting from those of the engine. `progress` gets the number of each pass and the validation loss
/// after it. The result does not depend on the number of threads.
///
/// Returns `None` when either set of positions is empty.
pub fn fit(samples: &[(Sample, Position)], options: &Options, mut progress: impl FnMut(u32, f64)) -> Option<Fit> {
    let start: Weights = coefficients::weights().iter().map(|pair| pair.map(f64::from)).collect();
    let all: Vec<Coefficients> = samples
        .par_iter()
        .map(|(_, position)| Coefficients::of(position))
        .collect();
    let (mut training, validation): (Vec<u32>, Vec<u32>) =
        (0..samples.len() as u32).partition(|&index| !samples[index as usize].0.game.is_multiple_of(VALIDATION));
    if training.is_empty() || validation.is_empty() {
        return None;
    }
    let data = |target: &dyn Fn(&Sample) -> f64| {
        let mut data = Data::default();
        for (coefficients, (sample, _)) in all.iter().zip(samples) {
            data.push(coefficients, target(sample));
        }
        data
    };
    let result = |sample: &Sample| f64::from(sample.white_half_points) / 2.0;
    let results = data(&result);
    let curve = best_curve(|curve| mean_loss(&results, &training, &start, curve));
    drop(results);
    let share = options.result_share;
    let data =
        data(&|sample| share * result(sample) + (1.0 - share) * logistic(curve * f64::from(sample.white_score_cp)));
    drop(all);

    let occurrences = data.occurrences();
    let before = [&training, &validation].map(|set| mean_loss(&data, set, &start, curve));
    // The second derivative of the loss by a weight that counts once in an even position.
    let curvature = curve * curve / 4.0;
    let prior = Prior {
        start: &start,
        occurrences: &occurrences,
        strength: options.prior * curvature / data.len() as f64,
    };
    let mut optimiser = Optimiser::new(&start, options.step);
    let mut best = (before[1], start.clone(), 0);
    let mut generator = Pcg64::new(u128::from(options.seed), 0);
    for epoch in 1..=options.epochs {
        training.shuffle(&mut generator);
        for batch in training.chunks(BATCH) {
            let mut gradient = gradient(&data, batch, &optimiser.weights, curve);
            prior.pull(&mut gradient, &optimiser.weights, batch.len());
            optimiser.step(&gradient, batch.len());
        }
        let loss = mean_loss(&data, &validation, &optimiser.weights, curve);
        progress(epoch, loss);
        if loss < best.0 {
            best = (loss, optimiser.weights.clone(), epoch);
        } else {
            optimiser.rate *= 0.5;
            if epoch >= best.2 + options.patience {
                break;
            }
        }
    }
    let (_, mut weights, epochs) = best;
    centre(&mut weights, &occurrences);
    let rescaled_by = rescale(&mut weights);
    let rounded: Vec<[i32; 2]> = weights
        .iter()
        .map(|pair| pair.map(|value| libm::round(value) as i32))
        .collect();
    let rounded_weights: Weights = rounded.iter().map(|pair| pair.map(f64::from)).collect();
    let losses = |set: &[u32], before: f64| Losses {
        positions: set.len(),
        before,
        after: mean_loss(&data, set, &rounded_weights, curve / rescaled_by),
    };
    Some(Fit {
        epochs,
        curve,
        rescaled_by,
        training: losses(&training, before[0]),
        validation: losses(&validation, before[1]),
        weights: rounded,
    })
}

fn mean_loss(data: &Data, set: &[u32], weights: &Weights, curve: f64) -> f64 {
    let parts: Vec<f64> = set
        .par_chunks(CHUNK)
        .map(|chunk| data.loss(chunk, weights, curve))
        .collect();
    parts.iter().sum::<f64>() / set.len() as f64
}

fn gradient(data: &Data, batch: &[u32], weights: &Weights, curve: f64) -> Weights {
    let parts: Vec<Weights> = batch
        .par_chunks(CHUNK)
        .map(|chunk| {
            let mut gradient = vec![[0.0; 2]; WEIGHT_COUNT];
            data.add_gradient(chunk, weights, curve, &mut gradient);
            gradient
        })
        .collect();
    let mut sum = vec![[0.0; 2]; WEIGHT_COUNT];
    for part in parts {
        for (place, value) in sum.iter_mut().zip(part) {
            place[0] += value[0];
            place[1] += value[1];
        }
    }
    sum
}

/// Adam (Kingma and Ba 2015).
struct Optimiser {
    weights: Weights,
    mean: Weights,
    square: Weights,
    steps: i32,
    rate: f64,
}

impl Optimiser {
    const MEAN_DECAY: f64 = 0.9;
    const SQUARE_DECAY: f64 = 0.999;

    fn new(start: &Weights, rate: f64) -> Self {
        Self {
            weights: start.clone(),
            mean: vec![[0.0; 2]; WEIGHT_COUNT],
            square: vec![[0.0; 2]; WEIGHT_COUNT],
            steps: 0,
            rate,
        }
    }

    fn step(&mut self, gradient: &Weights, positions: usize) {
        self.steps += 1;
        let correct = |decay: f64| 1.0 - libm::pow(decay, f64::from(self.steps));
        let (mean_correction, square_correction) = (correct(Self::MEAN_DECAY), correct(Self::SQUARE_DECAY));
        for (index, slopes) in gradient.iter().enumerate() {
            for (phase, slope) in slopes.iter().enumerate() {
                let slope = slope / positions as f64;
                let mean = &mut self.mean[index][phase];
                *mean = Self::MEAN_DECAY * *mean + (1.0 - Self::MEAN_DECAY) * slope;
                let square = &mut self.square[index][phase];
                *square = Self::SQUARE_DECAY * *square + (1.0 - Self::SQUARE_DECAY) * slope * slope;
                let (mean, square) = (*mean / mean_correction, *square / square_correction);
                // Attack units are summed before they are squared, so each is worth less.
                let unit = if is_danger(index) { 4.0 } else { 1.0 };
                self.weights[index][phase] -= self.rate * unit * mean / (libm::sqrt(square) + 1e-9);
            }
        }
    }
}

/// The pull to the starting weights.
struct Prior<'a> {
    start: &'a Weights,
    occurrences: &'a Weights,
    /// Second derivative of its loss by any weight, for each position.
    strength: f64,
}

impl Prior<'_> {
    /// Adds its gradient for this many positions.
    fn pull(&self, gradient: &mut Weights, weights: &Weights, positions: usize) {
        let strength = self.strength * positions as f64;
        for (index, slopes) in gradient.iter_mut().enumerate() {
            for (phase, slope) in slopes.iter_mut().enumerate() {
                // A weight without a single occurrence stays.
                if self.occurrences[index][phase] > 0.0 {
                    *slope += strength * (weights[index][phase] - self.start[index][phase]);
                }
            }
        }
    }
}

/// Moves the mean of the tables of squares and mobility into the material. That changes no evaluation: a piece has
/// exactly one entry of each.
fn centre(weights: &mut Weights, occurrences: &Weights) {
    const PIECES: [&str; 6] = ["PAWN", "KNIGHT", "BISHOP", "ROOK", "QUEEN", "KING"];
    let material = TERMS
        .iter()
        .find(|term| term.group == Group::Material)
        .map_or(0, |term| term.first);
    for (piece, name) in PIECES.iter().enumerate() {
        for table in ["SQUARE", "MOBILITY"] {
            let wanted = |term: &&Term| term.name == format!("{name}_{table}");
            let Some(term) = TERMS.iter().find(wanted) else {
                continue;
            };
            for phase in 0..2 {
                let range = term.first..term.first + term.count;
                let total: f64 = range.clone().map(|index| occurrences[index][phase]).sum();
                if total <= 0.0 {
                    continue;
                }
                let mean = range
                    .clone()
                    .map(|index| occurrences[index][phase] * weights[index][phase])
                    .sum::<f64>()
                    / total;
                for index in range {
                    // Pawns never stand on the outer ranks.
                    if *name != "PAWN" || (4..28).contains(&(index - term.first)) {
                        weights[index][phase] -= mean;
                    }
                }
                // Each side has one king: what both have cancels out.
                if *name != "KING" {
                    weights[material + piece][phase] += mean;
                }
            }
        }
    }
}

/// Makes a pawn worth [`PAWN`] in the endgame and returns the factor. Attack units are squared later, so they get its
/// square root.
fn rescale(weights: &mut Weights) -> f64 {
    let pawn = weights[0][1];
    if pawn <= PAWN / 4.0 {
        return 1.0;
    }
    let factor = PAWN / pawn;
    for (index, pair) in weights.iter_mut().enumerate() {
        let by = if is_danger(index) { libm::sqrt(factor) } else { factor };
        *pair = pair.map(|value| value * by);
    }
    factor
}
