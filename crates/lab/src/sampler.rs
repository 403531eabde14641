//! A random sample of the moves of a search, the same in every run.

use std::ops::Range;

use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

/// Takes each move with the same chance.
#[derive(Debug, Clone)]
pub(crate) struct Sampler {
    generator: Pcg64,
    /// A move is taken when the next random number of 64 bits lies within.
    taken: Range<u128>,
}

impl Sampler {
    /// Takes the moves that lie within `shares`, from 0 to 1. For example, `0.0..0.1` and `0.1..0.3` have no move in
    /// common, and together they are `0.0..0.3`. `stream` separates samples with the same seed: each position has its
    /// own, so no sample depends on the positions searched before.
    pub(crate) fn new(shares: Range<f64>, seed: u64, stream: u64) -> Self {
        let place = |share: f64| (share.clamp(0.0, 1.0) * (u128::from(u64::MAX) + 1) as f64) as u128;
        Self {
            generator: Pcg64::new(u128::from(seed), u128::from(stream)),
            taken: place(shares.start)..place(shares.end),
        }
    }

    /// Whether the next one is taken.
    #[inline]
    pub(crate) fn takes_next(&mut self) -> bool {
        self.taken.contains(&u128::from(self.generator.next_u64()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn taken(rate: f64, seed: u64, stream: u64) -> Vec<usize> {
        taken_within(0.0..rate, seed, stream)
    }

    fn taken_within(shares: Range<f64>, seed: u64, stream: u64) -> Vec<usize> {
        let mut sampler = Sampler::new(shares, seed, stream);
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

    #[test]
    fn shares_that_meet_are_one_sample() {
        let mut parts = [0.0..0.01, 0.01..0.03, 0.03..0.1].map(|shares| taken_within(shares, 1, 0));
        assert!(parts.iter().all(|part| !part.is_empty()));
        let whole = taken(0.1, 1, 0);
        assert_eq!(whole.len(), parts.iter().map(Vec::len).sum::<usize>());
        let mut all = parts.iter_mut().flat_map(std::mem::take).collect::<Vec<_>>();
        all.sort_unstable();
        assert_eq!(all, whole);
    }
}
