//! The mean of results that may differ beyond chance: the random-effects model of meta-analysis.
//!
//! Sources: R. DerSimonian, N. Laird, *Meta-analysis in clinical trials*, 1986 (the model). R. C. Paule, J. Mandel, *Consensus values
//! and weighting factors*, 1982 (the variance between results: where the weighted sum of squares has its expectation). J. P. T. Higgins,
//! S. G. Thompson, D. J. Spiegelhalter, *A re-evaluation of random-effects meta-analysis*, 2009 (the prediction interval).

use crate::incomplete::lower_gamma;
use crate::normal::{DEVIATIONS_95, normal};
use crate::root_finding::rising_root;
use crate::student::deviations_within;

/// The mean of the effects that independent results have measured, each with an error of its own.
///
/// The standard deviation between them beyond chance is the estimate of Paule and Mandel; with a single result it is 0. The error
/// takes it as known.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct RandomEffectsMean {
    /// The mean.
    pub value: f64,
    /// Half the width of its 95% interval.
    pub error_95: f64,
    /// The standard deviation between results beyond chance.
    pub tau: f64,
    /// Cochran's Q: the weighted sum of squares when only chance is expected.
    pub q: f64,
    /// Degrees of freedom of [`Self::q`]: the results but one.
    pub q_freedom: usize,
    /// Probability of so large a [`Self::q`] when results differ by chance alone; 1 with a single result.
    pub q_probability: f64,
}

/// What to expect of a result that was not measured.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct PredictionInterval {
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

impl RandomEffectsMean {
    /// The mean of values with their variances. `None` without results, when a number is not finite, or when a variance
    /// is not positive.
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
        let q_freedom = results.len() - 1;
        let q = squares(0.0);
        let expected = q_freedom as f64;
        // The square of a single result is 0 but for rounding.
        let between = match q_freedom > 0 && q > expected {
            true => rising_root(1.0, |variance| expected - squares(variance)),
            false => 0.0,
        };
        let (value, variance) = mean(between);
        Some(Self {
            value,
            error_95: DEVIATIONS_95 * variance.sqrt(),
            tau: between.sqrt(),
            q,
            q_freedom,
            q_probability: match q_freedom {
                0 => 1.0,
                _ => 1.0 - lower_gamma(q_freedom as f64 / 2.0, q / 2.0),
            },
        })
    }

    /// The interval for the effect of one more result, measured without an error. It contains this effect with the
    /// probability `level`, between 0 and 1. `None` with fewer than three results, because they do not show how much
    /// the next one may differ.
    pub fn prediction_interval(&self, level: f64) -> Option<PredictionInterval> {
        let freedom = self.q_freedom.checked_sub(1).filter(|freedom| *freedom > 0)?;
        let deviation = self.tau.hypot(self.error_95 / DEVIATIONS_95);
        let margin = deviations_within(level, freedom as f64) * deviation;
        Some(PredictionInterval {
            low: self.value - margin,
            high: self.value + margin,
        })
    }
}

