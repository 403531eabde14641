//! Shadow searches: a late move is searched at full depth on a copy of the tables. The search itself does not change.

use super::kind::NodeType;
use super::memory::Memory;
use super::node_state::Node;
use super::observer::{Events, ShadowResult, ShadowSearch, Unobserved};
use super::search_plan::{SearchPlan, WindowKind};
use super::state::Search;
use super::time_management::{RootMoveNodes, TimeBudget};
use crate::depth::Depth;
use crate::position::Position;
use crate::reductions::Reductions;

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches the node's next move at full depth on a copy of the tables, if the observer asks for it. A move that the
    /// policy extends is searched at its extended depth.
    pub(super) fn shadow<K: NodeType>(&mut self, child: &Position, node: &Node, plan: SearchPlan) {
        let ply = node.ply.get() as u32;
        let Some(wanted) = self.observer.wants_shadow(ply) else {
            return;
        };
        let extension = plan.reduction.min(0);
        let (window, narrow) = plan.window(if extension < 0 {
            self.first_window::<K>(plan)
        } else {
            WindowKind::Scout
        });
        let depth: Depth = plan.full_depth - extension;
        let found = self.on_a_copy(wanted, |search| {
            search.memory.stack[node.ply.index() + 1].reduction = extension;
            let score = search.search_child::<K>(child, node, window, depth, narrow);
            ((!search.stopped).then_some(score), search.nodes)
        });
        let (score, nodes) = found.unwrap_or_default();
        self.observer.on_shadow(&ShadowResult {
            ply,
            raises: score.map(|score| score > window.alpha),
            nodes,
        });
    }

    /// Runs `search` on a copy of the tables. `None` when the system has no memory for the copy.
    fn on_a_copy<T>(&mut self, wanted: ShadowSearch, search: impl FnOnce(&mut Search<'_, R, false>) -> T) -> Option<T> {
        let mut memory = match self.shadow_memory.take() {
            Some(memory) => memory,
            None => {
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
