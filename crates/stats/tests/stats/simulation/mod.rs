//! Simulated matches of known strength. They take minutes, so the normal suite leaves them out:
//!
//! ```text
//! cargo test --release -p lmrlab-stats --test stats simulation -- --ignored --nocapture --test-threads 1
//! ```

mod race;
mod ratings;
mod sprt;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;
use rayon::prelude::*;

/// A source of outcomes with given probabilities.
struct Source {
    /// Upper ends of the outcomes' ranges; the last one's is everything.
    ends: Vec<u64>,
}

impl Source {
    fn new(probabilities: &[f64]) -> Self {
        let mut sum = 0.0;
        let ends = probabilities[..probabilities.len() - 1].iter().map(|p| {
            assert!(*p >= 0.0, "{probabilities:?}");
            sum += p;
            (sum * 2_f64.powi(64)) as u64
        });
        Self { ends: ends.collect() }
    }

    fn draw(&self, random: &mut Pcg64) -> usize {
        let number = random.next_u64();
        self.ends.iter().filter(|&&end| number >= end).count()
    }
}

/// Probabilities of loss, draw and win.
fn game(score: f64, draws: f64) -> [f64; 3] {
    [1.0 - score - draws / 2.0, draws, score - draws / 2.0]
}

/// Probabilities of a pair's scores when the openings move the score by `bias`, once to each side.
fn pair(score: f64, draws: f64, bias: f64) -> [f64; 5] {
    let (first, second) = (game(score + bias, draws), game(score - bias, draws));
    let mut pair = [0.0; 5];
    for (i, a) in first.iter().enumerate() {
        for (j, b) in second.iter().enumerate() {
            pair[i + j] += a * b;
        }
    }
    pair
}

/// Mean and standard deviation of scores from 0 to 1.
fn moments(probabilities: &[f64]) -> (f64, f64) {
    let last = (probabilities.len() - 1) as f64;
    let mean = |f: &dyn Fn(f64) -> f64| -> f64 {
        let values = probabilities.iter().zip(0_u32..);
        values.map(|(p, step)| p * f(f64::from(step) / last)).sum()
    };
    let score = mean(&|x| x);
    (score, mean(&|x| (x - score) * (x - score)).sqrt())
}

/// Runs simulations at the same time, each with random numbers of its own, and returns what they gave in order.
fn simulate<T: Send>(seed: u128, runs: u64, run: impl Fn(&mut Pcg64) -> T + Sync) -> Vec<T> {
    (0..runs)
        .into_par_iter()
        .map(|number| run(&mut Pcg64::new(seed, u128::from(number))))
        .collect()
}

/// A number from 0 to 1.
fn uniform(random: &mut Pcg64) -> f64 {
    (random.next_u64() >> 11) as f64 / 2_f64.powi(53)
}

/// A standard normal number, by Box and Muller.
fn normal(random: &mut Pcg64) -> f64 {
    let length = (-2.0 * libm::log(1.0 - uniform(random))).sqrt();
    length * libm::cos(std::f64::consts::TAU * uniform(random))
}

fn share<T>(of: &[T], which: impl Fn(&T) -> bool) -> f64 {
    of.iter().filter(|item| which(item)).count() as f64 / of.len() as f64
}

fn mean<T>(of: &[T], value: impl Fn(&T) -> f64) -> f64 {
    of.iter().map(value).sum::<f64>() / of.len() as f64
}
