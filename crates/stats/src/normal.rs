//! The normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

use super::root_finding::rising_root;

/// The level of every confidence interval that is shown, as text.
pub const CONFIDENCE: &str = "95%";

/// The heading of a column with half-widths of these intervals.
pub const ERROR_HEADING: &str = "±95%";

/// Half the width of a 95% confidence interval, in standard deviations: the 97.5% quantile of the normal distribution.
pub const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Probability that a standard normal variable is at most `x`.
pub(super) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

/// Half the width of this number of intervals, in standard deviations, so that all of them hold together in at least
/// 95% of cases (Bonferroni). For one interval it is [`DEVIATIONS_95`].
pub fn deviations_among(comparisons: usize) -> f64 {
    let tail = 0.025 / comparisons.max(1) as f64;
    rising_root(DEVIATIONS_95, |x| tail - normal(-x))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_comparisons_need_wider_intervals() {
        // Tables of the normal distribution: quantiles of 97.5%, 99.5% and 99.75%.
        for (comparisons, deviations) in [
            (0, DEVIATIONS_95),
            (1, DEVIATIONS_95),
            (5, 2.575_829_3),
            (10, 2.807_033_8),
        ] {
            let found = deviations_among(comparisons);
            assert!((found - deviations).abs() < 1e-6, "{comparisons}: {found}");
        }
    }

    #[test]
    fn ninety_five_percent_lie_within_the_deviations() {
        assert!((normal(DEVIATIONS_95) - 0.975).abs() < 1e-15);
        assert!((normal(-DEVIATIONS_95) - 0.025).abs() < 1e-15);
        assert_eq!((normal(f64::INFINITY), normal(f64::NEG_INFINITY)), (1.0, 0.0));
    }
}
