//! Move ordering by the histories.

use cozy_chess::{Move, Piece};

use super::memory::Memory;
use super::state::Search;
use crate::depth::Ply;
use crate::history::continuation::ContinuationContext;
use crate::history::move_key::{MoveKey, PieceTo};
use crate::move_picker::MoveValues;
use crate::position::Position;
use crate::reductions::Reductions;

/// The values of a node's moves by the histories.
pub(super) struct HistoryValues<'m> {
    memory: &'m Memory,
    context: &'m ContinuationContext,
    /// Whether the policy's history orders quiet moves instead of the search's own.
    policy_orders: bool,
}

impl MoveValues for HistoryValues<'_> {
    #[inline]
    fn quiets<'v>(&'v self, position: &'v Position) -> impl Fn(Piece, Move) -> i32 + 'v {
        let own = self.memory.ordering.quiets(position.side_to_move(), self.context);
        let policy = self.memory.policy_history.as_ref();
        let policy = policy.filter(|_| self.policy_orders);
        move |piece, mv| match policy {
            Some(history) => history.get(&MoveKey::new(position, mv, self.context.previous())),
            None => own.get(piece, mv),
        }
    }

    #[inline]
    fn capture(&self, capture: PieceTo, victim: Piece) -> i32 {
        self.memory.ordering.capture_of(capture, victim)
    }
}

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// The history values of a node's moves.
    #[inline]
    pub(super) fn values<'m>(&'m self, context: &'m ContinuationContext) -> HistoryValues<'m> {
        HistoryValues {
            memory: &*self.memory,
            context,
            policy_orders: self.policy_orders,
        }
    }

    /// The earlier moves that index the continuation histories of the node at `ply`.
    pub(super) fn continuation_context(&self, ply: Ply) -> ContinuationContext {
        let index = ply.index();
        ContinuationContext::new(|back| {
            let stack_entry = (index + 1).checked_sub(back)?;
            self.memory.stack[stack_entry].piece_to
        })
    }
}
