//! Random numbers, the same on every machine.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// A generator of random numbers: PCG XSL RR 128/64.
#[derive(Debug, Clone)]
pub struct Random(Pcg64);

impl Random {
    /// The numbers of a seed; different streams are independent.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(Pcg64::new(u128::from(seed), u128::from(stream)))
    }

    /// Uniform, at least 0 and less than 1.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 1 or -1 with equal probability.
    pub fn sign(&mut self) -> f64 {
        if self.0.next_u64() >> 63 == 0 { 1.0 } else { -1.0 }
    }

    /// From the normal distribution with mean 0 and standard deviation 1 (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// Stochastic rounding: one of the two whole numbers next to `value`, with `value` as the mean.
    pub fn round(&mut self, value: f64) -> f64 {
        libm::floor(value + self.uniform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_the_right_mean_and_variance() {
        let mut random = Random::new(7, 0);
        let sum: f64 = (0..10_000).map(|_| random.round(-2.3)).sum();
        assert!((sum / 10_000.0 + 2.3).abs() < 0.02, "{sum}");
        assert_eq!(random.round(5.0), 5.0);
        let squares: f64 = (0..20_000).map(|_| random.normal()).map(|x| x * x).sum();
        assert!((squares / 20_000.0 - 1.0).abs() < 0.05);
        assert_ne!(Random::new(1, 0).uniform(), Random::new(1, 1).uniform());
        assert_eq!(Random::new(1, 3).uniform(), Random::new(1, 3).uniform());
    }
}
