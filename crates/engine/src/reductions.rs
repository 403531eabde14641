//! The interface of late move reductions: a [`Policy`], or a scheme written in Rust.

use lmrlab_policy::Policy;
use lmrlab_policy::facts::{FactSet, Facts};
use lmrlab_policy::history::History;
use lmrlab_policy::research::Research;
use lmrlab_policy::rule::RuleSet;

/// A scheme of late move reductions. A [`Policy`] is one. Schemes written in Rust are used to measure the cost of a policy.
pub trait Reductions {
    /// Plies by which a move is reduced; negative for an extension.
    fn reduction<F: Facts>(&self, facts: &F) -> i32;

    /// The rules that apply in [`Reductions::reduction`]; empty for a scheme without rules.
    fn rules(&self, facts: &dyn Facts) -> RuleSet {
        let _ = facts;
        RuleSet::default()
    }

    /// Plies by which a re-search is deeper (or, negative, shallower) than nominal, for the ladder `by_score`.
    fn depth_change<F: Facts>(&self, facts: &F) -> i32;

    /// Whether no move is ever reduced or extended.
    fn never_reduces(&self) -> bool;

    /// The least depth of a node, and the least number of moves searched before, at which a move can be reduced or extended.
    /// The search calls [`Reductions::reduction`] for no other moves.
    fn reducible_from(&self) -> (i32, i32);

    /// When and how a reduced move is re-searched.
    fn research(&self) -> Research;

    /// The history table of the scheme.
    fn history(&self) -> Option<&History>;

    /// The facts that the scheme reads.
    fn needs(&self) -> FactSet;
}

impl Reductions for Policy {
    #[inline]
    fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        Self::reduction(self, facts)
    }

    fn rules(&self, facts: &dyn Facts) -> RuleSet {
        self.rules_applying(facts)
    }

    #[inline]
    fn depth_change<F: Facts>(&self, facts: &F) -> i32 {
        Self::depth_change(self, facts)
    }

    #[inline]
    fn never_reduces(&self) -> bool {
        Self::never_reduces(self)
    }

    fn reducible_from(&self) -> (i32, i32) {
        Self::reducible_from(self)
    }

    #[inline]
    fn research(&self) -> Research {
        Self::research(self)
    }

    fn history(&self) -> Option<&History> {
        Self::history(self)
    }

    fn needs(&self) -> FactSet {
        Self::needs(self)
    }
}
