//! Which moves of a search get a curve.

use lmrlab_engine::search::observer::Decision;

use crate::sampler::Sampler;

/// How moves are sampled for curves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurveOptions {
    /// How many moves are sampled, about.
    pub moves: u64,
    /// The seed of the random sample.
    pub seed: u64,
    /// Where a search for a point gives up, in nodes.
    pub most_nodes: u64,
}

/// The number of depths that are told apart; deeper nodes count as the last.
const DEPTHS: usize = 64;

/// The chance of a move to be sampled, by the depth of its node.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Chances([f64; DEPTHS]);

/// How many moves could be sampled, by the depth of their nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Population([u64; DEPTHS]);

impl Population {
    pub(super) const NONE: Self = Self([0; DEPTHS]);

    pub(super) fn count(&mut self, depth: u32) {
        self.0[place(depth)] += 1;
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in self.0.iter_mut().zip(other.0) {
            *own += other;
        }
    }

    pub(super) fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Chances with which about `moves` are sampled: of each depth the same number, or all that it has. A search has very many moves
    /// at low depth, and few at high depth, where each costs much more.
    pub(super) fn chances(&self, moves: u64) -> Chances {
        let mut depths: Vec<u64> = self.0.iter().copied().filter(|count| *count > 0).collect();
        depths.sort_unstable();
        let mut remaining = moves as f64;
        let mut each = 0.0;
        for (index, count) in depths.iter().enumerate() {
            each = remaining / (depths.len() - index) as f64;
            remaining -= each.min(*count as f64);
        }
        Chances(self.0.map(|count| match count {
            0 => 0.0,
            count => (each / count as f64).min(1.0),
        }))
    }
}

impl Chances {
    /// How many moves one sampled move of this depth stands for.
    pub(super) fn weight(&self, depth: u32) -> f64 {
        1.0 / self.0[place(depth)]
    }

    /// A sampler for each depth. `position` is the index of the position that is searched.
    pub(super) fn samplers(&self, seed: u64, position: usize) -> Vec<Sampler> {
        let of_depth = |(depth, chance): (usize, &f64)| {
            let stream = (position * DEPTHS + depth) as u64;
            Sampler::new(0.0..*chance, seed, stream)
        };
        self.0.iter().enumerate().map(of_depth).collect()
    }
}

/// The place of a depth in the tables.
pub(super) fn place(depth: u32) -> usize {
    (depth as usize).min(DEPTHS - 1)
}

/// Whether a move can be sampled: not the first one of its node, and not searched by quiescence alone.
pub(super) fn is_eligible(decision: &Decision<'_>) -> bool {
    decision.move_number >= 2 && decision.full_depth >= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn population(counts: &[u64]) -> Population {
        let mut population = Population::NONE;
        population.0[2..2 + counts.len()].copy_from_slice(counts);
        population
    }

    #[test]
    fn each_depth_gets_the_same_number_or_all_that_it_has() {
        let population = population(&[10_000, 1_000, 100, 10]);
        let expected = |moves: u64| {
            let chances = population.chances(moves);
            let counts = population.0.iter().zip(chances.0);
            counts.map(|(count, chance)| *count as f64 * chance).collect::<Vec<_>>()
        };
        let close = |found: &[f64], wanted: &[f64]| found.iter().zip(wanted).all(|(one, two)| (one - two).abs() < 1e-6);
        assert!(close(&expected(40)[2..6], &[10.0; 4]));
        assert!(close(&expected(310)[2..6], &[100.0, 100.0, 100.0, 10.0]));
        assert!(close(&expected(2_110)[2..6], &[1_000.0, 1_000.0, 100.0, 10.0]));
        assert!(close(&expected(1_000_000)[2..6], &[10_000.0, 1_000.0, 100.0, 10.0]));
        assert!(close(&expected(0)[2..6], &[0.0; 4]));
    }

    #[test]
    fn a_search_without_moves_samples_nothing() {
        assert_eq!(Population::NONE.chances(100), Chances([0.0; DEPTHS]));
    }
}
