//! Shadow searches: a move is searched on a copy of the tables. The search itself does not change.

use super::kind::NodeKind;
use super::memory::Memory;
use super::node_state::{MoveToSearch, Node};
use super::observer::{Events, ShadowDepth, ShadowResult, ShadowSearch, Unobserved};
use super::search_plan::{SearchPlan, WindowKind};
use super::state::Search;
use super::time_management::{RootMoveNodes, TimeBudget};
use super::window::Window;
use crate::depth::Depth;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

/// The score and the nodes of a search. The score is `None` when the node limit stopped the search.
type Found = (Option<Score>, u64);

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Does the shadow searches of the node's next move that the observer asks for.
    pub(super) fn shadows<K: NodeKind>(
        &mut self,
        position: &Position,
        child: &Position,
        node: &Node,
        current: MoveToSearch,
        plan: SearchPlan,
    ) {
        let ply = node.ply.get() as u32;
        while let Some(wanted) = self.observer.wants_shadow(ply) {
            let (alpha, found) = match wanted.depth {
                ShadowDepth::Full { raise } => self.shadow_at_full_depth::<K>(child, node, plan, wanted, raise),
                ShadowDepth::Reduced(reduction) => {
                    let plan = SearchPlan { reduction, ..plan };
                    let found = self.on_a_copy(wanted, |search| {
                        let score = search.first_search::<K>(child, node, plan);
                        let first = search.found(score);
                        if search.stopped {
                            return (first, first);
                        }
                        let score = search.search_again::<K>(position, child, node, current, plan, score);
                        (first, search.found(score))
                    });
                    (node.window.alpha, found)
                }
            };
            let (first, last) = found.unwrap_or_default();
            let raises = |(score, _): Found| score.map(|score| score > alpha);
            self.observer.on_shadow(&ShadowResult {
                ply,
                first_raises: raises(first),
                first_nodes: first.1,
                raises: raises(last),
                nodes: last.1,
            });
        }
    }

    /// Searches at full depth with an alpha that is `raise` centipawns above the node's. Returns this alpha and the
    /// result.
    fn shadow_at_full_depth<K: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        plan: SearchPlan,
        wanted: ShadowSearch,
        raise: i32,
    ) -> (Score, Option<(Found, Found)>) {
        // A move that the policy extends is searched at its extended depth.
        let extension = plan.reduction.min(0);
        let (window, narrow) = plan.window(if extension < 0 {
            self.first_window::<K>(plan)
        } else {
            WindowKind::Scout
        });
        let alpha = (node.window.alpha + raise).min(Score::INFINITE - 1);
        let window = Window {
            alpha,
            beta: if narrow { alpha + 1 } else { window.beta.max(alpha + 1) },
        };
        let depth: Depth = plan.full_depth - extension;
        let found = self.on_a_copy(wanted, |search| {
            search.memory.stack[node.ply.index() + 1].reduction = extension;
            let score = search.search_child::<K>(child, node, window, depth, narrow);
            (search.found(score), search.found(score))
        });
        (alpha, found)
    }

    fn found(&self, score: Score) -> Found {
        ((!self.stopped).then_some(score), self.nodes)
    }

    /// Runs `search` on a copy of the tables. `None` when the system has no memory for the copy.
    fn on_a_copy<T>(&mut self, wanted: ShadowSearch, search: impl FnOnce(&mut Search<'_, R, false>) -> T) -> Option<T> {
        let mut memory = match self.shadow_memory.take() {
            Some(memory) => memory,
            None => {
                // Facts that only the observer reads are not read here.
                let history = self.policy.history().map(|history| history.model);
                Box::new(Memory::new(1, &self.parameters, history, self.policy.needs()).ok()?)
            }
        };
        memory.copy_tables(self.memory);
        // The transposition table is not copied. Instead, the changes of the shadow search are undone.
        std::mem::swap(&mut memory.table, &mut self.memory.table);
        memory.table.begin_undo();
        let never = (Depth::new(i32::MAX), u32::MAX);
        let found = search(&mut Search::<R, false> {
            parameters: self.parameters,
            policy: self.policy,
            reducible_from: if wanted.reduces { self.reducible_from } else { never },
            policy_orders: self.policy_orders,
            memory: &mut memory,
            observer: &mut Unobserved,
            events: Events::NONE,
            stop: self.stop,
            started: self.started,
            budget: TimeBudget::default(),
            node_limit: wanted.node_limit,
            nodes: 0,
            seldepth: self.seldepth,
            stopped: false,
            root_index: self.root_index,
            repetition_floor: self.repetition_floor,
            null_move_from: self.null_move_from,
            counts_legal_moves: self.counts_legal_moves,
            root_move_nodes: RootMoveNodes::default(),
            root_depth: self.root_depth,
            root_window: self.root_window,
            search_moves: self.search_moves,
            were_best: self.were_best.clone(),
            best: self.best,
            best_pv: Vec::new(),
            shadow_memory: None,
        });
        memory.table.undo();
        std::mem::swap(&mut memory.table, &mut self.memory.table);
        self.shadow_memory = Some(memory);
        Some(found)
    }
}
