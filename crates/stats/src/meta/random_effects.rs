//! The mean of results that may differ beyond chance: the random-effects model of meta-analysis, for two results or more.

use super::heterogeneity::value_where;
use crate::normal::DEVIATIONS_95;

/// The mean of the effects that independent results have measured, each with an error of its own.
///
/// The standard deviation between them beyond chance is the estimate of Paule and Mandel; with a single result it is 0. The error
/// takes it as known. Sources: those of [`super`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct RandomEffectsMean {
    /// The mean.
    pub value: f64,
    /// Half the width of its 95% interval.
    pub error_95: f64,
    /// The standard deviation between results beyond chance.
    pub tau: f64,
}

impl RandomEffectsMean {
    /// Of values with their variances, which are positive. `None` when there is none, or a number is not finite.
    pub fn of(results: &[(f64, f64)]) -> Option<Self> {
        let is_result = |&(value, variance): &(f64, f64)| value.is_finite() && variance.is_finite() && variance > 0.0;
        if results.is_empty() || !results.iter().all(is_result) {
            return None;
        }
        let mean = |between: f64| {
            let weight = |variance: f64| (variance + between).recip();
            let weights: f64 = results.iter().map(|&(_, variance)| weight(variance)).sum();
            let sum: f64 = results.iter().map(|&(value, variance)| weight(variance) * value).sum();
            (sum / weights, weights.recip())
        };
        let squares = |between: f64| {
            let (mean, _) = mean(between);
            let square = |&(value, variance): &(f64, f64)| (value - mean) * (value - mean) / (variance + between);
            results.iter().map(square).sum::<f64>()
        };
        let between = value_where(results.len() as f64 - 1.0, squares);
        let (value, variance) = mean(between);
        Some(Self {
            value,
            error_95: DEVIATIONS_95 * variance.sqrt(),
            tau: between.sqrt(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: the sum of squares is 16 / (6 + 2 v), and 1 at v = 5.
    #[test]
    fn two_results() {
        let mean = RandomEffectsMean::of(&[(0.0, 1.0), (4.0, 5.0)]).unwrap();
        assert!((mean.tau * mean.tau - 5.0).abs() < 1e-9, "{mean:?}");
        assert!((mean.value - 4.0 * 0.1 / (1.0 / 6.0 + 0.1)).abs() < 1e-9, "{mean:?}");
        let error = DEVIATIONS_95 / (1.0_f64 / 6.0 + 0.1).sqrt();
        assert!((mean.error_95 - error).abs() < 1e-9, "{mean:?}");
    }

    #[test]
    fn one_result_is_its_own_mean() {
        let mean = RandomEffectsMean::of(&[(3.0, 4.0)]).unwrap();
        assert_eq!((mean.value, mean.tau), (3.0, 0.0));
        assert!((mean.error_95 - 2.0 * DEVIATIONS_95).abs() < 1e-12);
        assert_eq!(RandomEffectsMean::of(&[]), None);
        assert_eq!(RandomEffectsMean::of(&[(3.0, 0.0)]), None);
        assert_eq!(RandomEffectsMean::of(&[(f64::NAN, 1.0)]), None);
    }
}
