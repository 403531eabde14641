//! The static evaluation of nodes and its correction.

use cozy_chess::Move;

use super::node_state::Node;
use super::state::Search;
use crate::depth::Ply;
use crate::evaluation::evaluate;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::transposition::{Bound, TableEntry};

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// The static evaluation without correction.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position, ply: Ply) -> Score {
        let method = self.parameters.evaluation_method();
        evaluate(position, method, &mut self.memory.evaluation, ply.index())
    }

    /// Applies the correction history to a static evaluation.
    pub(super) fn apply_correction(&self, position: &Position, raw: Score) -> Score {
        match &self.memory.correction {
            Some(history) => Score::centipawns(raw.get() + history.correction(position)),
            None => raw,
        }
    }

    /// The corrected static evaluation; also stores it on the search stack. In check the stack gets `None`, and the
    /// value is that of two plies before, or a new evaluation when that is missing too.
    pub(super) fn static_eval(
        &mut self,
        position: &Position,
        ply: Ply,
        tt_entry: Option<TableEntry>,
        in_check: bool,
    ) -> Score {
        let here = ply.index();
        if in_check {
            let stack_entry = &mut self.memory.stack[here];
            (stack_entry.static_eval, stack_entry.raw_eval) = (None, None);
            let earlier = here
                .checked_sub(2)
                .and_then(|index| self.memory.stack[index].static_eval);
            return earlier.unwrap_or_else(|| self.evaluate(position, ply));
        }
        let raw = tt_entry
            .and_then(|tt_entry| tt_entry.static_eval)
            .unwrap_or_else(|| self.evaluate(position, ply));
        let eval = self.apply_correction(position, raw);
        let stack_entry = &mut self.memory.stack[here];
        (stack_entry.static_eval, stack_entry.raw_eval) = (Some(eval), Some(raw));
        eval
    }

    /// The static evaluation minus that of two plies before; 0 when one of them is missing.
    pub(super) fn improvement(&self, ply: Ply) -> i32 {
        let here = ply.index();
        let earlier = here
            .checked_sub(2)
            .and_then(|index| self.memory.stack[index].static_eval);
        match (self.memory.stack[here].static_eval, earlier) {
            (Some(now), Some(before)) => now - before,
            _ => 0,
        }
    }

    /// Updates the correction history by the node's score. It skips nodes in check, mate scores, nodes with a capture
    /// or promotion as the best move, and bounds on the wrong side of the static evaluation.
    pub(super) fn update_correction_history(
        &mut self,
        position: &Position,
        node: &Node,
        bound: Bound,
        best_move: Option<Move>,
    ) {
        let Some(history) = &mut self.memory.correction else {
            return;
        };
        let error = node.best_score - node.static_eval;
        let uninformative = match bound {
            Bound::Exact => false,
            Bound::Lower => error <= 0,
            Bound::Upper => error >= 0,
        };
        if !node.in_check
            && !uninformative
            && !node.best_score.is_mate()
            && best_move.is_none_or(|mv| position.is_quiet(mv))
        {
            history.update(position, node.depth, error);
        }
    }
}
