//! A trace as an audit and as a profile.

use std::collections::HashMap;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_host::MoveResult;
use lmrlab_policy::facts::{Fact, Facts};

use super::facts::FactPlaces;
use super::trace::{HostTrace, TracedMove, seen};
use crate::audit::{Audit, Sample, is_known_before};
use crate::late_moves::{LateMove, Place, Searches, Watch};
use crate::named_fact::NamedFact;
use crate::profile::{Counting, Profile, is_watched};

impl HostTrace {
    /// The audit of the moves.
    pub fn audit(&self) -> Audit {
        let places = FactPlaces::of(&self.header, &self.variant.policy);
        let facts = places.wanted(is_known_before);
        let indices: HashMap<u32, usize> = self.searches.iter().copied().zip(0..).collect();
        let samples = (0..).zip(&self.moves).map(|(number, traced)| {
            let mut late = self.late_move(number, traced, &places, &facts);
            if let (Ok(seen), Some(position)) = (seen(&traced.record), &traced.record.position) {
                late.fen_after = seen.after.to_string();
                late.uci_move.clone_from(&position.uci_move);
            }
            let position = indices[&traced.record.search];
            Sample { late, position }
        });
        let positions = self.searches.iter();
        Audit {
            variant: self.variant.clone(),
            samples: samples.collect(),
            population: self.population(),
            nodes: self.nodes,
            nodes_checked: false,
            positions: positions.map(|search| [format!("#{search}"), String::new()]).collect(),
            facts: facts.into_iter().map(|(fact, _)| fact).collect(),
        }
    }

    /// The profile of the moves. Every count is of the moves of the trace.
    pub fn profile(&self) -> Profile {
        let places = FactPlaces::of(&self.header, &self.variant.policy);
        let facts = places.wanted(is_watched);
        let mut counting = Counting::new(facts.iter().map(|(fact, _)| fact));
        for (number, traced) in (0..).zip(&self.moves) {
            counting.late_move(&self.late_move(number, traced, &places, &facts));
        }
        let mut profile = Profile {
            nodes: self.nodes,
            traced: Some(self.header.rate),
            ..counting.profile
        };
        for TracedMove { record, shadow, .. } in &self.moves {
            if !record.failed_high {
                let depth = i32::from(record.full_depth) - i32::from(record.reduction);
                profile.costs.count(depth, record.first_nodes.into());
            }
            if let Some((Some(false), nodes)) = shadow {
                profile.costs.count(record.full_depth.into(), *nodes);
            }
        }
        profile
    }

    /// A move with the values of these facts.
    fn late_move(&self, number: u64, traced: &TracedMove, places: &FactPlaces, of: &[(NamedFact, usize)]) -> LateMove {
        let record = &traced.record;
        let facts = places.facts(record);
        let flags = facts.flags();
        let kinds = [
            (Fact::Root, NodeKind::Root),
            (Fact::Pv, NodeKind::Pv),
            (Fact::Cut, NodeKind::Cut),
        ];
        let kind = kinds.into_iter().find(|(fact, _)| flags.has(*fact));
        // A count; 0 for what is unknown or negative.
        let count = |fact| facts.known(fact).map(|value| value as u32);
        LateMove {
            number,
            ply: count(Fact::Ply).unwrap_or(0),
            outcome: None,
            place: Place {
                kind: kind.map_or(NodeKind::All, |(_, kind)| kind),
                depth: count(Fact::Depth).unwrap_or(0),
                move_number: count(Fact::MoveNumber)
                    .unwrap_or_else(|| count(Fact::MovesSearched).unwrap_or(0).saturating_add(1)),
            },
            searches: Searches {
                reduction: record.reduction,
                full_depth: record.full_depth,
                failed_high: record.failed_high,
                researched: record.nodes > record.first_nodes,
                raised: traced.outcome != MoveResult::FailedLow,
                first_nodes: record.first_nodes.into(),
                later_nodes: record.nodes.saturating_sub(record.first_nodes).into(),
            },
            is_sampled: true,
            flags,
            rules: self.variant.policy.rules_applying(&facts),
            values: of.iter().map(|(fact, place)| facts.at(*place, fact.kind())).collect(),
            shadow: traced.shadow.unwrap_or_default(),
            uci_move: String::new(),
            fen_after: String::new(),
        }
    }
}
