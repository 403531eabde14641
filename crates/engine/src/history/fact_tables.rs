//! The tables behind the facts `counter_move`, `continuation_history` and `capture_history`.

use cozy_chess::Move;
use lmrlab_policy::facts::{Fact, FactSet};
use lmrlab_policy::history::HistoryModel;

use super::move_key::{MoveKey, PieceTo};
use super::policy_history::PolicyHistory;
use crate::depth::Depth;

/// The tables behind three facts. Each is there only when the policy asks for its fact.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactTables {
    /// By the move before: what refuted it last (counter moves, Uiterwijk 1992).
    counter_moves: Option<Box<[Option<Move>]>>,
    /// By the move before and this one.
    continuation: Option<PolicyHistory>,
    /// By this move and what it captures.
    capture: Option<PolicyHistory>,
}

/// Bonus of one cutoff: so many times the depth squared, ...
const FACT_SCALE: i32 = 16;
/// ... but no more than this.
const FACT_MAX: i32 = 2_048;
/// The values of both history facts stay within this.
const FACT_BOUND: i32 = 16_384;

impl FactTables {
    pub(crate) fn new(needs: FactSet) -> Self {
        let wanted = |fact| needs.contains(fact).then_some(());
        let gravity = (FACT_SCALE, FACT_MAX, FACT_BOUND);
        let (scale, max, bound) = gravity;
        Self {
            counter_moves: wanted(Fact::CounterMove)
                .map(|()| vec![None; PieceTo::COUNT].into_boxed_slice()),
            continuation: wanted(Fact::ContinuationHistory)
                .map(|()| PolicyHistory::new(HistoryModel::Continuation { scale, max, bound })),
            capture: wanted(Fact::CaptureHistory)
                .map(|()| PolicyHistory::new(HistoryModel::Capture { scale, max, bound })),
        }
    }

    pub(crate) fn clear(&mut self) {
        if let Some(moves) = &mut self.counter_moves {
            moves.fill(None);
        }
        for history in [&mut self.continuation, &mut self.capture]
            .into_iter()
            .flatten()
        {
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
        self.continuation
            .as_ref()
            .map_or(0, |history| history.get(key))
    }

    pub(crate) fn capture(&self, key: &MoveKey) -> i32 {
        self.capture.as_ref().map_or(0, |history| history.get(key))
    }

    /// A quiet move was searched again at the full depth and raised alpha, or did not.
    pub(crate) fn research(&mut self, key: &MoveKey, improved: bool, depth: Depth) {
        if let Some(history) = &mut self.continuation {
            if improved {
                history.cutoff(key, std::iter::empty(), depth);
            } else {
                history.failure(key, depth);
            }
        }
    }

    /// A move reached beta after others of its kind that did not.
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
        for history in [&mut self.continuation, &mut self.capture]
            .into_iter()
            .flatten()
        {
            history.cutoff(best, earlier.clone(), depth);
        }
    }
}
