//! A profile broken down: by node kind, depth, move number, rule and fact.

use std::collections::BTreeMap;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::CATALOGUE;
use lmrlab_policy::rule::RuleSet;

use super::bins::Bin;
use super::profiler::{Counted, Profile};
use super::reduction_counts::Tally;
use crate::named_fact::NamedFact;
use crate::node_kinds::KINDS;
use crate::ratio::ratio;

impl Profile {
    /// All late moves together.
    pub fn total(&self) -> Tally {
        sum(&self.places, |_| true)
    }

    /// The number of sampled late moves.
    pub fn sampled(&self) -> u64 {
        self.flags.values().map(|counts| counts.moves).sum()
    }

    /// Late moves for each sampled one; `None` when none was sampled.
    pub fn weight(&self) -> Option<f64> {
        ratio(self.total().counts.moves, self.sampled())
    }

    /// By the expected kind of the node.
    pub fn by_kind(&self) -> [(NodeKind, Tally); 4] {
        KINDS.map(|kind| (kind, sum(&self.places, |place| place.kind == kind)))
    }

    /// By remaining depth and move number.
    pub fn by_depth_and_number(&self) -> BTreeMap<(u32, u32), Tally> {
        let mut sums: BTreeMap<_, Tally> = BTreeMap::new();
        for ((place, full_depth), counts) in &self.places {
            let key = (place.depth.into(), place.move_number.into());
            sums.entry(key).or_default().add(*full_depth, counts);
        }
        sums
    }

    /// By rule, in the order of the policy's file: the sampled moves to which it applied. The last line, without a rule, has
    /// those to which none did.
    pub fn by_rule<'p>(&self, policy: &'p Policy) -> Vec<(Option<&'p str>, Tally)> {
        let rules = policy.rules().iter().enumerate();
        let of_rules = rules.map(|(index, rule)| {
            let moves = sum(&self.rules, |rules| rules.contains(index));
            (Some(rule.name.as_str()), moves)
        });
        let without = sum(&self.rules, |rules| *rules == RuleSet::default());
        of_rules.chain([(None, without)]).collect()
    }

    /// By fact and its value, the sampled moves: the free booleans, and the facts that the policy reads, depth and move
    /// number excluded.
    pub fn by_fact(&self) -> BTreeMap<(NamedFact, Bin), Tally> {
        let mut sums: BTreeMap<(NamedFact, Bin), Tally> = BTreeMap::new();
        for (key, counts) in &self.facts {
            let ((fact, bin), full_depth) = key.clone();
            sums.entry((fact, bin)).or_default().add(full_depth, counts);
        }
        for info in CATALOGUE.iter().filter(|info| info.fact.is_flag()) {
            for value in [false, true] {
                let moves = sum(&self.flags, |flags| flags.has(info.fact) == value);
                if moves.counts.moves > 0 {
                    let fact = NamedFact::Known(info.fact);
                    let bin = Bin::of(&fact, u8::from(value).into());
                    sums.insert((fact, bin), moves);
                }
            }
        }
        sums
    }
}

/// The moves with a wanted key.
fn sum<K>(counted: &Counted<K>, wanted: impl Fn(&K) -> bool) -> Tally {
    let mut sum = Tally::default();
    for ((_, full_depth), counts) in counted.iter().filter(|((key, _), _)| wanted(key)) {
        sum.add(*full_depth, counts);
    }
    sum
}
