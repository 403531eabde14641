//! What searches cost, by their depth.

use std::ops::AddAssign;

use crate::ratio::ratio;

/// Costs are counted by depth in plies; a greater depth counts as the greatest.
const DEPTHS: usize = 64;

pub(crate) fn depth_index(depth: i32) -> usize {
    (depth.max(0) as usize).min(DEPTHS - 1)
}

/// The cost of null-window searches of moves that failed low: the searches and their nodes, by depth.
#[derive(Debug, Clone)]
pub struct Costs([[u64; 2]; DEPTHS]);

impl Default for Costs {
    fn default() -> Self {
        Self([[0; 2]; DEPTHS])
    }
}

impl Costs {
    /// Counts a null-window search of a move that failed low. `depth` is in plies.
    #[inline]
    pub fn count(&mut self, depth: i32, nodes: u64) {
        let [searches, sum] = &mut self.0[depth_index(depth)];
        *searches += 1;
        *sum += nodes;
    }

    /// The mean number of nodes of such a search. A depth that never occurred is extrapolated from the next shallower
    /// one that did. The growth is that from the shallowest depth to this one.
    pub(crate) fn mean(&self, depth: usize) -> f64 {
        let known = |depth: usize| {
            let [searches, nodes] = self.0[depth];
            ratio(nodes, searches)
        };
        if let Some(mean) = known(depth) {
            return mean;
        }
        let below = (0..depth).rev().find_map(|d| Some((d, known(d)?)));
        let Some((deepest, mean)) = below else {
            return 0.0;
        };
        let first = (1..deepest).find_map(|d| Some((d, known(d).filter(|mean| *mean > 0.0)?)));
        let growth = first.map_or(1.0, |(shallowest, least)| {
            libm::pow(mean / least, 1.0 / (deepest - shallowest) as f64)
        });
        mean * libm::pow(growth.max(1.0), (depth - deepest) as f64)
    }
}

impl AddAssign<&Costs> for Costs {
    fn add_assign(&mut self, other: &Costs) {
        let pairs = self.0.iter_mut().flatten().zip(other.0.iter().flatten());
        pairs.for_each(|(sum, count)| *sum += count);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_depths_are_extrapolated() {
        let mut costs = Costs::default();
        assert_eq!(costs.mean(4), 0.0);
        costs.count(1, 10);
        costs.count(3, 90);
        assert_eq!(costs.mean(3), 90.0);
        assert_eq!(costs.mean(2), 10.0);
        assert!((costs.mean(5) - 810.0).abs() < 1e-9);
    }
}
