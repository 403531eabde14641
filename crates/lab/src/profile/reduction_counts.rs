//! Counts of the results of late moves.

use std::ops::AddAssign;

use crate::ratio::ratio;
use lmrlab_results::rows::profile::ReductionCounts;

/// Costs are counted by depth in plies; a greater depth counts as the greatest.
pub(super) const DEPTHS: usize = 64;

/// The result of one late move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct LateMove {
    /// Plies by which it was reduced; negative when it was extended.
    pub reduction: i16,
    /// The depth of its unreduced search, in plies.
    pub full_depth: i16,
    /// Whether its first search came back above alpha.
    pub failed_high: bool,
    /// Whether it was searched again.
    pub researched: bool,
    /// Whether its last search came back above alpha.
    pub raised: bool,
    /// Nodes of its first search.
    pub first_nodes: u64,
    /// Nodes of all later ones.
    pub later_nodes: u64,
}

/// Counts of moves about which a policy decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MoveCounts {
    /// Moves that the policy was asked about.
    pub moves: u64,
    /// Of these, those that were reduced.
    pub reduced: u64,
    /// Of these, those that were extended instead.
    pub extended: u64,
    /// Plies taken from the reduced moves, summed.
    pub plies: u64,
    /// Reduced searches that came back above alpha.
    pub failed_high: u64,
    /// Reduced moves that were searched again.
    pub researched: u64,
    /// Of these, those that were above alpha in the end, too.
    pub confirmed: u64,
    /// Nodes of the reduced searches.
    pub reduced_nodes: u64,
    /// Nodes of the searches after them.
    pub research_nodes: u64,
    /// Of the nodes of reduced searches, those of moves that were searched again.
    wasted_nodes: u64,
    /// Of the nodes of reduced searches, those of moves that failed low.
    low_nodes: u64,
    /// Reduced moves that failed low.
    low: u32,
}

/// Counts of moves, and how deep the unreduced searches of those that failed low would have been.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tally {
    /// The counts.
    pub counts: MoveCounts,
    /// Reduced moves that failed low, by the depth of their unreduced search.
    low_by_full_depth: [u32; DEPTHS],
}

impl Default for Tally {
    fn default() -> Self {
        Self {
            counts: MoveCounts::default(),
            low_by_full_depth: [0; DEPTHS],
        }
    }
}

impl MoveCounts {
    #[inline]
    pub(super) fn count(&mut self, late: &LateMove) {
        self.moves += 1;
        if late.reduction <= 0 {
            self.extended += u64::from(late.reduction < 0);
            return;
        }
        self.reduced += 1;
        self.plies += late.reduction as u64;
        self.failed_high += u64::from(late.failed_high);
        self.researched += u64::from(late.researched);
        self.confirmed += u64::from(late.researched && late.raised);
        self.reduced_nodes += late.first_nodes;
        self.research_nodes += late.later_nodes;
        if late.researched {
            self.wasted_nodes += late.first_nodes;
        } else if !late.failed_high {
            self.low_nodes += late.first_nodes;
            self.low += 1;
        }
    }
}

impl Tally {
    /// Adds moves that an unreduced search would search to this depth, in plies.
    pub(super) fn add(&mut self, full_depth: i16, moves: &MoveCounts) {
        self.counts += moves;
        self.low_by_full_depth[depth_index(full_depth.into())] += moves.low;
    }

    /// Nodes that the reductions saved, estimated; negative when they cost more than they saved.
    ///
    /// A reduced move that failed low saved an unreduced search, less its own cost. The cost of the unreduced search is
    /// the mean of the null-window searches of that depth that failed low. A move that was searched again lost its
    /// reduced search.
    fn saved_nodes(&self, costs: &Costs) -> f64 {
        let full: f64 = self
            .low_by_full_depth
            .iter()
            .enumerate()
            .filter(|(_, moves)| **moves > 0)
            .map(|(depth, moves)| f64::from(*moves) * costs.mean(depth))
            .sum();
        // Adding zero takes the sign from a negative zero.
        full - self.counts.low_nodes as f64 - self.counts.wasted_nodes as f64 + 0.0
    }

