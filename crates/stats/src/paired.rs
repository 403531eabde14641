//! Means of paired differences, with their errors.

use crate::DEVIATIONS_95;

/// A mean, and half the width of its 95% interval by the normal approximation.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paired {
    /// The mean.
    pub mean: f64,
    /// Its error; `None` for fewer than two values, which show no spread.
    pub error_95: Option<f64>,
}

impl Paired {
    /// The mean of independent values; 0 without values.
    pub fn of(values: &[f64]) -> Self {
        let count = values.len() as f64;
        let mean = values.iter().sum::<f64>() / count.max(1.0);
        let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
        let error_95 = (values.len() > 1).then(|| DEVIATIONS_95 * (squares / (count - 1.0) / count).sqrt());
        Self { mean, error_95 }
    }

    /// For a mean of natural logarithms: its exponential, which is a factor, with the ends of the 95% interval of the
    /// factor.
    pub fn factor(self) -> (f64, Option<(f64, f64)>) {
        let ends = self
            .error_95
            .map(|error| (libm::exp(self.mean - error), libm::exp(self.mean + error)));
        (libm::exp(self.mean), ends)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_values() {
        let paired = Paired::of(&[1.0, 2.0, 3.0]);
        assert_eq!(paired.mean, 2.0);
        // The deviation of the values is 1.
        let error = paired.error_95.unwrap();
        assert!((error - DEVIATIONS_95 / 3f64.sqrt()).abs() < 1e-12);
        assert_eq!(Paired::of(&[4.0]).error_95, None);
        assert_eq!(Paired::of(&[]).mean, 0.0);
        let (factor, ends) = Paired::of(&[2f64.ln(), 2f64.ln()]).factor();
        assert!((factor - 2.0).abs() < 1e-12);
        assert!((ends.unwrap().0 - 2.0).abs() < 1e-12);
    }
}
