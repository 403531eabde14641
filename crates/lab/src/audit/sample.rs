//! Moves that were searched twice: by the observed search, and by a shadow search at full depth.

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact, Facts};
use lmrlab_policy::rule::RuleSet;
use lmrlab_results::rows::audit::AuditSample;

use crate::named_fact::{NamedFact, value};

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

/// The values of facts for a move of the project's own search, which has no facts of a host.
pub(super) fn values(of: &[NamedFact], facts: &dyn Facts) -> Vec<f64> {
    let flags = facts.flags();
    let value = |fact: &NamedFact| match fact {
        NamedFact::Known(fact) => value(*fact, facts, flags),
        NamedFact::Own { .. } => 0.0,
    };
    of.iter().map(value).collect()
}
