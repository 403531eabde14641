//! Student's t distribution.

use super::incomplete::incomplete_beta;
use super::root_finding::rising_root;

/// Probability that Student's t with `freedom` degrees of freedom (positive) is within `x` of zero.
fn within(x: f64, freedom: f64) -> f64 {
    1.0 - incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + x * x))
}

/// Probability that Student's t with `freedom` degrees of freedom (positive) is at most `x`.
pub(super) fn probability_below(x: f64, freedom: f64) -> f64 {
    let beyond = incomplete_beta(freedom / 2.0, 0.5, freedom / (freedom + x * x)) / 2.0;
    if x < 0.0 { beyond } else { 1.0 - beyond }
}

/// Half the width of the interval around zero that contains Student's t with this probability, between 0 and 1.
pub(super) fn deviations_within(probability: f64, freedom: f64) -> f64 {
    rising_root(1.0, |x| within(x, freedom) - probability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::normal::DEVIATIONS_95;

    /// Tables of the distribution: quantiles of 90% and 97.5%.
    #[test]
    fn known_quantiles() {
        for (probability, freedom, quantile) in [
            (0.95, 1.0, 12.706_204_7),
            (0.95, 10.0, 2.228_138_9),
            (0.8, 1.0, 3.077_683_5),
            (0.8, 11.0, 1.363_430_3),
            (0.95, 30.0, 2.042_272_5),
        ] {
            let found = deviations_within(probability, freedom);
            assert!((found - quantile).abs() < 1e-6, "{freedom}: {found}");
        }
        assert!((deviations_within(0.95, 1e9) - DEVIATIONS_95).abs() < 1e-6);
    }
}
