//! Where a policy reduces, by how much, and with what result.

mod bins;
mod outcome;
mod profiler;
mod reduction_counts;

pub use self::bins::Bin;
pub use self::outcome::ProfileTables;
pub(crate) use self::profiler::is_watched;
pub use self::profiler::{Counting, Group, Profile, profiler};

use crate::positions::LabPosition;
use crate::search::{SearchLimit, search_observed};
use crate::variant::Variant;
use crate::workers::Workers;

/// How a profile samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ProfileOptions {
    /// The share of the late moves that is sampled, 0 to 1. Reading the rules and facts of a move costs time, most of all
    /// with a policy of many rules: an unobserved search skips rules that cannot change the reduction any more.
    pub rate: f64,
    /// The seed of the random sample.
    pub seed: u64,
}

impl Default for ProfileOptions {
    fn default() -> Self {
        Self { rate: 1.0, seed: 1 }
    }
}

/// Searches every position with every variant and counts the outcomes of late moves. Returns a profile for each variant, over
/// all positions, and the number of positions. When the workers are asked to stop, these are the positions that every variant has searched.
pub fn profile(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &ProfileOptions,
    workers: &Workers,
) -> (Vec<Profile>, usize) {
    let found = workers.columns(variants, positions, |variant, (index, position)| {
        let mut observed = profiler(&variant.policy, index, options);
        let report = search_observed(variant, &position.position, &limit.limits(), &mut observed);
        observed.profile(report.nodes)
    });
    let profiles = found.results.iter().map(|searches| {
        let mut sum = Profile::default();
        for profile in searches {
            sum.merge(profile);
        }
        sum
    });
    (profiles.collect(), found.done.len())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, Observer};
    use lmrlab_policy::PolicyReference;
    use lmrlab_results::rows::profile::ReductionCounts;

    use super::*;
    use crate::positions::PositionSet;
    use crate::search::search;

    fn variant(name: &str) -> Variant {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let reference: PolicyReference = name.parse().unwrap();
        Variant::new(name, reference.resolve(&root).unwrap().0)
    }

    /// Counts the same in a simpler way: every decision with the searches that follow at its ply.
    #[derive(Default)]
    struct Plain {
        reduced: u64,
        plies: u64,
        reduced_nodes: u64,
        failed_high: u64,
        fresh: Vec<bool>,
    }

    impl Observer for Plain {
        fn events(&self) -> Events {
            Events::MOVES
        }

        fn on_decision(&mut self, decision: &Decision<'_>) {
            let ply = decision.ply as usize;
            self.fresh.resize(self.fresh.len().max(ply + 1), false);
            self.fresh[ply] = decision.reduction > 0;
            if decision.reduction > 0 {
                self.reduced += 1;
                self.plies += decision.reduction as u64;
            }
        }

        fn on_move_search(&mut self, attempt: &MoveSearch) {
            if std::mem::take(&mut self.fresh[attempt.ply as usize]) {
                self.reduced_nodes += attempt.nodes;
                self.failed_high += u64::from(attempt.score > attempt.alpha);
            }
        }
    }

    fn tables(variants: &[Variant], depth: u32, rate: f64) -> ProfileTables {
        let (set, workers) = (PositionSet::bench().unwrap(), Workers::new(2).unwrap());
        let (options, limit) = (ProfileOptions { rate, seed: 3 }, SearchLimit::Depth(depth));
        let (profiles, _) = profile(variants, &set.positions[3..6], limit, &options, &workers);
        ProfileTables::of(variants, &profiles)
    }

    #[test]
    fn totals_are_those_of_the_search_whatever_they_are_split_by() {
        let set = PositionSet::bench().unwrap();
        for name in ["house", "rebel-advanced", "micromax-4"] {
            let variant = variant(name);
            let found = tables(std::slice::from_ref(&variant), 7, 1.0);
            let (mut plain, mut nodes) = (Plain::default(), 0);
            for position in &set.positions[3..6] {
                let (position, limits) = (&position.position, SearchLimit::Depth(7).limits());
                search_observed(&variant, position, &limits, &mut plain);
                nodes += search(&variant, position, &limits).nodes;
            }
            let (total, counts) = (&found.totals[0], &found.totals[0].counts);
            assert!(total.nodes == Some(nodes) && counts.reduced > 500, "{name}: {total:?}");
            assert_eq!(
                (counts.reduced, counts.plies, counts.reduced_nodes, counts.failed_high),
                (plain.reduced, plain.plies, plain.reduced_nodes, plain.failed_high),
                "{name}"
            );
            let parts = |parts: &mut dyn Iterator<Item = &ReductionCounts>| {
                let sum = parts.fold((0, 0, 0), |(moves, plies, nodes), of| {
                    (
                        moves + of.moves,
                        plies + of.plies,
                        nodes + of.reduced_nodes + of.research_nodes,
                    )
                });
                let nodes = counts.reduced_nodes + counts.research_nodes;
                assert_eq!(sum, (counts.moves, counts.plies, nodes), "{name}");
            };
            parts(&mut found.kinds.iter().map(|row| &row.counts));
            parts(&mut found.moves.iter().map(|row| &row.counts));
            let facts: BTreeSet<_> = found.facts.iter().map(|row| &row.fact).collect();
            assert!(facts.len() > 20);
            for fact in facts {
                let rows = found.facts.iter().filter(|row| row.fact == *fact);
                parts(&mut rows.map(|row| &row.counts));
            }
        }
    }

    #[test]
    fn a_sample_stands_for_all_moves() {
        let variants = [variant("rebel-advanced")];
        let (all, tenth) = (tables(&variants, 8, 1.0), tables(&variants, 8, 0.1));
        assert_eq!((&all.totals, &all.moves), (&tenth.totals, &tenth.moves));
        let mut rules = 0;
        for (exact, estimate) in all
            .rules
            .iter()
            .zip(&tenth.rules)
            .filter(|(exact, _)| exact.sampled > 0)
        {
            let (moves, estimated) = (exact.counts.moves as f64, estimate.counts.moves as f64);
            let error = 5.0 * (10.0 * moves).sqrt() + 10.0;
            assert!((moves - estimated).abs() < error, "{exact:?}, {estimate:?}");
            rules += 1;
        }
        assert!(rules > 10);
    }
}
