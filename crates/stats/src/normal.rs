//! The normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

/// The level of every confidence interval that is shown, as text.
pub const CONFIDENCE: &str = "95%";

/// The heading of a column with half-widths of these intervals.
pub const ERROR_HEADING: &str = "±95%";

/// The heading of a column with these intervals.
pub const INTERVAL_HEADING: &str = "95% interval";

/// Half the width of a 95% confidence interval, in standard deviations: the 97.5% quantile of the normal distribution.
pub const DEVIATIONS_95: f64 = 1.959_963_984_540_054;

/// Probability that a standard normal variable is at most `x`.
pub(super) fn normal(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ninety_five_percent_lie_within_the_deviations() {
        assert!((normal(DEVIATIONS_95) - 0.975).abs() < 1e-15);
        assert!((normal(-DEVIATIONS_95) - 0.025).abs() < 1e-15);
        assert_eq!((normal(f64::INFINITY), normal(f64::NEG_INFINITY)), (1.0, 0.0));
    }
}
