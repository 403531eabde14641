//! Moves that were searched twice: by the observed search, and by a shadow search at full depth.

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts, Kind};
use lmrlab_policy::rule::RuleSet;

use crate::named_fact::NamedFact;

/// One sampled move.
#[derive(Debug, Clone, PartialEq)]
pub struct Sample {
    /// Index of the position that was searched; in a trace, index among the searches with a record.
    pub position: usize,
    /// The number of the search, from 1.
    pub search: usize,
    /// Index among the late moves of the position's search that could be sampled, in the order of the search.
    pub late_move: u64,
    /// Distance of the move's node from the root, in plies.
    pub ply: u32,
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// The move as UCI writes it; empty when a trace does not have it.
    pub uci_move: String,
    /// The position after the move, as FEN; empty when a trace does not have it.
    pub after: String,
    /// Its number among the node's moves, from 1.
    pub move_number: u32,
    /// What the node was expected to be.
    pub kind: NodeKind,
    /// What it turned out to be; `None` when the search ended in it.
    pub outcome: Option<NodeKind>,
    /// Plies by which the move was reduced; 0 for not at all, negative when it was extended.
    pub reduction: i32,
    /// The rules that applied.
    pub rules: RuleSet,
    /// Values of the [`SampledFacts`], in their order.
    pub values: Vec<f64>,
    /// Whether the move's first search came back above alpha.
    pub failed_high: bool,
    /// Nodes of all its searches.
    pub nodes: u64,
    /// Whether the shadow search came back above alpha; `None` when it reached its node limit.
    pub raises: Option<bool>,
    /// Nodes of the shadow search.
    pub shadow_nodes: u64,
}

impl Sample {
    /// Whether the move was reduced and its reduced search failed low.
    pub fn is_dismissed(&self) -> bool {
        self.reduction > 0 && !self.failed_high
    }
}

/// The facts about a late move that are known before its first search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SampledFacts(Vec<NamedFact>);

impl SampledFacts {
    /// All of the catalogue that are known before the first search.
    pub fn of_catalogue() -> impl Iterator<Item = Fact> {
        let facts = CATALOGUE.iter().map(|info| info.fact);
        facts.filter(|fact| !fact.is_of_research() && !fact.is_of_rules())
    }

    /// Those that an observed search with this policy collects: all, but `history` only when the policy says what it
    /// is.
    pub fn of(policy: &Policy) -> Self {
        let facts = Self::of_catalogue().filter(|fact| *fact != Fact::History || policy.history().is_some());
        Self(facts.map(NamedFact::Known).collect())
    }

    /// Those among the facts that an engine fills.
    pub fn among(facts: impl Iterator<Item = NamedFact>) -> Self {
        let is_known = |fact: &NamedFact| match fact {
            NamedFact::Known(fact) => !fact.is_of_research() && !fact.is_of_rules(),
            NamedFact::Own { .. } => true,
        };
        Self(facts.filter(is_known).collect())
    }

    /// The facts.
    pub fn facts(&self) -> &[NamedFact] {
        &self.0
    }

    /// Their values for a move of the project's own search, which has no facts of a host.
    pub fn values(&self, facts: &dyn Facts) -> Vec<f64> {
        let flags = facts.flags();
        let value = |fact: &NamedFact| match (fact, fact.kind()) {
            (NamedFact::Own { .. }, _) => 0.0,
            (NamedFact::Known(fact), Kind::Number) => facts.number(*fact),
            (NamedFact::Known(fact), Kind::Boolean) if fact.is_flag() => f64::from(u8::from(flags.has(*fact))),
            (NamedFact::Known(fact), Kind::Boolean) => f64::from(u8::from(facts.boolean(*fact))),
        };
        self.0.iter().map(value).collect()
    }
}