    /// The counts as columns of a CSV file. They are multiplied by `weight`, for a sample that stands for more moves. `nodes` is
    /// those of the whole search, where they are known.
    pub(super) fn row(&self, costs: &Costs, nodes: Option<f64>, weight: f64) -> ReductionCounts {
        let counts = &self.counts;
        let count = |count: u64| (count as f64 * weight).round() as u64;
        let saved = weight * self.saved_nodes(costs);
        // A share of the nodes without reductions, so it stays below 100%.
        let share = nodes.map(|nodes| saved / (nodes + saved));
        ReductionCounts {
            moves: count(counts.moves),
            reduced: count(counts.reduced),
            reduced_rate: ratio(counts.reduced, counts.moves),
            extended: count(counts.extended),
            plies: count(counts.plies),
            mean_reduction: ratio(counts.plies, counts.reduced),
            failed_high: count(counts.failed_high),
            failed_high_rate: ratio(counts.failed_high, counts.reduced),
            researched: count(counts.researched),
            confirmed: count(counts.confirmed),
            confirmed_rate: ratio(counts.confirmed, counts.researched),
            reduced_nodes: count(counts.reduced_nodes),
            research_nodes: count(counts.research_nodes),
            saved_nodes: saved.round() as i64,
            saved_rate: share.filter(|share| share.is_finite()),
        }
    }
}

impl AddAssign<&MoveCounts> for MoveCounts {
    fn add_assign(&mut self, other: &MoveCounts) {
        self.moves += other.moves;
        self.reduced += other.reduced;
        self.extended += other.extended;
        self.plies += other.plies;
        self.failed_high += other.failed_high;
        self.researched += other.researched;
        self.confirmed += other.confirmed;
        self.reduced_nodes += other.reduced_nodes;
        self.research_nodes += other.research_nodes;
        self.wasted_nodes += other.wasted_nodes;
        self.low_nodes += other.low_nodes;
        self.low += other.low;
    }
}

fn depth_index(depth: i32) -> usize {
    (depth.max(0) as usize).min(DEPTHS - 1)
}

/// The cost of null-window searches of moves that failed low, by depth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Costs {
    searches: [u64; DEPTHS],
    nodes: [u64; DEPTHS],
}

impl Default for Costs {
    fn default() -> Self {
        Self {
            searches: [0; DEPTHS],
            nodes: [0; DEPTHS],
        }
    }
}

impl Costs {
    /// Counts a null-window search of a move that failed low. `depth` is in plies.
    #[inline]
    pub fn count(&mut self, depth: i32, nodes: u64) {
        let index = depth_index(depth);
        self.searches[index] += 1;
        self.nodes[index] += nodes;
    }

    /// The mean number of nodes of such a search. A depth that never occurred is extrapolated from the next shallower
    /// one that did. The growth is that from the shallowest depth to this one.
    fn mean(&self, depth: usize) -> f64 {
        let depth = depth.min(DEPTHS - 1);
        let known =
            |depth: usize| (self.searches[depth] > 0).then(|| self.nodes[depth] as f64 / self.searches[depth] as f64);
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
        for depth in 0..DEPTHS {
            self.searches[depth] += other.searches[depth];
            self.nodes[depth] += other.nodes[depth];
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn late(reduction: i16, failed_high: bool, raised: bool) -> LateMove {
        LateMove {
            reduction,
            full_depth: 5,
            failed_high,
            researched: failed_high,
            raised,
            first_nodes: 10,
            later_nodes: if failed_high { 100 } else { 0 },
        }
    }

    #[test]
    fn every_result_is_counted_where_it_belongs() {
        let mut tally = Tally::default();
        for one in [
            late(0, true, true),
            late(-1, false, false),
            late(2, false, false),
            late(3, true, false),
            late(1, true, true),
        ] {
            let mut counts = MoveCounts::default();
            counts.count(&one);
            tally.add(one.full_depth, &counts);
        }
        let counts = &tally.counts;
        assert_eq!(
            (counts.moves, counts.reduced, counts.extended, counts.plies),
            (5, 3, 1, 6)
        );
        assert_eq!((counts.failed_high, counts.researched, counts.confirmed), (2, 2, 1));
        assert_eq!((counts.reduced_nodes, counts.research_nodes), (30, 200));
        let mut costs = Costs::default();
        costs.count(5, 70);
        costs.count(5, 90);
        // One failed low for 10 nodes instead of 80; two lost 10 each.
        assert_eq!(tally.saved_nodes(&costs), 80.0 - 10.0 - 20.0);
    }

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
