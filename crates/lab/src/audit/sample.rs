//! Moves that are searched twice: by the observed search, and by a shadow search at full depth.

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{CATALOGUE, Fact};

use crate::late_moves::{LateMove, Watch};
use crate::named_fact::NamedFact;

/// One sampled move.
#[derive(Debug, Clone)]
pub struct Sample {
    /// The move, with the values of the facts of the audit.
    pub late: LateMove,
    /// The position that was searched, by its index among those of the audit.
    pub position: usize,
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

/// The sampled moves of a search.
impl Watch for Vec<LateMove> {
    fn late_move(&mut self, late: &LateMove) {
        if late.is_sampled {
            self.push(late.clone());
        }
    }

    fn node(&mut self, ply: u32, outcome: NodeKind) {
        // Its moves are the last ones at this ply. Between them stand those of the nodes below.
        let since =
            (self.iter_mut().rev()).take_while(|late| late.ply > ply || (late.ply == ply && late.outcome.is_none()));
        since
            .filter(|late| late.ply == ply)
            .for_each(|late| late.outcome = Some(outcome));
    }
}
