//! The mean of results that may differ beyond chance: the random-effects model of meta-analysis, for two results or more.

use super::heterogeneity::value_where;
use crate::chi_squared::chi_squared;
use crate::normal::{DEVIATIONS_95, normal};

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
    /// Cochran's Q: the weighted sum of squares around the mean, when only chance is expected (Cochran 1954).
    pub q: f64,
    /// Degrees of freedom of [`Self::q`].
    pub q_freedom: f64,
    /// Probability of so large a [`Self::q`] when the results differ by chance alone; 1 with a single result.
    pub q_probability: f64,
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
        let (q, q_freedom) = (squares(0.0), results.len() as f64 - 1.0);
        Some(Self {
            value,
            error_95: DEVIATIONS_95 * variance.sqrt(),
            tau: between.sqrt(),
            q,
            q_freedom,
            q_probability: if q_freedom > 0.0 {
                1.0 - chi_squared(q, q_freedom)
            } else {
                1.0
            },
        })
    }
}

/// The places of results that are further from the mean of the others than chance explains.
///
/// Chance is the error of the result, the error of that mean, and the standard deviation between the others (externally studentized
/// residuals; Viechtbauer and Cheung, *Outlier and influence diagnostics for meta-analysis*, 2010). `level` is the probability, above 0 and
/// below 1, that a result which is like the others is one of them. Two results have no outlier: each is all that there is beside
/// the other.
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

    /// By hand: the sum of squares is 16 / (6 + 2 v), and 1 at v = 5.
    #[test]
    fn two_results() {
        let mean = RandomEffectsMean::of(&[(0.0, 1.0), (4.0, 5.0)]).unwrap();
        assert!((mean.tau * mean.tau - 5.0).abs() < 1e-9, "{mean:?}");
        assert!((mean.value - 4.0 * 0.1 / (1.0 / 6.0 + 0.1)).abs() < 1e-9, "{mean:?}");
        let error = DEVIATIONS_95 / (1.0_f64 / 6.0 + 0.1).sqrt();
        assert!((mean.error_95 - error).abs() < 1e-9, "{mean:?}");
        // 16 / 6 with one degree of freedom: the table of chi squared has 0.1025.
        assert!((mean.q - 16.0 / 6.0).abs() < 1e-9 && mean.q_freedom == 1.0, "{mean:?}");
        assert!((mean.q_probability - 0.1025).abs() < 1e-4, "{mean:?}");
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

    /// By hand: the others have the mean 1 with variance 1/2 and no spread, so the limits are 1.96 * sqrt(1 + 1/2) = 2.40 away.
    #[test]
    fn outliers_are_far_from_the_others() {
        let results = |value: f64| [(1.0, 1.0), (1.0, 1.0), (value, 1.0)];
        assert_eq!(outliers(&results(3.45), 0.05), [2]);
        assert_eq!(outliers(&results(3.35), 0.05), [0_usize; 0]);
        assert_eq!(outliers(&[(0.0, 1.0), (100.0, 1.0)], 0.05), [0_usize; 0]);
    }
}
