//! The mean of quotients and of other quantities that differ by factors.

/// The geometric mean of the values above 0: the exponential of the mean of their logarithms. `None` when no value is
/// above 0.
#[must_use]
pub fn geometric_mean(values: impl IntoIterator<Item = f64>) -> Option<f64> {
    let (mut count, mut sum) = (0_u32, 0.0);
    for value in values.into_iter().filter(|value| *value > 0.0) {
        count += 1;
        sum += libm::log(value);
    }
    (count > 0).then(|| libm::exp(sum / f64::from(count)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_values_above_zero_count() {
        let mean = geometric_mean([0.0, 0.5, 8.0, -3.0, f64::NAN]).unwrap();
        assert!((mean - 2.0).abs() < 1e-12);
        assert_eq!(geometric_mean([0.0]), None);
    }
}
