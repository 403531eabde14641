//! Mini-batch gradient descent, for the weights of the terms and for the network.

use rand::seq::SliceRandom;
use rand_pcg::Pcg64;
use rayon::prelude::*;

/// One thread sums the gradients of this number of positions. So the order of additions does not depend on the number
/// of threads.
pub(crate) const CHUNK: usize = 256;

/// Positions with their targets, and a function that evaluates them.
pub(crate) trait Examples: Sync {
    /// The squared error of the expected result of a position.
    fn loss(&self, weights: &[f32], index: u32) -> f64;
    /// Adds the gradient of the losses of some positions to `gradient`.
    fn add_gradient(&self, weights: &[f32], chunk: &[u32], gradient: &mut [f32]);
}

/// How to learn from positions.
#[derive(Debug, Clone, Copy, clap::Args)]
pub(crate) struct Schedule {
    /// Weight of the game's result in the target; the rest is the weight of the search's score.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = share)]
    pub(crate) result_share: f64,
    /// Positions of a mini-batch.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    pub(crate) batch: u32,
    /// Seed of the order of positions, and of the first weights of a network.
    #[arg(long, default_value_t = 1)]
    pub(crate) seed: u64,
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|share| (0.0..=1.0).contains(share));
    share.ok_or_else(|| "expected a number from 0 to 1".to_owned())
}

/// The weights in training, and the optimiser: Adam (Kingma and Ba 2015). Its steps do not depend on the length of the
/// gradients.
pub(crate) struct Descent {
    pub(crate) weights: Vec<f32>,
    /// The greatest absolute value of a weight.
    most: f32,
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: u64,
}

impl Descent {
    const MEAN_DECAY: f32 = 0.9;
    const SQUARE_DECAY: f32 = 0.999;

    /// Begins with these weights, and keeps them within `most` of zero.
    pub(crate) fn new(weights: Vec<f32>, most: f32) -> Self {
        Self {
            most,
            mean: vec![0.0; weights.len()],
            square: vec![0.0; weights.len()],
            weights,
            steps: 0,
        }
    }

    /// Passes `epochs` times over the training positions. The step falls to a hundredth along a cosine (Loshchilov and
    /// Hutter 2017). Prints the validation loss after each pass. The weights of the pass with the least loss remain.
    pub(crate) fn pass(
        &mut self,
        examples: &impl Examples,
        [training, validation]: [&[u32]; 2],
        epochs: u32,
        step: f64,
        schedule: &Schedule,
    ) {
        let mut order = training.to_vec();
        let mut generator = Pcg64::new(u128::from(schedule.seed), 0);
        let batch = schedule.batch as usize;
        let batches = training.len().div_ceil(batch) * epochs as usize;
        let mut done = 0;
        let mut best = (f64::INFINITY, self.weights.clone());
        for epoch in 1..=epochs {
            order.shuffle(&mut generator);
            for batch in order.chunks(batch) {
                let chunks: Vec<&[u32]> = batch.chunks(CHUNK).collect();
                self.step(&chunks, step * fallen(done, batches), |weights, chunk, gradient| {
                    examples.add_gradient(weights, chunk, gradient);
                });
                done += 1;
            }
            let loss = mean(validation, |index| examples.loss(&self.weights, index));
            eprintln!("pass {epoch} of {epochs}: validation loss {loss:.6}");
            if loss < best.0 {
                best = (loss, self.weights.clone());
            }
        }
        self.weights = best.1;
    }

