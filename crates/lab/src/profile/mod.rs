//! Where a policy reduces, by how much, and with what result.

mod bins;
mod breakdown;
mod options;
mod outcome;
mod profiler;
mod reduction_counts;

pub use self::bins::Bin;
pub use self::options::ProfileOptions;
pub use self::outcome::ProfileTables;
pub(crate) use self::profiler::count;
pub use self::profiler::{Counted, Place, Profile, Profiler};
pub use self::reduction_counts::{Costs, LateMove, MoveCounts, Tally};

use super::positions::LabPosition;
use super::search::{SearchLimit, search_observed};
use super::variant::Variant;
use super::workers::Workers;

/// Searches every position with every variant and counts the outcomes of late moves. Returns a profile for each variant, over
/// all positions, and the number of positions. When the workers are asked to stop, these are the positions that every variant has searched.
pub fn profile(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    options: &ProfileOptions,
    workers: &Workers,
) -> (Vec<Profile>, usize) {
    let indexed: Vec<(usize, &LabPosition)> = positions.iter().enumerate().collect();
    let found = workers.columns(variants, &indexed, |variant, (index, position)| {
        let mut profiler = Profiler::new(&variant.policy, *index, options);
        search_observed(variant, &position.position, &limit.limits(), &mut profiler);
        profiler.finish()
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
    use std::path::Path;

    use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, Observer};
    use lmrlab_policy::PolicyReference;

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
        plies: i64,
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
                self.plies += i64::from(decision.reduction);
            }
        }

        fn on_move_search(&mut self, attempt: &MoveSearch) {
            if std::mem::take(&mut self.fresh[attempt.ply as usize]) {
                self.reduced_nodes += attempt.nodes;
                self.failed_high += u64::from(attempt.score > attempt.alpha);
            }
        }
    }

    #[test]
    fn totals_are_those_of_the_search_whatever_they_are_split_by() {
        let set = PositionSet::bench().unwrap();
        let positions = &set.positions[3..6];
        let limit = SearchLimit::Depth(7);
        let workers = Workers::new(2).unwrap();
        for name in ["house", "rebel-advanced", "micromax-4"] {
            let variant = variant(name);
            let all = ProfileOptions {
                rate: 1.0,
                ..ProfileOptions::default()
            };
            let variants = std::slice::from_ref(&variant);
            let found = &profile(variants, positions, limit, &all, &workers).0[0];
            let mut plain = Plain::default();
            let mut nodes = 0;
            for position in positions {
                let position = &position.position;
                search_observed(&variant, position, &limit.limits(), &mut plain);
                nodes += search(&variant, position, &limit.limits()).nodes;
            }
            assert_eq!(found.nodes, Some(nodes), "{name}");
            let total = found.total();
            let counts = &total.counts;
            assert!(counts.reduced > 500, "{name}: {total:?}");
            assert_eq!(
                (
                    counts.reduced,
                    counts.plies as i64,
                    counts.reduced_nodes,
                    counts.failed_high
                ),
                (plain.reduced, plain.plies, plain.reduced_nodes, plain.failed_high),
                "{name}"
            );
            let parts = |tallies: Vec<Tally>| {
                let mut sum = MoveCounts::default();
                tallies.iter().for_each(|tally| sum += &tally.counts);
                assert_eq!(sum, total.counts, "{name}");
            };
            parts(found.by_kind().into_iter().map(|(_, tally)| tally).collect());
            parts(found.by_depth_and_number().into_values().collect());
            let by_fact = found.by_fact();
            let facts: std::collections::BTreeSet<_> = by_fact.keys().map(|(fact, _)| fact.clone()).collect();
            assert!(facts.len() > 20);
            for fact in facts {
                let own = by_fact.iter().filter(|((of, _), _)| *of == fact);
                parts(own.map(|(_, tally)| tally.clone()).collect());
            }
        }
    }

    #[test]
    fn a_rule_that_is_switched_off_applies_to_nothing() {
        let set = PositionSet::bench().unwrap();
        let workers = Workers::new(1).unwrap();
        let variants = ["house", "house@-history"].map(variant);
        let (found, _) = profile(
            &variants,
            &set.positions[..1],
            SearchLimit::Depth(6),
            &ProfileOptions::default(),
            &workers,
        );
        let moves = |index: usize| {
            let rules = found[index].by_rule(&variants[index].policy);
            let of = rules.iter().find(|(rule, _)| *rule == Some("history"));
            (of.unwrap().1.counts.moves, found[index].sampled())
        };
        let (with, all) = moves(0);
        assert_eq!(with, all);
        let (without, all) = moves(1);
        assert!(without == 0 && all > 0);
    }

    #[test]
    fn a_sample_stands_for_all_moves() {
        let set = PositionSet::bench().unwrap();
        let workers = Workers::new(2).unwrap();
        let variants = [variant("rebel-advanced")];
        let found = |rate: f64| {
            let options = ProfileOptions { rate, seed: 3 };
            let limit = SearchLimit::Depth(8);
            profile(&variants, &set.positions[..6], limit, &options, &workers)
                .0
                .remove(0)
        };
        let (all, tenth) = (found(1.0), found(0.1));
        assert_eq!(all.total(), tenth.total());
        assert_eq!(all.by_depth_and_number(), tenth.by_depth_and_number());
        assert_eq!((all.sampled(), all.weight()), (all.total().counts.moves, Some(1.0)));
        let weight = tenth.weight().unwrap();
        let total = tenth.total().counts.moves as f64;
        assert!((weight * tenth.sampled() as f64 - total).abs() < 1e-6);
        let pairs = std::iter::zip(all.by_rule(&variants[0].policy), tenth.by_rule(&variants[0].policy));
        let mut rules = 0;
        for ((rule, exact), (_, sampled)) in pairs.filter(|((_, exact), _)| exact.counts.moves > 0) {
            let (exact, estimate) = (exact.counts.moves as f64, weight * sampled.counts.moves as f64);
            let error = 5.0 * (exact * weight).sqrt() + weight;
            assert!((exact - estimate).abs() < error, "{rule:?}: {exact}, {estimate}");
            rules += 1;
        }
        assert!(rules > 10);
    }
}
