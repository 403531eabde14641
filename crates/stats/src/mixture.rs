//! Mixtures of normal distributions.

use super::normal::normal;
use super::root_finding::{Sample, root};

/// Accuracy of a quantile, relative.
const TOLERANCE: f64 = 1e-10;

/// A part of a mixture.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalComponent {
    /// Its share, 0 to 1.
    pub weight: f64,
    /// Its mean.
    pub mean: f64,
    /// Its standard deviation; positive.
    pub deviation: f64,
}

/// A mixture of normal distributions, whose weights add up to one.
#[derive(Debug, Clone, PartialEq)]
pub struct NormalMixture {
    components: Vec<NormalComponent>,
}

impl NormalMixture {
    /// Of these parts.
    pub(super) fn new(components: Vec<NormalComponent>) -> Self {
        Self { components }
    }

    /// Its parts.
    pub fn components(&self) -> &[NormalComponent] {
        &self.components
    }

    /// The mean.
    pub fn mean(&self) -> f64 {
        self.components.iter().map(|part| part.weight * part.mean).sum()
    }

    /// The standard deviation.
    pub fn deviation(&self) -> f64 {
        let mean = self.mean();
        let square = |part: &NormalComponent| {
            let distance = part.mean - mean;
            part.weight * (part.deviation * part.deviation + distance * distance)
        };
        self.components.iter().map(square).sum::<f64>().sqrt()
    }

    /// The probability of a value of at most `x`.
    pub fn probability_below(&self, x: f64) -> f64 {
        let below = |part: &NormalComponent| part.weight * normal((x - part.mean) / part.deviation);
        self.components.iter().map(below).sum::<f64>().clamp(0.0, 1.0)
    }

    /// The probability of a positive value.
    pub fn positive_probability(&self) -> f64 {
        1.0 - self.probability_below(0.0)
    }

    /// The distribution of the sum of such a value and an independent normal one with mean 0 and this standard deviation.
    #[must_use]
    pub fn widened(&self, deviation: f64) -> Self {
        self.widened_by_one_of(&[(1.0, deviation)])
    }

    /// The same when the standard deviation is one of several, each with its probability. They add up to one.
    #[must_use]
    pub fn widened_by_one_of(&self, deviations: &[(f64, f64)]) -> Self {
        let wider = |part: &NormalComponent, (probability, deviation): (f64, f64)| NormalComponent {
            weight: part.weight * probability,
            deviation: (part.deviation * part.deviation + deviation * deviation).sqrt(),
            ..*part
        };
        let parts = self.components.iter();
        Self::new(
            parts
                .flat_map(|part| deviations.iter().map(move |one| wider(part, *one)))
                .collect(),
        )
    }

    /// The value below which it is with this probability, between 0 and 1.
    pub fn quantile(&self, probability: f64) -> f64 {
        // As far as any part reaches.
        const FAR: f64 = 12.0;
        let ends = [-FAR, FAR].map(|far| {
            let reach = |part: &NormalComponent| part.mean + far * part.deviation;
            let reached = self.components.iter().map(reach);
            match far < 0.0 {
                true => reached.fold(f64::INFINITY, f64::min),
                false => reached.fold(f64::NEG_INFINITY, f64::max),
            }
        });
        let distance = |x: f64| self.probability_below(x) - probability;
        let [low, high] = ends.map(|at| Sample {
            at,
            value: distance(at),
        });
        root(low, high, TOLERANCE, distance)
    }

    /// The interval that it is in with the probability `level`, with as much below it as above.
    pub fn interval(&self, level: f64) -> [f64; 2] {
        let beyond = (1.0 - level) / 2.0;
        [beyond, 1.0 - beyond].map(|probability| self.quantile(probability))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::DEVIATIONS_95;
    use proptest::prelude::*;

    #[test]
    fn a_sum_with_one_of_several_deviations() {
        let value = NormalMixture::new(vec![NormalComponent {
            weight: 1.0,
            mean: 3.0,
            deviation: 3.0,
        }]);
        let sum = value.widened_by_one_of(&[(0.25, 4.0), (0.75, 0.0)]);
        assert!((sum.deviation() - (9.0_f64 + 0.25 * 16.0).sqrt()).abs() < 1e-12);
        assert_eq!(sum.mean(), 3.0);
        assert_eq!(value.widened(4.0).deviation(), 5.0);
    }

    #[test]
    fn a_single_part_is_a_normal_distribution() {
        let mixture = NormalMixture::new(vec![NormalComponent {
            weight: 1.0,
            mean: 3.0,
            deviation: 4.0,
        }]);
        let [low, high] = mixture.widened(3.0).interval(0.95);
        assert!((low - 3.0 + 5.0 * DEVIATIONS_95).abs() < 1e-6, "{low}");
        assert!((high - 3.0 - 5.0 * DEVIATIONS_95).abs() < 1e-6, "{high}");
        assert_eq!((mixture.mean(), mixture.deviation()), (3.0, 4.0));
        // A table of the normal distribution: 0.7734 at 0.75.
        assert!((mixture.positive_probability() - 0.773_373).abs() < 1e-6);
    }

    proptest! {
        #[test]
        fn quantiles_are_where_their_probability_is(
            parts in prop::collection::vec((0.01..1.0, -100.0..100.0, 0.1..50.0), 1..6), probability in 0.001..0.999,
        ) {
            let all: f64 = parts.iter().map(|part: &(f64, f64, f64)| part.0).sum();
            let part = |&(weight, mean, deviation): &(f64, f64, f64)| NormalComponent { weight: weight / all, mean, deviation };
            let mixture = NormalMixture::new(parts.iter().map(part).collect());
            let quantile = mixture.quantile(probability);
            prop_assert!((mixture.probability_below(quantile) - probability).abs() < 1e-7);
        }
    }
}
