//! A profile broken down: by node kind, depth, move number, rule and fact.

use std::collections::BTreeMap;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::CATALOGUE;

use super::bins::Bin;
use super::profiler::Profile;
use super::reduction_counts::Tally;
use crate::named_fact::NamedFact;
use crate::node_kinds::KINDS;
use crate::ratio::ratio;

impl Profile {
    /// All late moves together.
    pub fn total(&self) -> Tally {
        let mut sum = Tally::default();
        for tally in self.places.values() {
            sum += tally;
        }
        sum
    }

    /// The number of sampled late moves.
    pub fn sampled(&self) -> u64 {
        self.flags.values().map(|tally| tally.moves).sum()
    }

    /// Late moves for each sampled one; `None` when none was sampled.
    pub fn weight(&self) -> Option<f64> {
        ratio(self.total().moves, self.sampled())
    }

    /// By the expected kind of the node.
    pub fn by_kind(&self) -> Vec<(NodeKind, Tally)> {
        let mut sums = KINDS.map(|kind| (kind, Tally::default()));
        for (place, tally) in &self.places {
            for (kind, sum) in &mut sums {
                if *kind == place.kind {
                    *sum += tally;
                }
            }
        }
        sums.into()
    }

    /// By remaining depth and move number.
    pub fn by_depth_and_number(&self) -> BTreeMap<(u32, u32), Tally> {
        let mut sums: BTreeMap<_, Tally> = BTreeMap::new();
        for (place, tally) in &self.places {
            let key = (place.depth.into(), place.move_number.into());
            *sums.entry(key).or_default() += tally;
        }
        sums
    }

    /// By rule, in the order of the policy's file: the sampled moves to which it applied. The last line, without a rule, has
    /// those to which none did.
    pub fn by_rule<'p>(&self, policy: &'p Policy) -> Vec<(Option<&'p str>, Tally)> {
        let mut sums: Vec<_> = policy
            .rules()
            .iter()
            .map(|rule| (Some(rule.name.as_str()), Tally::default()))
            .collect();
        let mut without = Tally::default();
        for (rules, tally) in &self.rules {
            for index in rules.iter() {
                if let Some((_, sum)) = sums.get_mut(index) {
                    *sum += tally;
                }
            }
            if rules.iter().next().is_none() {
                without += tally;
            }
        }
        sums.push((None, without));
        sums
    }

    /// By fact and its value, the sampled moves: the free booleans, and the facts that the policy reads, depth and move
    /// number excluded.
    pub fn by_fact(&self) -> BTreeMap<(NamedFact, Bin), Tally> {
        let mut sums: BTreeMap<(NamedFact, Bin), Tally> = BTreeMap::new();
        for (flags, tally) in &self.flags {
            for info in CATALOGUE.iter().filter(|info| info.fact.is_flag()) {
                let value = f64::from(u8::from(flags.has(info.fact)));
                let fact = NamedFact::Known(info.fact);
                let bin = Bin::of(&fact, value);
                *sums.entry((fact, bin)).or_default() += tally;
            }
        }
        for (key, tally) in &self.facts {
            *sums.entry(key.clone()).or_default() += tally;
        }
        sums
    }
}
