//! Pairs that are made up: what they score and how long they take.

use lmrlab_stats::{NormalizedElo, PairOutcome, Pentanomial, Sprt, Verdict};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64Mcg;

/// Shares of the five outcomes between equal engines; their variance is what pairs of this project's matches have.
const EQUAL: [f64; 5] = [1.0, 4.0, 9.0, 4.0, 1.0];

/// One pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair {
    pub(super) outcome: PairOutcome,
    /// How long it takes, in mean pairs.
    pub(super) time: f64,
}

/// The pairs of a schedule, made when they are asked for. They do not depend on who plays them, nor when.
pub(super) struct Games {
    random: Pcg64Mcg,
    /// For each outcome, the probability of it or a worse one.
    up_to: [f64; 5],
    pairs: Vec<Pair>,
}

impl Games {
    /// Between engines that are `elo` apart, in normalized Elo.
    pub(super) fn new(elo: f64, seed: u64) -> Self {
        Self {
            random: Pcg64Mcg::seed_from_u64(seed),
            up_to: up_to(elo),
            pairs: Vec::new(),
        }
    }

    /// A pair by its number.
    pub(super) fn pair(&mut self, number: u64) -> Pair {
        let index = usize::try_from(number).unwrap_or(usize::MAX);
        while self.pairs.len() <= index {
            let point: f64 = self.random.random();
            let worse = self.up_to.iter().filter(|&&up_to| up_to <= point).count();
            let outcome = PairOutcome::ALL[worse.min(4)];
            let time = 0.5 + self.random.random::<f64>();
            self.pairs.push(Pair { outcome, time });
        }
        self.pairs[index]
    }

    /// What one machine comes to: the verdict, the pairs that it needs, and their time in mean pairs.
    pub(super) fn on_one_machine(&mut self, sprt: &Sprt, pairs: u64) -> (Verdict, u64, f64) {
        let mut counts = Pentanomial::default();
        let mut time = 0.0;
        for number in 0..pairs {
            let pair = self.pair(number);
            counts.record(pair.outcome);
            time += pair.time;
            let verdict = sprt.status(&counts);
            if verdict != Verdict::Continue {
                return (verdict, number + 1, time);
            }
        }
        (Verdict::Continue, pairs, time)
    }
}

/// The distribution of outcomes between engines that are `elo` apart: [`EQUAL`], with each step up weighing more by a factor.
fn up_to(elo: f64) -> [f64; 5] {
    let deviation = variance(EQUAL).sqrt();
    // A small shift moves the mean by the variance times the shift.
    let factor = libm::exp(NormalizedElo(elo).t_value(2) / deviation);
    let mut weight = 1.0;
    let weights = EQUAL.map(|share| {
        let tilted = share * weight;
        weight *= factor;
        tilted
    });
    let total: f64 = weights.iter().sum();
    let mut sum = 0.0;
    weights.map(|weight| {
        sum += weight / total;
        sum
    })
}

/// The variance of outcomes around the middle, in half points.
fn variance(weights: [f64; 5]) -> f64 {
    let total: f64 = weights.iter().sum();
    let squares = [4.0, 1.0, 0.0, 1.0, 4.0];
    weights
        .iter()
        .zip(squares)
        .map(|(weight, square)| weight * square)
        .sum::<f64>()
        / total
}

#[cfg(test)]
mod tests {
    use lmrlab_stats::Estimate;

    use super::*;

    #[test]
    fn pairs_have_the_strength_that_was_asked_for() {
        let mut games = Games::new(20.0, 1);
        let mut counts = Pentanomial::default();
        let mut time = 0.0;
        for number in 0..40_000 {
            counts.record(games.pair(number).outcome);
            time += games.pair(number).time;
        }
        let estimate = Estimate::of(&counts).expect("pairs");
        assert!((estimate.normalized_elo.0 - 20.0).abs() < 2.5, "{estimate:?}");
        assert!((time / 40_000.0 - 1.0).abs() < 0.01, "{time}");
    }
}
