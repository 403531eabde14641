//! The chi-squared distribution.

use super::incomplete::lower_gamma;

/// Probability that a chi-squared variable with `freedom` degrees of freedom (positive) is at most `x`.
pub(super) fn chi_squared(x: f64, freedom: f64) -> f64 {
    lower_gamma(freedom / 2.0, x / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tables of the distribution, as in Abramowitz and Stegun, 26.8.
    #[test]
    fn known_probabilities() {
        for (probability, freedom, quantile) in [
            (0.95, 1.0, 3.841_458_8),
            (0.025, 12.0, 4.403_788_5),
            (0.975, 12.0, 23.336_664_2),
            (0.99, 100.0, 135.806_723_2),
        ] {
            let found = chi_squared(quantile, freedom);
            assert!((found - probability).abs() < 1e-8, "{freedom}: {found}");
        }
    }
}