    /// Makes one step against the gradient of a batch. `add_gradient` adds the gradient of one of its chunks.
    pub(crate) fn step<T: Sync>(
        &mut self,
        chunks: &[T],
        step: f64,
        add_gradient: impl Fn(&[f32], &T, &mut [f32]) + Sync,
    ) {
        let weights = &self.weights;
        let parts: Vec<Vec<f32>> = chunks
            .par_iter()
            .map(|chunk| {
                let mut gradient = vec![0.0; weights.len()];
                add_gradient(weights, chunk, &mut gradient);
                gradient
            })
            .collect();
        let mut parts = parts.into_iter();
        let Some(mut gradient) = parts.next() else { return };
        for part in parts {
            for (place, value) in gradient.iter_mut().zip(&part) {
                *place += value;
            }
        }
        self.steps += 1;
        let correct = |decay: f32| 1.0 - libm::pow(f64::from(decay), self.steps as f64);
        let rate = (step / correct(Self::MEAN_DECAY)) as f32;
        let square_correction = (1.0 / libm::sqrt(correct(Self::SQUARE_DECAY))) as f32;
        let moments = self.mean.iter_mut().zip(&mut self.square);
        for ((weight, slope), (mean, square)) in self.weights.iter_mut().zip(gradient).zip(moments) {
            *mean = Self::MEAN_DECAY * *mean + (1.0 - Self::MEAN_DECAY) * slope;
            *square = Self::SQUARE_DECAY * *square + (1.0 - Self::SQUARE_DECAY) * slope * slope;
            *weight -= rate * *mean / (square.sqrt() * square_correction + 1e-8);
            *weight = weight.clamp(-self.most, self.most);
        }
    }
}

/// The factor of the first step after `done` of all batches: it falls from 1 to a hundredth along a cosine.
pub(crate) fn fallen(done: usize, batches: usize) -> f64 {
    let turn = std::f64::consts::PI * done as f64 / batches as f64;
    0.01 + 0.99 * (1.0 + libm::cos(turn)) / 2.0
}

/// The mean of a loss over positions.
pub(crate) fn mean(set: &[u32], loss: impl Fn(u32) -> f64 + Sync) -> f64 {
    let sum_of = |chunk: &[u32]| chunk.iter().map(|&index| loss(index)).sum::<f64>();
    let parts: Vec<f64> = set.par_chunks(CHUNK).map(sum_of).collect();
    parts.iter().sum::<f64>() / set.len() as f64
}

/// The mean losses of both sets before and after a training, one line each.
pub(crate) fn outcome(sets: [&[u32]; 2], before: [f64; 2], after: [f64; 2]) -> String {
    let line = |index: usize, name: &str| {
        let (count, before, after) = (sets[index].len(), before[index], after[index]);
        format!("{name:<11} {count:>9} positions, mean squared error {before:.6} -> {after:.6}\n")
    };
    line(0, "training") + &line(1, "validation")
}

/// The steepness per centipawn with the least loss: golden section search (Kiefer 1953).
pub(crate) fn best_curve(loss: impl Fn(f64) -> f64) -> f64 {
    let ratio = (libm::sqrt(5.0) - 1.0) / 2.0;
    let (mut low, mut high) = (0.0005, 0.03);
    let mut left = high - ratio * (high - low);
    let mut right = low + ratio * (high - low);
    let (mut at_left, mut at_right) = (loss(left), loss(right));
    while high - low > 1e-5 {
        if at_left < at_right {
            high = right;
            (right, at_right) = (left, at_left);
            left = high - ratio * (high - low);
            at_left = loss(left);
        } else {
            low = left;
            (left, at_left) = (right, at_right);
            right = low + ratio * (high - low);
            at_right = loss(right);
        }
    }
    (low + high) / 2.0
}

/// The logistic curve.
pub(crate) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-x))
}

pub(crate) fn squared(x: f64) -> f64 {
    x * x
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Compares the gradient of the losses of some positions with differences of the losses. Returns the number of
    /// slopes that it compared.
    pub(crate) fn check_gradient(
        examples: &impl Examples,
        positions: u32,
        weights: &[f32],
        step: f32,
        least: f32,
    ) -> usize {
        let all: Vec<u32> = (0..positions).collect();
        let mut gradient = vec![0.0; weights.len()];
        examples.add_gradient(weights, &all, &mut gradient);
        let steep: Vec<usize> = (0..weights.len())
            .filter(|&index| gradient[index].abs() > least)
            .take(300)
            .collect();
        for &index in &steep {
            let at = |change: f32| {
                let mut weights = weights.to_vec();
                weights[index] += change;
                all.iter().map(|&row| examples.loss(&weights, row)).sum::<f64>()
            };
            let (numeric, analytic) = (
                (at(step) - at(-step)) / (2.0 * f64::from(step)),
                f64::from(gradient[index]),
            );
            let allowed = f64::from(least) + analytic.abs() / 50.0;
            assert!((numeric - analytic).abs() < allowed, "{index}: {numeric} {analytic}");
        }
        steep.len()
    }
}
