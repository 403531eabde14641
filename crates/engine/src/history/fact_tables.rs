//! The tables behind the facts `counter_move`, `continuation_history` and `capture_history`.

use cozy_chess::Move;
use lmrlab_policy::facts::{Fact, FactSet};
use lmrlab_policy::history::HistoryModel;

use super::move_key::{MoveKey, PieceTo};
use super::policy_history::PolicyHistory;
use crate::depth::Depth;

/// The tables of three facts; `None` when the policy does not read the fact.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactTables {
    /// By the previous move: its last refutation (counter moves, Uiterwijk 1992).
    counter_moves: Option<Box<[Option<Move>]>>,
    /// By the previous move and this one.
    continuation: Option<PolicyHistory>,
    /// By a capture and its victim.
    capture: Option<PolicyHistory>,
}

/// The bonus of a cutoff, for each squared ply of depth.
const FACT_SCALE: i32 = 16;
/// The greatest bonus of a cutoff.
const FACT_MAX: i32 = 2_048;
/// The bound of both history facts.
const FACT_BOUND: i32 = 16_384;

impl FactTables {
    pub(crate) fn new(needs: FactSet) -> Self {
        let wanted = |fact| needs.contains(fact).then_some(());
        let gravity = (FACT_SCALE, FACT_MAX, FACT_BOUND);
        let (scale, max, bound) = gravity;
        Self {
            counter_moves: wanted(Fact::CounterMove).map(|()| vec![None; PieceTo::COUNT].into_boxed_slice()),
            continuation: wanted(Fact::ContinuationHistory)
                .map(|()| PolicyHistory::new(HistoryModel::Continuation { scale, max, bound })),
            capture: wanted(Fact::CaptureHistory)
                .map(|()| PolicyHistory::new(HistoryModel::Capture { scale, max, bound })),
        }
    }

    /// Copies the entries of `other`, which serves the same policy.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.counter_moves.clone_from(&other.counter_moves);
        for (own, other) in [
            (&mut self.continuation, &other.continuation),
            (&mut self.capture, &other.capture),
        ] {
            if let (Some(own), Some(other)) = (own, other) {
                own.copy_from(other);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        if let Some(moves) = &mut self.counter_moves {
            moves.fill(None);
        }
        for history in [&mut self.continuation, &mut self.capture].into_iter().flatten() {
            history.clear();
        }
    }

    pub(crate) fn is_counter_move(&self, mv: Move, previous: Option<PieceTo>) -> bool {
        match (&self.counter_moves, previous) {
            (Some(moves), Some(previous)) => moves[previous.index()] == Some(mv),
            _ => false,
        }
    }

    pub(crate) fn continuation(&self, key: &MoveKey) -> i32 {
        self.continuation.as_ref().map_or(0, |history| history.get(key))
    }

    pub(crate) fn capture(&self, key: &MoveKey) -> i32 {
        self.capture.as_ref().map_or(0, |history| history.get(key))
    }

    /// Updates the tables after a full-depth re-search of a quiet move. `improved`: it raised alpha.
    pub(crate) fn research(&mut self, key: &MoveKey, improved: bool, depth: Depth) {
        if let Some(history) = &mut self.continuation {
            if improved {
                history.cutoff(key, std::iter::empty(), depth);
            } else {
                history.failure(key, depth);
            }
        }
    }

    /// Updates the tables after a beta cutoff. `earlier` are the moves of the same kind tried before.
    pub(crate) fn cutoff(
        &mut self,
        mv: Move,
        best: &MoveKey,
        earlier: impl Iterator<Item = MoveKey> + Clone,
        depth: Depth,
    ) {
        if best.captured.is_none()
            && let (Some(moves), Some(previous)) = (&mut self.counter_moves, best.previous)
        {
            moves[previous.index()] = Some(mv);
        }
        for history in [&mut self.continuation, &mut self.capture].into_iter().flatten() {
            history.cutoff(best, earlier.clone(), depth);
        }
    }
}
