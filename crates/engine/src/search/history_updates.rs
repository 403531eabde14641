//! Updates of the histories by a node's result.

use cozy_chess::Move;

use super::node_state::{Node, SearchedMoves};
use super::state::Search;
use crate::depth::{Depth, Ply};
use crate::history::move_key::MoveKey;
use crate::history::policy_history::SearchedMove;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// The index of a move of the node at `ply` in history tables.
    pub(super) fn key(&self, position: &Position, mv: Move, ply: Ply) -> MoveKey {
        MoveKey::new(position, mv, self.memory.stack[ply.index()].piece_to)
    }

    /// Updates the policy's history by a searched move.
    pub(super) fn update_policy_history(
        &mut self,
        position: &Position,
        mv: Move,
        node: &Node,
        quiet: bool,
        score: Score,
    ) {
        if self.memory.policy_history.is_none() {
            return;
        }
        let key = self.key(position, mv, node.ply);
        if let Some(history) = &mut self.memory.policy_history {
            history.searched(&SearchedMove {
                key,
                depth: node.depth,
                ply: node.ply,
                quiet,
                improved: score > node.window.alpha,
                cutoff: score >= node.window.beta,
            });
        }
    }

    /// The bonus of a cutoff at `depth`.
    pub(super) fn history_bonus(&self, depth: Depth) -> i32 {
        (self.parameters.history_bonus * depth.get()).min(self.parameters.history_bonus_max)
    }

    /// Updates the histories after a beta cutoff: a bonus for `mv`, a malus for the moves searched before it.
    pub(super) fn update_histories(
        &mut self,
        position: &Position,
        mv: Move,
        quiet: bool,
        tried: &SearchedMoves,
        node: &Node,
    ) {
        let (ply, depth) = (node.ply, node.depth);
        let bonus = self.history_bonus(depth);
        let memory = &mut *self.memory;
        let stack_entry = &mut memory.stack[ply.index()];
        stack_entry.cutoffs += 1;
        stack_entry.refutation = Some(mv);
        let previous = stack_entry.piece_to;
        if quiet {
            if self.parameters.killers {
                memory.killers.insert(ply, mv);
            }
            memory.ordering.update_quiet(position, mv, &node.context, bonus);
            for tried in &tried.quiets {
                memory.ordering.update_quiet(position, *tried, &node.context, -bonus);
            }
        } else {
            memory.ordering.update_capture(position, mv, bonus);
        }
        for tried in &tried.captures {
            memory.ordering.update_capture(position, *tried, -bonus);
        }
        let best = MoveKey::new(position, mv, previous);
        // A promotion without a capture is neither in the quiet nor in the capture histories.
        if !quiet && best.captured.is_none() {
            return;
        }
        let others = if quiet { &tried.quiets[..] } else { &tried.captures[..] };
        let earlier = others.iter().map(|mv| MoveKey::new(position, *mv, previous));
        if let Some(history) = &mut memory.policy_history {
            history.cutoff(&best, earlier.clone(), depth);
        }
        memory.fact_tables.cutoff(mv, &best, &node.context, earlier, depth);
    }
}
