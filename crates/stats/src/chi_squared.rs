//! The chi-squared distribution.

use super::incomplete::lower_gamma;
use super::root_finding::rising_root;

/// Probability that a chi-squared variable with so many degrees of freedom (positive) is at most `x`.
pub(super) fn chi_squared(x: f64, freedom: f64) -> f64 {
    lower_gamma(freedom / 2.0, x / 2.0)
}

/// The value that a chi-squared variable stays below with this probability, between 0 and 1.
pub(super) fn chi_squared_quantile(probability: f64, freedom: f64) -> f64 {
    rising_root(freedom, |x| chi_squared(x, freedom) - probability)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Tables of the distribution, as in Abramowitz and Stegun, 26.8.
    #[test]
    fn known_quantiles() {
        for (probability, freedom, quantile) in [
            (0.95, 1.0, 3.841_458_8),
            (0.025, 12.0, 4.403_788_5),
            (0.975, 12.0, 23.336_664_2),
            (0.99, 100.0, 135.806_723_2),
        ] {
            let found = chi_squared_quantile(probability, freedom);
            assert!((found - quantile).abs() < 1e-6, "{freedom}: {found}");
        }
    }

    proptest! {
        #[test]
        fn the_quantile_is_the_inverse(probability in 0.001..0.999, freedom in 1_u32..200) {
            let freedom = f64::from(freedom);
            let back = chi_squared(chi_squared_quantile(probability, freedom), freedom);
            prop_assert!((back - probability).abs() < 1e-10, "{back}");
        }
    }
}
