//! Random numbers that are the same on every machine.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// PCG XSL RR 128/64 with a seed and a stream of its own.
#[derive(Debug, Clone)]
pub struct Chance(Pcg64);

impl Chance {
    /// The numbers of a seed; different streams have nothing to do with one another.
    pub fn new(seed: u64, stream: u64) -> Self {
        Self(Pcg64::new(u128::from(seed), u128::from(stream)))
    }

    /// Evenly spread, at least 0 and below 1.
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// 1 or -1, each as likely as the other.
    pub fn sign(&mut self) -> f64 {
        if self.0.next_u64() >> 63 == 0 {
            1.0
        } else {
            -1.0
        }
    }

    /// From the normal distribution with mean 0 and standard deviation 1 (Box and Muller, 1958).
    pub fn normal(&mut self) -> f64 {
        let radius = libm::sqrt(-2.0 * libm::log(1.0 - self.uniform()));
        radius * libm::cos(std::f64::consts::TAU * self.uniform())
    }

    /// A whole number next to `value`: above it as often as its fraction says, so that it is right on average.
    pub fn round(&mut self, value: f64) -> f64 {
        libm::floor(value + self.uniform())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_right_on_average() {
        let mut chance = Chance::new(7, 0);
        let sum: f64 = (0..10_000).map(|_| chance.round(-2.3)).sum();
        assert!((sum / 10_000.0 + 2.3).abs() < 0.02, "{sum}");
        assert_eq!(chance.round(5.0), 5.0);
    }

    #[test]
    fn normal_numbers_have_variance_one() {
        let mut chance = Chance::new(1, 0);
        let squares: f64 = (0..20_000).map(|_| chance.normal()).map(|x| x * x).sum();
        assert!((squares / 20_000.0 - 1.0).abs() < 0.05);
    }

    #[test]
    fn streams_differ() {
        assert_ne!(Chance::new(1, 0).uniform(), Chance::new(1, 1).uniform());
        assert_eq!(Chance::new(1, 3).uniform(), Chance::new(1, 3).uniform());
    }
}
