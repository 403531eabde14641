//! Moves that are searched twice: by the observed search, and by a shadow search at full depth.

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact};
use lmrlab_policy::rule::RuleSet;
use lmrlab_results::rows::audit::AuditSample;

use crate::late_moves::{LateMove, Watch, kind_name};
use crate::named_fact::NamedFact;

/// One sampled move.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Its line of samples.csv, but for the policy, the rules, and the position that a trace does not have.
    pub row: AuditSample,
    /// Index of the position that was searched; in a trace, index among the searches with a record.
    pub position: usize,
    /// Index among the late moves of the position's search that could be sampled, in the order of the search.
    pub late_move: u64,
    /// The rules that applied.
    pub rules: RuleSet,
    /// Values of the facts of the audit, in their order.
    pub values: Vec<f64>,
}

impl Sample {
    /// A late move with its shadow search. `position` is the index of the position that was searched.
    pub(crate) fn of(late: &LateMove, position: usize) -> Self {
        let (place, searches, (raises, shadow_nodes)) = (late.place, late.searches, late.shadow);
        let row = AuditSample {
            ply: late.ply,
            depth: place.depth,
            move_number: place.move_number,
            r#move: late.uci_move.clone(),
            fen_after: late.fen_after.clone(),
            expected: kind_name(place.kind).to_owned(),
            reduction: searches.reduction.into(),
            failed_high: searches.failed_high.into(),
            shadow_raises: raises.map(u8::from),
            nodes: searches.first_nodes + searches.later_nodes,
            shadow_nodes,
            ..AuditSample::default()
        };
        Self {
            row,
            position,
            late_move: late.number,
            rules: late.rules,
            values: late.values.clone(),
        }
    }
}

/// Whether a fact about a late move is known before its first search.
pub(crate) fn is_known_before(fact: &NamedFact) -> bool {
    match fact {
        NamedFact::Known(fact) => !fact.is_of_research() && !fact.is_of_rules(),
        NamedFact::Own { .. } => true,
    }
}

/// All facts of the catalogue that are known before the first search.
pub(super) fn facts_of_catalogue() -> impl Iterator<Item = NamedFact> {
    let facts = CATALOGUE.iter().map(|info| NamedFact::Known(info.fact));
    facts.filter(is_known_before)
}

/// Those that an observed search with this policy collects: all, but `history` only when the policy says what it is.
pub(super) fn facts_of(policy: &Policy) -> Vec<NamedFact> {
    let history = NamedFact::Known(Fact::History);
    let facts = facts_of_catalogue().filter(|fact| *fact != history || policy.history().is_some());
    facts.collect()
}

/// Collects the sampled moves of a search.
#[derive(Debug, Default)]
pub(super) struct Sampled {
    /// The index of the position that is searched.
    pub(super) position: usize,
    pub(super) samples: Vec<Sample>,
    /// By ply: sampled moves of the node that is being searched.
    unsettled: Vec<Vec<usize>>,
}

impl Sampled {
    pub(super) fn new(position: usize) -> Self {
        Self {
            position,
            ..Self::default()
        }
    }
}

impl Watch for Sampled {
    fn late_move(&mut self, late: &LateMove) {
        if late.is_sampled {
            let ply = late.ply as usize;
            self.unsettled.resize_with(self.unsettled.len().max(ply + 1), Vec::new);
            self.unsettled[ply].push(self.samples.len());
            self.samples.push(Sample::of(late, self.position));
        }
    }

    fn node(&mut self, ply: u32, outcome: Option<NodeKind>) {
        let unsettled = self.unsettled.get_mut(ply as usize);
        for index in unsettled.into_iter().flat_map(|unsettled| unsettled.drain(..)) {
            let outcome = outcome.map(kind_name).unwrap_or_default();
            outcome.clone_into(&mut self.samples[index].row.outcome);
        }
    }
}
