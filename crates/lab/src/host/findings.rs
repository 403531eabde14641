//! A trace as an audit and as a profile.

use std::collections::HashMap;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_host::MoveResult;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Facts};
use lmrlab_policy::rule::RuleSet;
use lmrlab_results::rows::audit::AuditSample;

use super::facts::{FactPlaces, TracedFacts};
use super::trace::{HostTrace, seen};
use crate::audit::{Audit, Sample, is_known_before};
use crate::named_fact::NamedFact;
use crate::node_kinds::kind_name;
use crate::profile::{Bin, LateMove, Place, Profile, count};

impl HostTrace {
    /// The audit of the moves. `policy` is the policy of the trace, when it is known: it names the rules that applied.
    /// `nodes` are the nodes of the searches, when they are known.
    pub fn audit(&self, policy: Option<&Policy>, nodes: Option<u64>) -> Audit {
        let places = FactPlaces::of(&self.header, policy);
        let sampled: Vec<NamedFact> = places.filled().filter(is_known_before).collect();
        let indices: HashMap<u32, usize> = self.searches.iter().copied().zip(0..).collect();
        let samples = (0..).zip(&self.moves).map(|(late_move, traced)| {
            let record = &traced.record;
            let facts = places.facts(record);
            let after = seen(record).ok().map(|seen| seen.after.to_string());
            let uci_move = (record.position.as_ref().filter(|_| after.is_some())).map(|seen| seen.uci_move.clone());
            let row = AuditSample {
                position: format!("#{}", record.search),
                ply: whole(facts.known(Fact::Ply)),
                depth: whole(facts.known(Fact::Depth)),
                move_number: move_number(&facts),
                r#move: uci_move.unwrap_or_default(),
                fen_after: after.unwrap_or_default(),
                expected: kind_name(kind(&facts)).to_owned(),
                reduction: record.reduction.into(),
                failed_high: record.failed_high.into(),
                shadow_raises: traced.shadow.and_then(|(raises, _)| raises).map(u8::from),
                nodes: record.nodes.into(),
                shadow_nodes: traced.shadow.map_or(0, |(_, nodes)| nodes),
                ..AuditSample::default()
            };
            Sample {
                row,
                position: indices.get(&record.search).copied().unwrap_or_default(),
                late_move,
                rules: policy.map_or_else(RuleSet::default, |policy| policy.rules_applying(&facts)),
                values: sampled.iter().map(|fact| facts.value(fact)).collect(),
            }
        });
        Audit {
            samples: samples.collect(),
            population: self.population(),
            nodes,
            nodes_checked: false,
            positions: self.searches.len(),
            facts: sampled,
        }
    }

    /// The profile of the moves; arguments as those of [`HostTrace::audit`]. Every count is of the moves of the trace.
    pub fn profile(&self, policy: Option<&Policy>, nodes: Option<u64>) -> Profile {
        let places = FactPlaces::of(&self.header, policy);
        let is_watched = |fact: &NamedFact| match fact {
            NamedFact::Known(fact) => {
                let is_place = matches!(fact, Fact::Depth | Fact::MoveNumber | Fact::MovesSearched);
                !fact.is_flag() && !is_place
            }
            NamedFact::Own { .. } => true,
        };
        let watched: Vec<NamedFact> = places.filled().filter(is_watched).collect();
        let mut profile = Profile {
            nodes,
            traced: Some(self.header.rate),
            ..Profile::default()
        };
        for traced in &self.moves {
            let record = &traced.record;
            let facts = places.facts(record);
            let late = LateMove {
                reduction: record.reduction,
                full_depth: record.full_depth,
                failed_high: record.failed_high,
                researched: record.nodes > record.first_nodes,
                raised: traced.outcome != MoveResult::FailedLow,
                first_nodes: record.first_nodes.into(),
                later_nodes: record.nodes.saturating_sub(record.first_nodes).into(),
            };
            let place = Place {
                kind: kind(&facts),
                depth: byte(whole(facts.known(Fact::Depth))),
                move_number: byte(move_number(&facts)),
            };
            count(&mut profile.places, place, &late);
            let rules = policy.map_or_else(RuleSet::default, |policy| policy.rules_applying(&facts));
            count(&mut profile.rules, rules, &late);
            count(&mut profile.flags, facts.flags(), &late);
            for fact in &watched {
                let key = (fact.clone(), Bin::of(fact, facts.value(fact)));
                count(&mut profile.facts, key, &late);
            }
            if !record.failed_high {
                let depth = i32::from(record.full_depth) - i32::from(record.reduction);
                profile.costs.count(depth, record.first_nodes.into());
            }
            if let Some((Some(false), nodes)) = traced.shadow {
                profile.costs.count(record.full_depth.into(), nodes);
            }
        }
        profile
    }
}

/// What the node of a move was expected to be.
pub(super) fn kind(facts: &TracedFacts<'_>) -> NodeKind {
    let flags = facts.flags();
    if flags.has(Fact::Root) {
        NodeKind::Root
    } else if flags.has(Fact::Pv) {
        NodeKind::Pv
    } else if flags.has(Fact::Cut) {
        NodeKind::Cut
    } else {
        NodeKind::All
    }
}

/// The number of the move, from 1, by the fact that the engine fills.
pub(super) fn move_number(facts: &TracedFacts<'_>) -> u32 {
    match facts.known(Fact::MoveNumber) {
        Some(number) => whole(Some(number)),
        None => whole(facts.known(Fact::MovesSearched)).saturating_add(1),
    }
}

/// A count; 0 for what is unknown or negative.
pub(super) fn whole(value: Option<f64>) -> u32 {
    value.unwrap_or(0.0) as u32
}

fn byte(value: u32) -> u8 {
    u8::try_from(value).unwrap_or(u8::MAX)
}
