//! Pruning before the first move: reverse futility, null move.

use cozy_chess::Move;

use super::kind::NonPv;
use super::observer::MadeBy;
use super::state::Search;
use super::window::Window;
use crate::depth::{Depth, Ply};
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::threats::are_connected;

/// The inputs of pruning before the first move.
#[derive(Debug, Clone, Copy)]
pub(super) struct PruningInputs {
    pub(super) window: Window,
    pub(super) depth: Depth,
    pub(super) ply: Ply,
    /// The transposition table's score where it is a tighter bound, else the static evaluation.
    pub(super) estimate: Score,
    pub(super) improving: bool,
    pub(super) expected_cut: bool,
}

/// The result of null move pruning.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NullMove {
    /// The node's score after a cutoff.
    pub(super) score: Option<Score>,
    pub(super) mates: bool,
    pub(super) refutation: Option<Move>,
}

/// The depth from which null moves are verified for a side with at most one piece.
const ENDGAME_VERIFICATION_DEPTH: i32 = 6;

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Reverse futility pruning: the score of a node with a static evaluation far above beta.
    pub(super) fn reverse_futility(&self, inputs: &PruningInputs) -> Option<Score> {
        let parameters = &self.parameters;
        let PruningInputs {
            window,
            depth,
            estimate,
            improving,
            ..
        } = *inputs;
        if !parameters.reverse_futility
            || depth.get() > parameters.reverse_futility_max_depth
            || window.beta.is_mate()
            || estimate.is_mate()
        {
            return None;
        }
        let plies = depth.get() - i32::from(improving);
        (estimate - parameters.reverse_futility_margin * plies >= window.beta)
            .then(|| Score::centipawns((estimate.get() + window.beta.get()) / 2))
    }

    /// Null move pruning: cuts off when the score after a pass still reaches beta.
    pub(super) fn null_move(&mut self, position: &Position, inputs: &PruningInputs) -> NullMove {
        let none = NullMove::default();
        let parameters = &self.parameters;
        let PruningInputs {
            window,
            depth,
            ply,
            estimate,
            expected_cut,
            ..
        } = *inputs;
        let us = position.side_to_move();
        if !parameters.null_move
            || depth.get() < parameters.null_move_min_depth
            || (parameters.null_move_needs_eval && estimate < window.beta)
            || window.beta.is_mate()
            || ply < self.null_move_from
            || !position.has_pieces(us)
        {
            return none;
        }
        let more = |distance: i32, divisor: i32| {
            if divisor > 0 { distance / divisor } else { 0 }
        };
        let by_eval = more(estimate - window.beta, parameters.null_move_eval_divisor).clamp(0, 3);
        let reduced = depth
            - 1
            - parameters.null_move_reduction
            - more(depth.get(), parameters.null_move_depth_divisor)
            - by_eval;
        let verification = parameters.null_move_verification_depth;
        let Some(child) = position.pass() else {
            return none;
        };
        let below = &mut self.memory.stack[ply.index() + 1];
        (below.piece_to, below.mv) = (None, None);
        below.null_mover = Some(us);
        (below.reduction, below.move_number) = (0, 0);
        below.refutation = None;
        let floor = std::mem::replace(&mut self.repetition_floor, self.memory.keys.len());
        self.memory.keys.push(child.key());
        self.nodes += 1;
        if self.observes_nodes() {
            self.observer.on_move_made(ply.get() as u32, None, MadeBy::NullMove);
        }
        let score = -self.node::<NonPv>(
            &child,
            window.null_below_beta().flipped(),
            reduced,
            ply.next(),
            !expected_cut,
            true,
        );
        self.unmake();
        self.repetition_floor = floor;
        if self.stopped {
            return NullMove {
                score: Some(Score::DRAW),
                ..none
            };
        }
        if score >= window.beta {
            // A mate after a null move is not proven.
            let score = if score.is_mate() { window.beta } else { score };
            let doubtful = verification > 0
                && (depth.get() >= verification
                    || (depth.get() >= ENDGAME_VERIFICATION_DEPTH && position.piece_count(us) <= 1));
            if !doubtful || self.null_move_from > Ply::ROOT {
                return NullMove {
                    score: Some(score),
                    ..none
                };
            }
            // Verification: search the position itself, without null moves near the root of this subtree.
            self.null_move_from = Ply::new(ply.get() + 3 * reduced.get().max(0) / 4 + 1);
            let verified = self.node::<NonPv>(position, window.null_below_beta(), reduced, ply, false, false);
            self.null_move_from = Ply::ROOT;
            if verified >= window.beta || self.stopped {
                return NullMove {
                    score: Some(score),
                    ..none
                };
            }
            return none;
        }
        NullMove {
            score: None,
            mates: score <= -Score::LEAST_MATE,
            refutation: self.memory.stack[ply.index() + 1].refutation,
        }
    }

    /// Whether the reduced move that led here prepares the refutation of this null move. The node then fails low, so that
    /// the move is re-searched at its full depth (Glaurung 2.2, Romstad 2008).
    pub(super) fn is_threat_of_reduced_move(
        &self,
        position: &Position,
        depth: Depth,
        ply: Ply,
        refutation: Option<Move>,
    ) -> bool {
        let stack_entry = &self.memory.stack[ply.index()];
        match (self.policy.research().threat_feedback, refutation, stack_entry.mv) {
            (Some(limit), Some(refutation), Some(mv)) => {
                stack_entry.reduction > 0 && depth.get() < limit as i32 && are_connected(position, mv, refutation)
            }
            _ => false,
        }
    }
}
