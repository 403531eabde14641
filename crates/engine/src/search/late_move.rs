//! Late move reductions: how deep one move is searched, and what happens when the reduced search is surprised.

use cozy_chess::Move;
use lmrlab_policy::research::{Ladder, Trigger};

use super::Search;
use super::kind::{NodeKind, NonPv, Pv};
use super::move_facts::{MoveFacts, Surroundings};
use super::node::Node;
use super::observer::{Attempt, Decided, Decision};
use super::window::Window;
use crate::depth::Depth;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

/// How a move is to be searched.
#[derive(Debug, Clone, Copy)]
struct Effort {
    /// The depth of an unreduced search.
    full_depth: Depth,
    /// What the policy takes from it, in plies.
    reduction: i32,
    /// Whether a null window comes before the node's own.
    narrow: bool,
    /// The node's window.
    full: Window,
    /// The window of the first search.
    scout: Window,
}

/// Which window a move is searched with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Aim {
    /// The first search's: the null window above alpha, unless the move is the first or every window is open.
    Scout,
    /// The node's own.
    Full,
}

/// What the reduced search of a move came to.
#[derive(Debug, Clone, Copy)]
pub(super) struct Outcome {
    pub(super) score: Score,
    /// Plies by which it was reduced.
    pub(super) reduction: i32,
}

/// A move about to be searched.
#[derive(Debug, Clone, Copy)]
pub(super) struct LateMove {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) captures: bool,
    pub(super) killer: bool,
    /// Plies by which it is searched deeper than the rest, before any reduction; negative for shallower.
    pub(super) extension: i32,
}

