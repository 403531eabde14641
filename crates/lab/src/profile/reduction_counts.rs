//! Counts of the results of late moves.

use std::collections::BTreeMap;
use std::ops::AddAssign;

use crate::costs::{Costs, depth_index};
use crate::late_moves::Searches;
use crate::ratio::ratio;
use lmrlab_results::rows::profile::ReductionCounts;

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
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Tally {
    /// The counts.
    pub(super) counts: MoveCounts,
    /// Reduced moves that failed low, by the depth of their unreduced search.
    low_by_full_depth: BTreeMap<usize, u32>,
}

impl MoveCounts {
    #[inline]
    pub(super) fn count(&mut self, late: &Searches) {
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
        *self
            .low_by_full_depth
            .entry(depth_index(full_depth.into()))
            .or_default() += moves.low;
    }

    /// Nodes that the reductions saved, estimated; negative when they cost more than they saved.
    ///
    /// A reduced move that failed low saved an unreduced search, less its own cost. The cost of the unreduced search is
    /// the mean of the null-window searches of that depth that failed low. A move that was searched again lost its
    /// reduced search.
    fn saved_nodes(&self, costs: &Costs) -> f64 {
        let by_depth = self.low_by_full_depth.iter().filter(|(_, moves)| **moves > 0);
        let full: f64 = by_depth
            .map(|(depth, moves)| f64::from(*moves) * costs.mean(*depth))
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

#[cfg(test)]
mod tests {
    use super::*;

    fn late(reduction: i16, failed_high: bool, raised: bool) -> Searches {
        Searches {
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
}
