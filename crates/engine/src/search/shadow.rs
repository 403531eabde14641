//! Shadow searches: a late move is searched at full depth on a copy of what the search knows. The search itself does not
//! change.

use super::kind::NodeKind;
use super::memory::Memory;
use super::node_state::Node;
use super::observer::{Events, ShadowResult, ShadowSearch, Unobserved};
use super::state::Search;
use super::time_management::{RootMoveNodes, TimeBudget};
use super::window::Window;
use crate::depth::Depth;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

/// A search of one move, as the node makes it when the policy does not reduce the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct UnreducedMove {
    /// The window of the move's first search.
    pub(super) window: Window,
    /// The depth after the move.
    pub(super) depth: Depth,
    /// What the search stack says of its reduction, in plies: negative when the policy extends it, else 0.
    pub(super) reduction: i32,
    /// Whether the window is a null window.
    pub(super) narrow: bool,
}

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches the node's next move at full depth on a copy of the tables, if the observer asks for it.
    pub(super) fn shadow<K: NodeKind>(&mut self, child: &Position, node: &Node, unreduced: UnreducedMove) {
        let ply = node.ply.get() as u32;
        let Some(wanted) = self.observer.wants_shadow(ply) else {
            return;
        };
        let alpha = (node.window.alpha + wanted.raise).min(Score::INFINITE - 1);
        let window = Window {
            alpha,
            beta: if unreduced.narrow {
                alpha + 1
            } else {
                unreduced.window.beta.max(alpha + 1)
            },
        };
        let result = self.shadow_score::<K>(child, node, unreduced, window, wanted);
        let (score, nodes) = result.unwrap_or_default();
        self.observer.on_shadow(&ShadowResult {
            ply,
            raises: score.map(|score| score > alpha),
            nodes,
        });
    }

    /// The score, unless the limit of nodes stopped the search, and the nodes. `None` when the system has no memory for the
    /// copy.
    fn shadow_score<K: NodeKind>(
        &mut self,
        child: &Position,
        node: &Node,
        unreduced: UnreducedMove,
        window: Window,
        wanted: ShadowSearch,
    ) -> Option<(Option<Score>, u64)> {
        let mut memory = match self.shadow_memory.take() {
            Some(memory) => memory,
            None => {
                let history = self.policy.history().map(|history| history.model);
                Box::new(Memory::new(1, &self.parameters, history, self.policy.needs()).ok()?)
            }
        };
        memory.copy_tables(self.memory);
        // The transposition table is not copied: what the shadow search overwrites is put back.
        std::mem::swap(&mut memory.table, &mut self.memory.table);
        memory.table.begin_undo();
        memory.stack[node.ply.index() + 1].reduction = unreduced.reduction;
        let never = (Depth::new(i32::MAX), u32::MAX);
        let mut search = Search::<R, false> {
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
        };
        let score = search.search_child::<K>(child, node, window, unreduced.depth, unreduced.narrow);
        let found = ((!search.stopped).then_some(score), search.nodes);
        memory.table.undo();
        std::mem::swap(&mut memory.table, &mut self.memory.table);
        self.shadow_memory = Some(memory);
        Some(found)
    }
}
