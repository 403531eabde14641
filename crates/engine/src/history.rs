//! What earlier parts of the search say about a move: killer moves, and the tables behind facts.

use cozy_chess::Move;
use lmrlab_policy::facts::{Fact, FactSet};
use lmrlab_policy::history::HistoryModel;

use crate::depth::{Depth, Ply};
use crate::move_key::{ARRIVALS, Arrival, MoveKey};
use crate::policy_history::PolicyHistory;

/// Two moves per ply that caused cutoffs there (Akl, Newborn 1977).
#[derive(Debug, Clone)]
pub(crate) struct Killers(Box<[[Option<Move>; 2]]>);

impl Killers {
    pub(crate) fn new() -> Self {
        Self(vec![[None; 2]; Ply::MAX.index() + 2].into_boxed_slice())
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill([None; 2]);
    }

    #[inline]
    pub(crate) fn at(&self, ply: Ply) -> [Option<Move>; 2] {
        self.0[ply.index()]
    }

    #[inline]
    pub(crate) fn insert(&mut self, ply: Ply, mv: Move) {
        let pair = &mut self.0[ply.index()];
        if pair[0] != Some(mv) {
            *pair = [Some(mv), pair[0]];
        }
    }
}

/// The tables behind the facts `counter_move`, `continuation_history` and `capture_history`. Each is there only when the
/// policy asks for its fact.
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
                .map(|()| vec![None; ARRIVALS].into_boxed_slice()),
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

    pub(crate) fn is_counter_move(&self, mv: Move, previous: Option<Arrival>) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_keep_two_different_moves() {
        let mut killers = Killers::new();
        let [a, b]: [Move; 2] = ["g1f3".parse().unwrap(), "b1c3".parse().unwrap()];
        killers.insert(Ply::ROOT, a);
        killers.insert(Ply::ROOT, a);
        assert_eq!(killers.at(Ply::ROOT), [Some(a), None]);
        killers.insert(Ply::ROOT, b);
        assert_eq!(killers.at(Ply::ROOT), [Some(b), Some(a)]);
    }
}
