//! Move ordering by the histories.

use cozy_chess::{Move, Piece};

use super::memory::Memory;
use super::state::Search;
use crate::checks::Checks;
use crate::depth::Ply;
use crate::history::context::HistoryContext;
use crate::history::move_key::{MoveKey, PieceTo};
use crate::move_picker::MoveValues;
use crate::position::Position;
use crate::reductions::Reductions;

/// The values of a node's moves by the histories.
pub(super) struct HistoryValues<'m> {
    memory: &'m Memory,
    context: &'m HistoryContext,
    /// Whether the policy's history orders quiet moves instead of the search's own.
    policy_orders: bool,
    /// The value of saving a queen, and of a check.
    threat_ordering: i32,
    check_ordering: i32,
}

impl MoveValues for HistoryValues<'_> {
    #[inline]
    fn quiets<'v>(&'v self, position: &'v Position) -> impl Fn(Piece, Move) -> i32 + 'v {
        let own = self.memory.ordering.quiets(position, self.context);
        let policy = self.memory.policy_history.as_ref();
        let policy = policy.filter(|_| self.policy_orders);
        let lesser = (self.threat_ordering > 0).then(|| &self.context.enemy_attacks(position).of_lesser_pieces);
        let checks = (self.check_ordering > 0).then(|| Checks::of(position));
        move |piece, mv| match policy {
            Some(history) => history.get(&MoveKey::new(position, mv, self.context.previous())),
            None => {
                let mut value = own.get(piece, mv);
                if let Some(lesser) = lesser {
                    let attacked = lesser[piece as usize];
                    let change = i32::from(attacked.has(mv.from)) - i32::from(attacked.has(mv.to));
                    value += change * (self.threat_ordering * (piece as i32 + 1) / 5);
                }
                if checks.is_some_and(|checks| checks.gives_directly(piece, mv)) {
                    value += self.check_ordering;
                }
                value
            }
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
    pub(super) fn values<'m>(&'m self, context: &'m HistoryContext) -> HistoryValues<'m> {
        HistoryValues {
            memory: &*self.memory,
            context,
            policy_orders: self.policy_orders,
            threat_ordering: self.parameters.threat_ordering,
            check_ordering: self.parameters.check_ordering,
        }
    }

    /// The context of the quiet moves of the node at `ply`.
    pub(super) fn history_context(&self, ply: Ply) -> HistoryContext {
        let index = ply.index();
        HistoryContext::new(|back| {
            let stack_entry = (index + 1).checked_sub(back)?;
            self.memory.stack[stack_entry].piece_to
        })
    }
}