impl<R: Reductions, const WATCHED: bool> Search<'_, R, WATCHED> {
    /// Searches one move of a node, reduced where the policy says so. The score is from the node's point of view.
    pub(super) fn search_move<K: NodeKind>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        late: LateMove,
    ) -> Score {
        let full_depth = node.depth - 1 + late.extension;
        let reduction = if self.watches_searches() {
            self.watched_reduction::<K>(position, child, node, late)
        } else {
            self.reduction::<K>(position, child, node, late)
        };
        let first = node.moves_searched == 0;
        let narrow = self.parameters.principal_variation_search && !first;
        let frame = &mut self.memory.frames[node.ply.index() + 1];
        frame.move_number = node.moves_searched + 1;
        let effort = Effort {
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
        let score = if reduction == 0 {
            let score = self.at::<K>(child, node, effort, Aim::Scout, 0);
            self.exact::<K>(child, node, effort, score)
        } else {
            self.reduced_move::<K>(position, child, node, late, effort)
        };
        if self.watches_reductions() && !self.stopped && self.is_in_reach(node) {
            self.observer.decided(&Decided {
                ply: node.ply.get() as u32,
                child,
                keys: &self.memory.keys[self.repetition_floor.max(self.root_index)..],
                full_depth: full_depth.get(),
                reduction,
                alpha: node.window.alpha,
                score,
                expected_cut: K::PV || !node.expected_cut,
                iteration: self.root_depth.get() as u32,
            });
        }
        score
    }

    /// Whether the policy can have a say in the node's next move.
    #[inline]
    fn is_in_reach(&self, node: &Node) -> bool {
        let (least_depth, least_moves) = self.reach;
        !self.policy.never_reduces()
            && node.depth >= least_depth
            && node.moves_searched >= least_moves
    }

    /// As [`Search::reduction`], and the observer hears of it.
    fn watched_reduction<K: NodeKind>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        late: LateMove,
    ) -> i32 {
        if self.policy.never_reduces() || (!self.watches_moves() && !self.is_in_reach(node)) {
            return 0;
        }
        let surroundings = Surroundings {
            memory: &*self.memory,
            were_best: &self.were_best,
            root_depth: self.root_depth,
            root_window: self.root_window,
            terms: self.parameters.evaluation_terms(),
        };
        let facts = MoveFacts::of::<K>(surroundings, position, child, node, late);
        let policy = self.policy;
        let reduction = policy.reduction(&facts);
        self.observer.deciding(&Decision {
            ply: node.ply.get() as u32,
            depth: node.depth.get() as u32,
            mv: late.mv,
            move_number: node.moves_searched + 1,
            reduction,
            full_depth: (node.depth - 1 + late.extension).get(),
            kind: K::expected(node.expected_cut),
            facts: &facts,
            applied: &|| policy.rules(&facts),
        });
        reduction
    }

    /// What the policy says about a move, in plies.
    pub(super) fn reduction<K: NodeKind>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        late: LateMove,
    ) -> i32 {
        if !self.is_in_reach(node) {
            return 0;
        }
        let facts = MoveFacts::of::<K>(self.surroundings(), position, child, node, late);
        self.policy.reduction(&facts)
    }

    /// Searches a reduced (or, where the policy says so, extended) move, and climbs the policy's ladder when the result is
    /// a surprise.
    fn reduced_move<K: NodeKind>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        late: LateMove,
        effort: Effort,
    ) -> Score {
        let research = self.policy.research();
        let Effort {
            full, reduction, ..
        } = effort;
        let window_first = research.ladder == Ladder::FullReducedFirst && K::PV && effort.narrow;
        let aim = if window_first { Aim::Full } else { Aim::Scout };
        let score = self.at::<K>(child, node, effort, aim, reduction);
        let surprised = |score: Score| match research.trigger {
            Trigger::AboveAlpha => score > full.alpha,
            Trigger::AtOrAboveBeta => score >= full.beta,
            Trigger::AboveOriginalAlpha => score > node.original_alpha,
            Trigger::AboveBestScore => score > node.best_score.max(node.original_alpha),
        };
        if self.stopped {
            return score;
        }
        if window_first && score < full.beta {
            // A score inside the window, or below it, stands as the reduced search found it.
            return score;
        }
        // An extended search has seen more than the nominal one would.
        if reduction < 0 || !surprised(score) {
            return self.exact::<K>(child, node, effort, score);
        }
        let again = match research.ladder {
            Ladder::None => {
                // What is inside an open window is searched again by `exact`; anything else is accepted as it is.
                score
            }
            Ladder::NullThenFull => self.at::<K>(child, node, effort, Aim::Scout, 0),
            Ladder::Full => return self.at::<K>(child, node, effort, Aim::Full, 0),
            Ladder::FullReducedFirst => {
                return self.at::<K>(child, node, effort, aim, 0);
            }
            Ladder::StepUp => {
                let (mut left, mut score) = (reduction, score);
                while left > 0 && surprised(score) && !self.stopped {
                    left -= 1;
                    score = self.at::<K>(child, node, effort, Aim::Scout, left);
                }
                score
            }
            Ladder::Intermediate {
                above,
                reduction: step,
            } => {
                let (above, step) = (above as i32, step as i32);
                let mut score = score;
                if reduction > above && step < reduction {
                    score = self.at::<K>(child, node, effort, Aim::Scout, step);
                }
                if surprised(score) && !self.stopped {
                    score = self.at::<K>(child, node, effort, Aim::Scout, 0);
                }
                score
            }
            Ladder::ByScore => {
                let facts = MoveFacts::of::<K>(self.surroundings(), position, child, node, late)
                    .with_outcome(Outcome { score, reduction });
                let change = self.policy.depth_change(&facts);
                let effort = Effort {
                    full_depth: effort.full_depth + change,
                    ..effort
                };
                // Searched again only when that is deeper than what has been seen.
                let score = if reduction + change > 0 {
                    self.at::<K>(child, node, effort, Aim::Scout, 0)
                } else {
                    score
                };
                self.note_research(position, late, node, research.updates_history, score);
                return self.exact::<K>(child, node, effort, score);
            }
        };
        self.note_research(position, late, node, research.updates_history, again);
        self.exact::<K>(child, node, effort, again)
    }

    /// One search of the position after the move, so many plies shallower than the full depth.
    fn at<K: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        effort: Effort,
        aim: Aim,
        reduction: i32,
    ) -> Score {
        self.memory.frames[node.ply.index() + 1].reduction = reduction;
        let (window, narrow) = match aim {
            Aim::Scout => (effort.scout, effort.narrow),
            Aim::Full => (effort.full, false),
        };
        let depth = effort.full_depth - reduction;
        let nodes_before = self.nodes;
        let score = self.child::<K>(child, node, window, depth, narrow);
        if self.watches_searches() && !self.stopped {
            self.observer.searched(&Attempt {
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

    fn surroundings(&self) -> Surroundings<'_> {
        Surroundings {
            memory: &*self.memory,
            were_best: &self.were_best,
            root_depth: self.root_depth,
            root_window: self.root_window,
            terms: self.parameters.evaluation_terms(),
        }
    }

    /// Principal variation search: what beats alpha inside an open window gets its exact score.
    fn exact<K: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        effort: Effort,
        score: Score,
    ) -> Score {
        if effort.narrow && K::PV && effort.full.contains(score) && !self.stopped {
            self.at::<K>(child, node, effort, Aim::Full, 0)
        } else {
            score
        }
    }

    /// Rewards or punishes a quiet move by what its search at the full depth came to, where the policy asks for that.
    fn note_research(
        &mut self,
        position: &Position,
        late: LateMove,
        node: &Node,
        wanted: bool,
        score: Score,
    ) {
        if !wanted || !late.quiet || self.stopped {
            return;
        }
        let key = self.key(position, late.mv, node.ply);
        let bonus = self.history_bonus(node.depth);
        let bonus = if score > node.window.alpha {
            bonus
        } else {
            -bonus
        };
        let ordering = &mut self.memory.ordering;
        ordering.update_quiet(position, late.mv, &node.trail, bonus);
        self.memory
            .fact_tables
            .research(&key, score > node.window.alpha, node.depth);
    }

    /// Searches the position after a move, with the node's window as its own side sees it.
    fn child<K: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        window: Window,
        depth: Depth,
        narrow: bool,
    ) -> Score {
        let ply = node.ply.next();
        // Without principal variation search every window is open; only the first move's line is the principal one.
        let principal = K::PV
            && !narrow
            && (self.parameters.principal_variation_search || node.moves_searched == 0);
        let score = if principal {
            self.node::<Pv>(child, window.flipped(), depth, ply, false, false)
        } else {
            let expected_cut = K::PV || !node.expected_cut;
            self.node::<NonPv>(child, window.flipped(), depth, ply, expected_cut, false)
        };
        -score
    }
}
