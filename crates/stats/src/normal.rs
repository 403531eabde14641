//! The normal distribution.

use std::f64::consts::FRAC_1_SQRT_2;

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
