//! Many effects that were measured with errors, and what they tell about each other.
//!
//! Effects of one kind are alike: most are small, a few are large. How many are how large, the measurements themselves tell. With it
//! each of them becomes better than it is alone: one that is no larger than its error is most likely small, and one that is many times
//! its error stays what it is.
//!
//! The prior is a mixture of normal distributions with a common mean, and standard deviations on a grid from far below the errors to
//! beyond the largest effect. Its weights and the mean come from all measurements by expectation and maximization; the weights of the
//! parts have one measurement more, spread over all of them evenly, so none is zero. The error of the mean is part of every
//! posterior.
//!
//! Sources: Matthew Stephens, *False discovery rates: a new deal*, Biostatistics 2017 (the mixture, its grid and its weights). Carl N.
//! Morris, *Parametric empirical Bayes inference*, 1983 (the error of the mean in the posterior).

use super::mixture::{NormalComponent, NormalMixture};

/// The quotient of neighbours on the grid.
const STEP: f64 = std::f64::consts::SQRT_2;

/// Steps of expectation and maximization at most.
const MOST_STEPS: usize = 2_000;

/// A step that changes the logarithm of the likelihood by less is the last.
const SMALLEST_GAIN: f64 = 1e-10;

/// An effect as it was measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct MeasuredEffect {
    /// The estimate.
    pub value: f64,
    /// Its standard error; positive.
    pub error: f64,
}

/// What effects of a kind are like, by all that were measured.
#[derive(Debug, Clone, PartialEq)]
pub struct AdaptiveShrinkage {
    mode: f64,
    /// The variance of the estimate of the mode.
    mode_variance: f64,
    /// Weights and standard deviations of the parts.
    parts: Vec<(f64, f64)>,
}

impl AdaptiveShrinkage {
    /// From independent measurements. `None` when there is none, or a number is not finite or an error not positive.
    pub fn fit(measured: &[MeasuredEffect]) -> Option<Self> {
        let is_measured =
            |effect: &MeasuredEffect| effect.value.is_finite() && effect.error.is_finite() && effect.error > 0.0;
        if measured.is_empty() || !measured.iter().all(is_measured) {
            return None;
        }
        let deviations = grid(measured);
        let even = (deviations.len() as f64).recip();
        let mut fitted = Self {
            mode: 0.0,
            mode_variance: 0.0,
            parts: deviations.into_iter().map(|deviation| (even, deviation)).collect(),
        };
        let mut before = f64::NEG_INFINITY;
        for _ in 0..MOST_STEPS {
            let likelihood = fitted.step(measured);
            if likelihood - before < SMALLEST_GAIN {
                break;
            }
            before = likelihood;
        }
        Some(fitted)
    }

    /// The common mean of all parts: what the most usual effect is.
    pub fn mode(&self) -> f64 {
        self.mode
    }

    /// An effect of this kind that was not measured.
    pub fn prior(&self) -> NormalMixture {
        let part = |&(weight, deviation): &(f64, f64)| NormalComponent {
            weight,
            mean: self.mode,
            deviation: (deviation * deviation + self.mode_variance).sqrt(),
        };
        NormalMixture::new(self.parts.iter().map(part).collect())
    }

    /// What an effect is, by its own measurement and all others.
    pub fn posterior(&self, measured: &MeasuredEffect) -> NormalMixture {
        let own = measured.error * measured.error;
        let part = |(&(_, deviation), weight): (&(f64, f64), f64)| {
            let prior = deviation * deviation;
            // The share of the prior in the mean.
            let share = own / (own + prior);
            NormalComponent {
                weight,
                mean: share * self.mode + (1.0 - share) * measured.value,
                deviation: (share * prior + share * share * self.mode_variance).sqrt(),
            }
        };
        let (responsible, _) = self.responsible(measured);
        NormalMixture::new(self.parts.iter().zip(responsible).map(part).collect())
    }

    /// The probability of each part, given a measurement, and the logarithm of the likelihood of the measurement.
    fn responsible(&self, measured: &MeasuredEffect) -> (Vec<f64>, f64) {
        let logarithm = |&(weight, deviation): &(f64, f64)| {
            let variance = deviation * deviation + measured.error * measured.error;
            let distance = measured.value - self.mode;
            libm::log(weight) - 0.5 * (libm::log(variance) + distance * distance / variance)
        };
        let logarithms: Vec<f64> = self.parts.iter().map(logarithm).collect();
        let largest = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let mut shares: Vec<f64> = logarithms.iter().map(|value| libm::exp(value - largest)).collect();
        let sum: f64 = shares.iter().sum();
        shares.iter_mut().for_each(|share| *share /= sum);
        (shares, largest + libm::log(sum))
    }

    /// One step of expectation and maximization. Returns the logarithm of the likelihood before it, with that of the weights' prior.
    fn step(&mut self, measured: &[MeasuredEffect]) -> f64 {
        let even = (self.parts.len() as f64).recip();
        let mut weights = vec![even; self.parts.len()];
        let (mut precision, mut sum) = (0.0, 0.0);
        let mut likelihood: f64 = self.parts.iter().map(|(weight, _)| even * libm::log(*weight)).sum();
        for effect in measured {
            let (responsible, own) = self.responsible(effect);
            likelihood += own;
            for ((weight, share), (_, deviation)) in weights.iter_mut().zip(&responsible).zip(&self.parts) {
                *weight += share;
                let more = share / (deviation * deviation + effect.error * effect.error);
                precision += more;
                sum += more * effect.value;
            }
        }
        let all = measured.len() as f64 + 1.0;
        for ((weight, _), new) in self.parts.iter_mut().zip(weights) {
            *weight = new / all;
        }
        (self.mode, self.mode_variance) = (sum / precision, precision.recip());
        likelihood
    }
}

/// The standard deviations of the parts, as Stephens has them: from a tenth of the smallest error to twice what the largest effect is
/// beyond its error.
fn grid(measured: &[MeasuredEffect]) -> Vec<f64> {
    let least = measured.iter().map(|effect| effect.error).fold(f64::INFINITY, f64::min) / 10.0;
    let beyond = |effect: &MeasuredEffect| effect.value * effect.value - effect.error * effect.error;
    let beyond = measured.iter().map(beyond).fold(0.0, f64::max).sqrt();
    let most = if beyond > 0.0 { 2.0 * beyond } else { 8.0 * least };
    let mut deviations = vec![most];
    let mut next = most / STEP;
    while next > least {
        deviations.push(next);
        next /= STEP;
    }
    deviations.reverse();
    deviations
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_pcg::Pcg64;
    use rand_pcg::rand_core::Rng;

    fn measured(values: &[(f64, f64)]) -> Vec<MeasuredEffect> {
        let effect = |&(value, error): &(f64, f64)| MeasuredEffect { value, error };
        values.iter().map(effect).collect()
    }
    //TESTS
}
