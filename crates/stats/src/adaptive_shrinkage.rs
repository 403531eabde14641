//! Many effects that were measured with errors, and what they tell about each other.
//!
//! Effects of one kind are alike: most are small, a few are large. How many are how large, the measurements themselves tell. With it
//! each of them becomes better than it is alone: one that is no larger than its error is most likely small, and one that is many times
//! its error stays what it is.
//!
//! The prior of an effect is a mixture of two normal distributions around a common mean: a narrow one for most, a wide one for some. Its
//! numbers are not known, so posteriors are averages over a grid of them. Each point of the grid weighs as much as it explains the
//! measurements, times a prior of its own: half-Cauchy for the narrow deviation, with the median error as its scale, and even for the
//! logarithm of the quotient of both deviations and for the share of the wide one. The best values alone would claim too much: they are
//! often zero. The common mean has its best value at each point, and its error is part of every posterior.
//!
//! Sources: Matthew Stephens, *False discovery rates: a new deal*, Biostatistics 2017 (mixtures of normal distributions around a common
//! mean, with deviations on a grid; there with the best weights). Andrew Gelman, *Prior distributions for variance parameters in
//! hierarchical models*, 2006 (the half-Cauchy prior). Carl N. Morris, *Parametric empirical Bayes inference*, 1983 (the error of the
//! mean in the posterior).

use super::mixture::{NormalComponent, NormalMixture};

/// The quotient of neighbours on the grid of the narrow deviation.
const STEP: f64 = std::f64::consts::SQRT_2;

/// The quotient of neighbours on the grid of the wide deviation.
const WIDE_STEP: f64 = 2.0;

/// The shares of the wide part on the grid.
const WIDE_SHARES: [f64; 4] = [0.03, 0.1, 0.25, 0.5];

/// Steps of expectation and maximization for the common mean.
const STEPS: usize = 30;

/// Points of the grid and parts of a posterior with less weight than this share of the largest are left out.
const NEGLIGIBLE: f64 = 1e-4;

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
    /// With their weights, which add up to one.
    priors: Vec<(f64, Prior)>,
}

/// A point of the grid.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Prior {
    mode: f64,
    /// The variance of the estimate of the mode.
    mode_variance: f64,
    /// Weights and standard deviations of both parts.
    parts: [(f64, f64); 2],
}

impl AdaptiveShrinkage {
    /// From independent measurements. `None` when there is none, or a number is not finite or an error not positive.
    pub fn fit(measured: &[MeasuredEffect]) -> Option<Self> {
        let is_measured =
            |effect: &MeasuredEffect| effect.value.is_finite() && effect.error.is_finite() && effect.error > 0.0;
        if measured.is_empty() || !measured.iter().all(is_measured) {
            return None;
        }
        let points: Vec<(f64, Prior)> = grid(measured)
            .into_iter()
            .map(|(log_prior, parts)| {
                let (prior, likelihood) = Prior::fit(parts, measured);
                (log_prior + likelihood, prior)
            })
            .collect();
        let priors = weighted(points);
        Some(Self { priors })
    }

    /// What the most usual effect is: the common mean of both parts.
    pub fn mode(&self) -> f64 {
        self.priors.iter().map(|(weight, prior)| weight * prior.mode).sum()
    }

    /// The standard deviation of the narrow part, which most effects are from.
    pub fn usual_deviation(&self) -> f64 {
        self.priors
            .iter()
            .map(|(weight, prior)| weight * prior.parts[0].1)
            .sum()
    }

    /// What an effect is, by its own measurement and all others.
    pub fn posterior(&self, measured: &MeasuredEffect) -> NormalMixture {
        let parts = self.priors.iter().flat_map(|(weight, prior)| {
            let log_weight = libm::log(*weight);
            // The measurement was part of what weighted the grid already.
            let logs = prior.log_likelihoods(measured);
            let all = log_sum(&logs);
            let part = move |log: f64| log_weight + log - all;
            logs.map(part).into_iter().zip(prior.posteriors(measured))
        });
        let components = weighted(parts.collect());
        let components = components
            .into_iter()
            .map(|(weight, part)| NormalComponent { weight, ..part });
        NormalMixture::new(components.collect())
    }
}