/// The indices of results that lie further from the mean of the others than chance explains.
///
/// Chance is the error of the result, the error of that mean, and the standard deviation between the others (externally studentized
/// residuals; Viechtbauer and Cheung, *Outlier and influence diagnostics for meta-analysis*, 2010). `level` is the probability, above 0 and
/// below 1, that a result like the others is listed. Two results have no outlier: nothing decides which of the two is one.
pub fn outliers(results: &[(f64, f64)], level: f64) -> Vec<usize> {
    if results.len() < 3 {
        return Vec::new();
    }
    let is_outlier = |place: usize| {
        let mut others = results.to_vec();
        let (value, variance) = others.remove(place);
        RandomEffectsMean::of(&others).is_some_and(|mean| {
            let error = mean.error_95 / DEVIATIONS_95;
            let deviation = (variance + error * error + mean.tau * mean.tau).sqrt();
            2.0 * normal(-((value - mean.value) / deviation).abs()) < level
        })
    };
    (0..results.len()).filter(|&place| is_outlier(place)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: squares of 26 in all, which are 2 at 1 + tau² = 13. The variance of the mean is 13 / 3, so that of the next result is
    /// 49 / 3. Student's t with a degree of freedom is 12.706205 at 95% and 3.077684 at 80%; chi-squared with two is an exponential.
    #[test]
    fn three_results_and_the_next_one() {
        let mean = RandomEffectsMean::of(&[(1.0, 1.0), (3.0, 1.0), (8.0, 1.0)]).unwrap();
        assert!(
            (mean.value - 4.0).abs() < 1e-12 && (mean.tau * mean.tau - 12.0).abs() < 1e-9,
            "{mean:?}"
        );
        assert!((mean.q - 26.0).abs() < 1e-12 && mean.q_freedom == 2, "{mean:?}");
        assert!((mean.q_probability - (-13.0_f64).exp()).abs() < 1e-12, "{mean:?}");
        for (level, deviations) in [(0.95, 12.706_204_736), (0.8, 3.077_683_537)] {
            let interval = mean.prediction_interval(level).unwrap();
            let margin = deviations * (49.0_f64 / 3.0).sqrt();
            assert!((interval.high - 4.0 - margin).abs() < 1e-6, "{interval:?}");
            assert!((4.0 - interval.low - margin).abs() < 1e-6, "{interval:?}");
        }
    }

    /// Trials of the BCG vaccine: cases and others among the treated, cases and others among the controls. Source: G. A. Colditz and others,
    /// 1994; `dat.bcg` of the R package metafor, and what its `rma(yi, vi, method = "PM")` says of the logarithms of the risk ratios.
    #[test]
    fn the_trials_of_a_vaccine() {
        let trials = [
            [4.0, 119.0, 11.0, 128.0],
            [6.0, 300.0, 29.0, 274.0],
            [3.0, 228.0, 11.0, 209.0],
            [62.0, 13536.0, 248.0, 12619.0],
            [33.0, 5036.0, 47.0, 5761.0],
            [180.0, 1361.0, 372.0, 1079.0],
            [8.0, 2537.0, 10.0, 619.0],
            [505.0, 87886.0, 499.0, 87892.0],
            [29.0, 7470.0, 45.0, 7232.0],
            [17.0, 1699.0, 65.0, 1600.0],
            [186.0, 50448.0, 141.0, 27197.0],
            [5.0, 2493.0, 3.0, 2338.0],
            [27.0, 16886.0, 29.0, 17825.0],
        ];
        let effects = trials.map(|[a, b, c, d]: [f64; 4]| {
            let variance = 1.0 / a - 1.0 / (a + b) + 1.0 / c - 1.0 / (c + d);
            (libm::log(a / (a + b) / (c / (c + d))), variance)
        });
        let mean = RandomEffectsMean::of(&effects).unwrap();
        assert!((mean.q - 152.2330).abs() < 1e-4 && mean.q_freedom == 12, "{mean:?}");
        assert!(mean.q_probability < 1e-10, "{mean:?}");
        assert!((mean.tau * mean.tau - 0.3181).abs() < 1e-4, "{mean:?}");
    }

    #[test]
    fn one_result_is_its_own_mean() {
        let mean = RandomEffectsMean::of(&[(3.0, 4.0)]).unwrap();
        assert_eq!((mean.value, mean.tau), (3.0, 0.0));
        assert_eq!((mean.q, mean.q_freedom, mean.q_probability), (0.0, 0, 1.0));
        assert!((mean.error_95 - 2.0 * DEVIATIONS_95).abs() < 1e-12);
        assert_eq!(mean.prediction_interval(0.8), None);
        let two = RandomEffectsMean::of(&[(0.0, 1.0), (4.0, 5.0)]).unwrap();
        assert_eq!(two.prediction_interval(0.8), None);
        assert_eq!(RandomEffectsMean::of(&[]), None);
        assert_eq!(RandomEffectsMean::of(&[(3.0, 0.0)]), None);
        assert_eq!(RandomEffectsMean::of(&[(f64::NAN, 1.0)]), None);
    }

    /// By hand: the others have the mean 1 with variance 1/2 and no spread, so the limits are 1.96 * sqrt(1 + 1/2) = 2.40 away.
    #[test]
    fn outliers_are_far_from_the_others() {
        let results = |value: f64| [(1.0, 1.0), (1.0, 1.0), (value, 1.0)];
        assert_eq!(outliers(&results(3.45), 0.05), [2]);
        assert_eq!(outliers(&results(3.35), 0.05), [0_usize; 0]);
        assert_eq!(outliers(&[(0.0, 1.0), (100.0, 1.0)], 0.05), [0_usize; 0]);
    }
}
