//! What the search remembers: evaluations and their errors, and how moves fared.

use cozy_chess::{Move, Piece};

use super::node::{Node, Tried};
use super::{Memory, Search};
use crate::depth::{Depth, Ply};
use crate::evaluation::evaluate;
use crate::move_key::{Arrival, MoveKey};
use crate::move_picker::MoveValues;
use crate::ordering::Trail;
use crate::policy_history::SearchedMove;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::transposition::{Bound, Known};

/// Move ordering by what the search remembers.
pub(super) struct Values<'m> {
    memory: &'m Memory,
    trail: &'m Trail,
    /// Whether the policy's history orders quiet moves instead of the search's own.
    policy_orders: bool,
}

impl MoveValues for Values<'_> {
    #[inline]
    fn quiets<'v>(&'v self, position: &'v Position) -> impl Fn(Piece, Move) -> i32 + 'v {
        let own = self
            .memory
            .ordering
            .quiets(position.side_to_move(), self.trail);
        let policy = self.memory.policy_history.as_ref();
        let policy = policy.filter(|_| self.policy_orders);
        move |piece, mv| match policy {
            Some(history) => history.get(&MoveKey::new(position, mv, self.trail.previous())),
            None => own.get(piece, mv),
        }
    }

    #[inline]
    fn capture(&self, capture: Arrival, victim: Piece) -> i32 {
        self.memory.ordering.capture_of(capture, victim)
    }
}

impl<R: Reductions, const WATCHED: bool> Search<'_, R, WATCHED> {
    #[inline]
    pub(super) fn values<'m>(&'m self, trail: &'m Trail) -> Values<'m> {
        Values {
            memory: &*self.memory,
            trail,
            policy_orders: self.policy_orders,
        }
    }

    pub(super) fn probe(&self, position: &Position, ply: Ply) -> Option<Known> {
        if self.parameters.transposition_table {
            self.memory.table.probe(position.key(), ply)
        } else {
            None
        }
    }

    pub(super) fn remember(&mut self, position: &Position, ply: Ply, known: Known) {
        if self.parameters.transposition_table {
            self.memory.table.store(position.key(), ply, known);
        }
    }

    /// The static evaluation as the evaluation's terms say it.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Score {
        let terms = self.parameters.evaluation_terms();
        evaluate(position, terms, &mut self.memory.evaluation_cache)
    }

    /// The static evaluation with what earlier searches learnt about its errors.
    pub(super) fn corrected(&self, position: &Position, raw: Score) -> Score {
        match &self.memory.correction {
            Some(history) => Score::centipawns(raw.get() + history.get(position)),
            None => raw,
        }
    }

    /// The corrected static evaluation, kept in the ply's frame; in check, the last one of the same side.
    pub(super) fn static_eval(
        &mut self,
        position: &Position,
        ply: Ply,
        known: Option<Known>,
        in_check: bool,
    ) -> Score {
        let here = ply.index();
        if in_check {
            let frame = &mut self.memory.frames[here];
            (frame.static_eval, frame.raw_eval) = (None, None);
            let earlier = here
                .checked_sub(2)
                .and_then(|index| self.memory.frames[index].static_eval);
            return earlier.unwrap_or_else(|| self.evaluate(position));
        }
        let raw = known
            .and_then(|known| known.static_eval)
            .unwrap_or_else(|| self.evaluate(position));
        let eval = self.corrected(position, raw);
        let frame = &mut self.memory.frames[here];
        (frame.static_eval, frame.raw_eval) = (Some(eval), Some(raw));
        eval
    }

    /// By how much the side to move stands better than two plies before.
    pub(super) fn improvement(&self, ply: Ply) -> i32 {
        let here = ply.index();
        let earlier = here
            .checked_sub(2)
            .and_then(|index| self.memory.frames[index].static_eval);
        match (self.memory.frames[here].static_eval, earlier) {
            (Some(now), Some(before)) => now - before,
            _ => 0,
        }
    }

    /// What the node's score says about its static evaluation, where captures did not decide it.
    pub(super) fn correct(
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
        let says_nothing = match bound {
            Bound::Exact => false,
            Bound::Lower => error <= 0,
            Bound::Upper => error >= 0,
        };
        if !node.in_check
            && !says_nothing
            && !node.best_score.is_mate()
            && best_move.is_none_or(|mv| position.is_quiet(mv))
        {
            history.update(position, node.depth, error);
        }
    }

    /// What history tables know a move of the node at `ply` by.
    pub(super) fn key(&self, position: &Position, mv: Move, ply: Ply) -> MoveKey {
        MoveKey::new(position, mv, self.memory.frames[ply.index()].arrival)
    }

    /// Tells the policy's history about a searched move.
    pub(super) fn learn(
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

    /// What a search to `depth` changes a history by.
    pub(super) fn history_bonus(&self, depth: Depth) -> i32 {
        (self.parameters.history_bonus * depth.get()).min(self.parameters.history_bonus_max)
    }

    /// Remembers a move that reached beta, and that those before it did not.
    pub(super) fn note_cutoff(
        &mut self,
        position: &Position,
        mv: Move,
        quiet: bool,
        tried: &Tried,
        node: &Node,
    ) {
        let (ply, depth) = (node.ply, node.depth);
        let bonus = self.history_bonus(depth);
        let memory = &mut *self.memory;
        let frame = &mut memory.frames[ply.index()];
        frame.cutoffs += 1;
        frame.refutation = Some(mv);
        let previous = frame.arrival;
        if quiet {
            if self.parameters.killers {
                memory.killers.insert(ply, mv);
            }
            memory.ordering.refuted(&node.trail, mv);
            memory
                .ordering
                .update_quiet(position, mv, &node.trail, bonus);
            for tried in &tried.quiets {
                memory
                    .ordering
                    .update_quiet(position, *tried, &node.trail, -bonus);
            }
        } else {
            memory.ordering.update_capture(position, mv, bonus);
        }
        for tried in &tried.captures {
            memory.ordering.update_capture(position, *tried, -bonus);
        }
        let best = MoveKey::new(position, mv, previous);
        // A promotion without a capture teaches tables of quiet moves nothing.
        if !quiet && best.captured.is_none() {
            return;
        }
        let others = if quiet {
            &tried.quiets[..]
        } else {
            &tried.captures[..]
        };
        let earlier = others
            .iter()
            .map(|mv| MoveKey::new(position, *mv, previous));
        if let Some(history) = &mut memory.policy_history {
            history.cutoff(&best, earlier.clone(), depth);
        }
        memory.fact_tables.cutoff(mv, &best, earlier, depth);
    }
}