impl Prior {
    /// With the best common mean, and the logarithm of the likelihood of all measurements.
    fn fit(parts: [(f64, f64); 2], measured: &[MeasuredEffect]) -> (Self, f64) {
        let mut prior = Self {
            mode: 0.0,
            mode_variance: 0.0,
            parts,
        };
        for _ in 0..STEPS {
            let (mut precision, mut sum) = (0.0, 0.0);
            for effect in measured {
                let logs = prior.log_likelihoods(effect);
                let all = log_sum(&logs);
                for (log, (_, deviation)) in logs.into_iter().zip(parts) {
                    let more = libm::exp(log - all) / (deviation * deviation + effect.error * effect.error);
                    precision += more;
                    sum += more * effect.value;
                }
            }
            (prior.mode, prior.mode_variance) = (sum / precision, precision.recip());
        }
        let likelihood: f64 = measured
            .iter()
            .map(|effect| log_sum(&prior.log_likelihoods(effect)))
            .sum();
        // The mean is integrated over, by Laplace's approximation.
        (prior, likelihood + 0.5 * libm::log(prior.mode_variance))
    }

    /// The logarithm of the likelihood of a measurement from each part, with the part's weight.
    fn log_likelihoods(&self, measured: &MeasuredEffect) -> [f64; 2] {
        self.parts.map(|(weight, deviation)| {
            let variance = deviation * deviation + measured.error * measured.error;
            let distance = measured.value - self.mode;
            libm::log(weight) - 0.5 * (libm::log(variance) + distance * distance / variance)
        })
    }

    /// The posterior of an effect that is from each part.
    fn posteriors(&self, measured: &MeasuredEffect) -> [NormalComponent; 2] {
        let own = measured.error * measured.error;
        self.parts.map(|(_, deviation)| {
            let prior = deviation * deviation;
            // The share of the prior in the mean.
            let share = own / (own + prior);
            NormalComponent {
                weight: 1.0,
                mean: share * self.mode + (1.0 - share) * measured.value,
                deviation: (share * prior + share * share * self.mode_variance).sqrt(),
            }
        })
    }
}

/// Things by the logarithms of their weights: those that count, with weights that add up to one.
fn weighted<T>(things: Vec<(f64, T)>) -> Vec<(f64, T)> {
    let largest = things.iter().map(|(log, _)| *log).fold(f64::NEG_INFINITY, f64::max);
    let mut kept: Vec<(f64, T)> = things
        .into_iter()
        .map(|(log, thing)| (libm::exp(log - largest), thing))
        .filter(|(weight, _)| *weight >= NEGLIGIBLE)
        .collect();
    let sum: f64 = kept.iter().map(|(weight, _)| weight).sum();
    kept.iter_mut().for_each(|(weight, _)| *weight /= sum);
    kept
}

fn log_sum(logs: &[f64; 2]) -> f64 {
    let largest = logs[0].max(logs[1]);
    largest + libm::log(libm::exp(logs[0] - largest) + libm::exp(logs[1] - largest))
}

