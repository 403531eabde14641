//! Late move reductions: the depth of a move, and the re-searches of a reduced move that does not fail low.

use lmrlab_policy::research::{Ladder, Trigger};

use super::kind::{NodeType, NonPv, Pv};
use super::move_facts::{FactSources, MoveFacts};
use super::node_state::{MoveToSearch, Node, ReducedSearch};
use super::observer::{Decision, LateMoveResult, MoveSearch};
use super::search_plan::{SearchPlan, WindowKind};
use super::state::Search;
use super::window::Window;
use crate::depth::Depth;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches one move of a node, reduced by the policy. The score is from the node's point of view.
    pub(super) fn search_move<K: NodeType>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        current: MoveToSearch,
    ) -> Score {
        let full_depth = node.depth - 1 + current.extension;
        let reduction = if self.observes_searches() {
            self.observed_reduction::<K>(position, child, node, current)
        } else {
            self.reduction::<K>(position, child, node, current)
        };
        let first = node.moves_searched == 0;
        let narrow = self.parameters.principal_variation_search && !first;
        let stack_entry = &mut self.memory.stack[node.ply.index() + 1];
        stack_entry.move_number = node.moves_searched + 1;
        let plan = SearchPlan {
            full_depth,
            reduction,
            narrow,
            full: node.window,
            scout: if narrow {
                node.window.null_above_alpha()
            } else {
                node.window
            },
        };
        if self.observes_reductions() && self.can_be_reduced(node) {
            self.shadow::<K>(child, node, plan);
        }
        let score = self.first_search::<K>(child, node, plan);
        let score = self.search_again::<K>(position, child, node, current, plan, score);
        if self.observes_reductions() && !self.stopped && self.can_be_reduced(node) {
            self.observer.on_late_move(&LateMoveResult {
                ply: node.ply.get() as u32,
                child,
                reduction,
                alpha: node.window.alpha,
                score,
            });
        }
        score
    }

    /// The first search of a move, reduced or not.
    fn first_search<K: NodeType>(&mut self, child: &Position, node: &Node, plan: SearchPlan) -> Score {
        let window_kind = if plan.reduction == 0 {
            WindowKind::Scout
        } else {
            self.first_window::<K>(plan)
        };
        self.search_once::<K>(child, node, plan, window_kind, plan.reduction)
    }

    /// Whether the policy can reduce or extend the node's next move.
    #[inline]
    fn can_be_reduced(&self, node: &Node) -> bool {
        let (least_depth, least_moves) = self.reducible_from;
        !self.policy.never_reduces() && node.depth >= least_depth && node.moves_searched >= least_moves
    }

    /// As [`Search::reduction`]; reports the decision to the observer.
    fn observed_reduction<K: NodeType>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        current: MoveToSearch,
    ) -> i32 {
        if !self.observes_moves() && !self.can_be_reduced(node) {
            return 0;
        }
        let sources = FactSources {
            memory: &*self.memory,
            were_best: &self.were_best,
            root_depth: self.root_depth,
            root_window: self.root_window,
            evaluation: self.parameters.evaluation_method(),
        };
        let facts = MoveFacts::of::<K>(sources, position, child, node, current);
        let policy = self.policy;
        let reduction = policy.reduction(&facts);
        self.observer.on_decision(&Decision {
            ply: node.ply.get() as u32,
            depth: node.depth.get() as u32,
            position,
            mv: current.mv,
            move_number: node.moves_searched + 1,
            reduction,
            full_depth: (node.depth - 1 + current.extension).get(),
            kind: K::expected(node.expected_cut),
            facts: &facts,
            applied: &|| policy.rules(&facts),
        });
        reduction
    }

    /// The policy's reduction of a move, in plies.
    pub(super) fn reduction<K: NodeType>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        current: MoveToSearch,
    ) -> i32 {
        if !self.can_be_reduced(node) {
            return 0;
        }
        let facts = MoveFacts::of::<K>(self.fact_sources(), position, child, node, current);
        self.policy.reduction(&facts)
    }

    /// Searches a move again after its first search, which returned `score`: a reduced move by the policy's ladder when the
    /// score meets the trigger, and any move when a principal variation needs it.
    fn search_again<K: NodeType>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        current: MoveToSearch,
        plan: SearchPlan,
        score: Score,
    ) -> Score {
        let SearchPlan { full, reduction, .. } = plan;
        if reduction == 0 {
            return self.pvs_research::<K>(child, node, plan, score);
        }
        let research = self.policy.research();
        let window_kind = self.first_window::<K>(plan);
        let window_first = window_kind == WindowKind::Full;
        let triggered = |score: Score| match research.trigger {
            Trigger::AboveAlpha => score > full.alpha,
            Trigger::AtOrAboveBeta => score >= full.beta,
            Trigger::AboveOriginalAlpha => score > node.original_alpha,
            Trigger::AboveBestScore => score > node.best_score.max(node.original_alpha),
        };
        if self.stopped {
            return score;
        }
        if window_first && score < full.beta {
            // The reduced search had the full window, so its score is final unless it is at or above beta.
            return score;
        }
        // An extended search is already deeper than the full depth, so the ladder has nothing to add.
        if reduction < 0 || !triggered(score) {
            return self.pvs_research::<K>(child, node, plan, score);
        }
        let again = match research.ladder {
            Ladder::None => {
                // `pvs_research` below searches again when the score lies inside an open window. Any other score is
                // final.
                score
            }
            Ladder::NullThenFull => self.search_once::<K>(child, node, plan, WindowKind::Scout, 0),
            Ladder::Full => return self.search_once::<K>(child, node, plan, WindowKind::Full, 0),
            Ladder::FullReducedFirst => {
                return self.search_once::<K>(child, node, plan, window_kind, 0);
            }
            Ladder::StepUp => {
                let (mut left, mut score) = (reduction, score);
                while left > 0 && triggered(score) && !self.stopped {
                    left -= 1;
                    score = self.search_once::<K>(child, node, plan, WindowKind::Scout, left);
                }
                score
            }
            Ladder::Intermediate { above, reduction: step } => {
                let (above, step) = (above as i32, step as i32);
                let mut score = score;
                if reduction > above && step < reduction {
                    score = self.search_once::<K>(child, node, plan, WindowKind::Scout, step);
                }
                if triggered(score) && !self.stopped {
                    score = self.search_once::<K>(child, node, plan, WindowKind::Scout, 0);
                }
                score
            }
            Ladder::ByScore => {
                let facts = MoveFacts::of::<K>(self.fact_sources(), position, child, node, current)
                    .with_reduced_search(ReducedSearch { score, reduction });
                let change = self.policy.depth_change(&facts);
                let plan = SearchPlan {
                    full_depth: plan.full_depth + change,
                    ..plan
                };
                // Re-search only when it is deeper than the reduced search.
                let score = if reduction + change > 0 {
                    self.search_once::<K>(child, node, plan, WindowKind::Scout, 0)
                } else {
                    score
                };
                self.update_history_after_research(position, current, node, research.updates_history, score);
                return self.pvs_research::<K>(child, node, plan, score);
            }
        };
        self.update_history_after_research(position, current, node, research.updates_history, again);
        self.pvs_research::<K>(child, node, plan, again)
    }

    /// The window of the first search of a move that the policy reduces or extends.
    pub(super) fn first_window<K: NodeType>(&self, plan: SearchPlan) -> WindowKind {
        if self.policy.research().ladder == Ladder::FullReducedFirst && K::PV && plan.narrow {
            WindowKind::Full
        } else {
            WindowKind::Scout
        }
    }

    /// One search of the position after the move, `reduction` plies below the full depth.
    fn search_once<K: NodeType>(
        &mut self,
        child: &Position,
        node: &Node,
        plan: SearchPlan,
        window_kind: WindowKind,
        reduction: i32,
    ) -> Score {
        self.memory.stack[node.ply.index() + 1].reduction = reduction;
        let (window, narrow) = plan.window(window_kind);
        let depth = plan.full_depth - reduction;
        let nodes_before = self.nodes;
        let score = self.search_child::<K>(child, node, window, depth, narrow);
        if self.observes_searches() && !self.stopped {
            self.observer.on_move_search(&MoveSearch {
                ply: node.ply.get() as u32,
                move_number: node.moves_searched + 1,
                depth: depth.get(),
                null_window: narrow,
                alpha: node.window.alpha,
                score,
                nodes: self.nodes - nodes_before,
            });
        }
        score
    }

    fn fact_sources(&self) -> FactSources<'_> {
        FactSources {
            memory: &*self.memory,
            were_best: &self.were_best,
            root_depth: self.root_depth,
            root_window: self.root_window,
            evaluation: self.parameters.evaluation_method(),
        }
    }

    /// Principal variation search: re-searches with the full window when the null-window score lies inside it.
    fn pvs_research<K: NodeType>(&mut self, child: &Position, node: &Node, plan: SearchPlan, score: Score) -> Score {
        if plan.narrow && K::PV && plan.full.contains(score) && !self.stopped {
            self.search_once::<K>(child, node, plan, WindowKind::Full, 0)
        } else {
            score
        }
    }

    /// Updates the histories of a quiet move by its full-depth score, if the policy asks for that.
    fn update_history_after_research(
        &mut self,
        position: &Position,
        current: MoveToSearch,
        node: &Node,
        wanted: bool,
        score: Score,
    ) {
        if !wanted || !current.quiet || self.stopped {
            return;
        }
        let key = self.key(position, current.mv, node.ply);
        let bonus = self.history_bonus(node.depth);
        let bonus = if score > node.window.alpha { bonus } else { -bonus };
        let ordering = &mut self.memory.ordering;
        ordering.update_quiet(position, current.mv, &node.context, bonus);
        self.memory
            .fact_tables
            .research(&key, &node.context, score > node.window.alpha, node.depth);
    }

    /// Searches the position after a move. Window and score are from the node's point of view.
    pub(super) fn search_child<K: NodeType>(
        &mut self,
        child: &Position,
        node: &Node,
        window: Window,
        depth: Depth,
        narrow: bool,
    ) -> Score {
        let ply = node.ply.next();
        // Without principal variation search every window is open; only the first move's line is the principal one.
        let principal = K::PV && !narrow && (self.parameters.principal_variation_search || node.moves_searched == 0);
        let score = if principal {
            self.node::<Pv>(child, window.flipped(), depth, ply, false, false)
        } else {
            let expected_cut = K::PV || !node.expected_cut;
            self.node::<NonPv>(child, window.flipped(), depth, ply, expected_cut, false)
        };
        -score
    }
}
