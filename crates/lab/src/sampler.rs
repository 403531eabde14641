//! A random sample of the moves of a search, the same in every run.

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Takes each move with the same chance.
#[derive(Debug, Clone)]
pub(crate) struct Sampler {
    generator: Pcg64,
    /// A move is taken when the next random number of 64 bits is below.
    below: u128,
}

impl Sampler {
    /// Takes this share of the moves, from 0 to 1. `stream` separates samples with the same seed: each position has its own, so no
    /// sample depends on the positions searched before.
    pub(crate) fn new(rate: f64, seed: u64, stream: u64) -> Self {
        Self {
            generator: Pcg64::new(u128::from(seed), u128::from(stream)),
            below: (rate.clamp(0.0, 1.0) * (u128::from(u64::MAX) + 1) as f64) as u128,
        }
    }

    /// Whether the next one is taken.
    #[inline]
    pub(crate) fn takes_next(&mut self) -> bool {
        u128::from(self.generator.next_u64()) < self.below
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rate: f64, seed: u64, stream: u64) -> Vec<usize> {
        let mut sampler = Sampler::new(rate, seed, stream);
        (0..100_000).filter(|_| sampler.takes_next()).collect()
    }

    #[test]
    fn a_share_is_taken_the_same_each_time() {
        let tenth = taken(0.1, 1, 0);
        // Five standard deviations.
        assert!(tenth.len().abs_diff(10_000) < 475, "{}", tenth.len());
        assert_eq!(tenth, taken(0.1, 1, 0));
        assert_ne!(tenth, taken(0.1, 2, 0));
        assert_ne!(tenth, taken(0.1, 1, 1));
        assert_eq!(taken(1.0, 1, 0).len(), 100_000);
    }
}