/// The points of the grid: the logarithm of the prior of each, and its parts. Narrow deviations go from a tenth of the smallest error to
/// the largest effect, wide ones to twice as much, as those of Stephens do.
fn grid(measured: &[MeasuredEffect]) -> Vec<(f64, [(f64, f64); 2])> {
    let mut errors: Vec<f64> = measured.iter().map(|effect| effect.error).collect();
    errors.sort_by(f64::total_cmp);
    let (least, scale) = (errors[0] / 10.0, errors[errors.len() / 2]);
    let largest = measured.iter().map(|effect| effect.value.abs()).fold(scale, f64::max);
    let mut points = Vec::new();
    let mut narrow = least;
    while narrow <= largest {
        let ratio = narrow / scale;
        // Of its logarithm, whose steps are even.
        let log_prior = libm::log(ratio) - libm::log(1.0 + ratio * ratio);
        let mut wide = WIDE_STEP * narrow;
        let first = points.len();
        while wide <= 2.0 * WIDE_STEP * largest {
            points.extend(WIDE_SHARES.map(|share| (log_prior, [(1.0 - share, narrow), (share, wide)])));
            wide *= WIDE_STEP;
        }
        // The prior of the narrow deviation is shared by its points.
        let count = (points.len() - first) as f64;
        points[first..].iter_mut().for_each(|(log, _)| *log -= libm::log(count));
        narrow *= STEP;
    }
    points
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

    /// The same average in another program: means, standard deviations and probabilities of a positive effect.
    #[test]
    fn the_posteriors_of_another_program() {
        let values = [2.0, -1.0, 4.0, 60.0, 3.0, -5.0, 1.0];
        let errors = [4.0, 4.0, 3.0, 8.0, 4.0, 5.0, 4.0];
        let pairs: Vec<(f64, f64)> = values.into_iter().zip(errors).collect();
        let effects = measured(&pairs);
        let fitted = AdaptiveShrinkage::fit(&effects).unwrap();
        assert!((fitted.mode() - 1.342_87).abs() < 2e-3, "{}", fitted.mode());
        for (effect, mean, deviation, positive) in [
            (effects[0], 1.524_27, 2.474_97, 0.745_97),
            (effects[3], 58.430_84, 8.118_21, 1.0),
            (effects[5], -0.081_48, 3.228_04, 0.552_78),
        ] {
            let posterior = fitted.posterior(&effect);
            assert!((posterior.mean() - mean).abs() < 0.01, "{} {mean}", posterior.mean());
            assert!(
                (posterior.deviation() - deviation).abs() < 0.01,
                "{} {deviation}",
                posterior.deviation()
            );
            assert!((posterior.positive_probability() - positive).abs() < 2e-3);
        }
    }

    /// With nothing else to learn from, an effect is what its measurement says.
    #[test]
    fn a_single_effect_is_not_shrunk() {
        let [effect] = measured(&[(7.0, 3.0)])[..] else {
            unreachable!()
        };
        let posterior = AdaptiveShrinkage::fit(&[effect]).unwrap().posterior(&effect);
        assert!((posterior.mean() - 7.0).abs() < 1e-9);
        assert!((2.5..4.0).contains(&posterior.deviation()), "{}", posterior.deviation());
        assert_eq!(AdaptiveShrinkage::fit(&[]), None);
        assert_eq!(AdaptiveShrinkage::fit(&measured(&[(1.0, 0.0)])), None);
        assert_eq!(AdaptiveShrinkage::fit(&measured(&[(f64::INFINITY, 1.0)])), None);
    }

    fn normal_deviate(random: &mut Pcg64) -> f64 {
        let mut uniform = || (random.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let (radius, angle) = (1.0 - uniform(), uniform());
        (-2.0 * libm::log(radius)).sqrt() * libm::cos(std::f64::consts::TAU * angle)
    }

    /// Forty ideas, of which one in ten is large: the posteriors cover the truth as often as they say, and are better than the
    /// measurements.
    #[test]
    fn intervals_cover_the_truth() {
        let mut random = Pcg64::new(7, 3);
        let (mut covered, mut all) = (0, 0);
        let [mut raw, mut shrunk] = [0.0; 2];
        for _ in 0..12 {
            let truths: Vec<f64> = (0..40)
                .map(|number| 1.5 + if number % 10 == 0 { 25.0 } else { 2.0 } * normal_deviate(&mut random))
                .collect();
            let effect = |truth: &f64, random: &mut Pcg64| MeasuredEffect {
                value: truth + 4.0 * normal_deviate(random),
                error: 4.0,
            };
            let effects: Vec<MeasuredEffect> = truths.iter().map(|truth| effect(truth, &mut random)).collect();
            let fitted = AdaptiveShrinkage::fit(&effects).unwrap();
            for (truth, effect) in truths.iter().zip(&effects) {
                let posterior = fitted.posterior(effect);
                let [low, high] = posterior.interval(0.8);
                covered += u32::from((low..=high).contains(truth));
                all += 1;
                raw += (effect.value - truth) * (effect.value - truth);
                shrunk += (posterior.mean() - truth) * (posterior.mean() - truth);
            }
        }
        let coverage = f64::from(covered) / f64::from(all);
        assert!((0.75..0.87).contains(&coverage), "{coverage}");
        assert!(shrunk < 0.7 * raw, "{shrunk} {raw}");
    }
}
