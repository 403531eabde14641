//! The tables behind the facts `counter_move`, `capture_history` and those of the continuation histories.

use cozy_chess::Move;
use lmrlab_policy::facts::{CATALOGUE, Fact, FactSet};
use lmrlab_policy::history::HistoryModel;

use super::context::{DISTANCES, HistoryContext};
use super::move_key::{MoveKey, PieceTo};
use super::policy_history::PolicyHistory;
use crate::depth::Depth;

/// The facts of the continuation histories, in the order of [`DISTANCES`].
const CONTINUATIONS: [Fact; DISTANCES.len()] = [
    Fact::ContinuationHistory,
    Fact::ContinuationHistory2,
    Fact::ContinuationHistory4,
];

/// The tables of these facts; `None` when nothing reads the fact.
#[derive(Debug, Clone, Default)]
pub(crate) struct FactTables {
    /// By the previous move: its last refutation (counter moves, Uiterwijk 1992).
    counter_moves: Option<Box<[Option<Move>]>>,
    /// By an earlier move and this one, in the order of [`CONTINUATIONS`].
    continuations: [Option<PolicyHistory>; CONTINUATIONS.len()],
    /// By a capture and its victim.
    capture: Option<PolicyHistory>,
}

/// The bonus of a cutoff, for each squared ply of depth.
const FACT_SCALE: i32 = 16;
/// The greatest bonus of a cutoff.
const FACT_MAX: i32 = 2_048;
/// The bound of the history facts.
const FACT_BOUND: i32 = 16_384;

impl FactTables {
    pub(crate) fn new(needs: FactSet) -> Self {
        let wanted = |fact| needs.contains(fact).then_some(());
        let gravity = (FACT_SCALE, FACT_MAX, FACT_BOUND);
        let (scale, max, bound) = gravity;
        Self {
            counter_moves: wanted(Fact::CounterMove).map(|()| vec![None; PieceTo::COUNT].into_boxed_slice()),
            continuations: CONTINUATIONS.map(|fact| {
                wanted(fact).map(|()| PolicyHistory::new(HistoryModel::Continuation { scale, max, bound }))
            }),
            capture: wanted(Fact::CaptureHistory)
                .map(|()| PolicyHistory::new(HistoryModel::Capture { scale, max, bound })),
        }
    }

    /// Adds the tables that are missing, empty.
    pub(crate) fn complete(&mut self) {
        let mut all = FactSet::default();
        CATALOGUE.iter().for_each(|info| all.insert(info.fact));
        let empty = Self::new(all);
        self.counter_moves = self.counter_moves.take().or(empty.counter_moves);
        for (own, empty) in self.continuations.iter_mut().zip(empty.continuations) {
            *own = own.take().or(empty);
        }
        self.capture = self.capture.take().or(empty.capture);
    }

    /// Copies the entries of `other`, for the tables that both have.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        if let (Some(own), Some(other)) = (&mut self.counter_moves, &other.counter_moves) {
            own.copy_from_slice(other);
        }
        let continuations = self.continuations.iter_mut().zip(&other.continuations);
        for (own, other) in continuations.chain([(&mut self.capture, &other.capture)]) {
            if let (Some(own), Some(other)) = (own, other) {
                own.copy_from(other);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        if let Some(moves) = &mut self.counter_moves {
            moves.fill(None);
        }
        for history in self.continuations.iter_mut().chain([&mut self.capture]).flatten() {
            history.clear();
        }
    }

    pub(crate) fn is_counter_move(&self, mv: Move, previous: Option<PieceTo>) -> bool {
        match (&self.counter_moves, previous) {
            (Some(moves), Some(previous)) => moves[previous.index()] == Some(mv),
            _ => false,
        }
    }

    /// The value of a move in the continuation history of a fact; 0 for any other fact.
    pub(crate) fn continuation(&self, fact: Fact, key: &MoveKey, context: &HistoryContext) -> i32 {
        let mut tables = CONTINUATIONS.iter().zip(&self.continuations).zip(context.moves_before);
        let found = tables.find_map(|((of, table), before)| (*of == fact).then_some((table.as_ref()?, before)));
        found.map_or(0, |(history, before)| history.get(&key.after(before)))
    }

    pub(crate) fn capture(&self, key: &MoveKey) -> i32 {
        self.capture.as_ref().map_or(0, |history| history.get(key))
    }

    /// Updates the tables after a full-depth re-search of a quiet move. `improved`: it raised alpha.
    pub(crate) fn research(&mut self, key: &MoveKey, context: &HistoryContext, improved: bool, depth: Depth) {
        for (history, before) in self.continuations.iter_mut().zip(context.moves_before) {
            if let Some(history) = history {
                let key = key.after(before);
                if improved {
                    history.cutoff(&key, std::iter::empty(), depth);
                } else {
                    history.failure(&key, depth);
                }
            }
        }
    }

    /// Updates the tables after a beta cutoff. `earlier` are the moves of the same kind tried before.
    pub(crate) fn cutoff(
        &mut self,
        mv: Move,
        best: &MoveKey,
        context: &HistoryContext,
        earlier: impl Iterator<Item = MoveKey> + Clone,
        depth: Depth,
    ) {
        if best.captured.is_none()
            && let (Some(moves), Some(previous)) = (&mut self.counter_moves, best.previous)
        {
            moves[previous.index()] = Some(mv);
        }
        for (history, before) in self.continuations.iter_mut().zip(context.moves_before) {
            if let Some(history) = history {
                history.cutoff(&best.after(before), earlier.clone().map(|key| key.after(before)), depth);
            }
        }
        if let Some(history) = &mut self.capture {
            history.cutoff(best, earlier, depth);
        }
    }
}

#[cfg(test)]
mod tests {
    use cozy_chess::{Color, Piece, Square};

    use super::*;
    use crate::position::Position;

    /// A move of a knight to a square, some plies before.
    fn before(to: Square) -> Option<PieceTo> {
        Some(PieceTo {
            color: Color::White,
            piece: Piece::Knight,
            to,
        })
    }

    #[test]
    fn each_continuation_history_knows_the_move_at_its_distance() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        let mv = |text: &str| MoveKey::new(&position, text.parse().unwrap(), before(Square::A1));
        let mut needs = FactSet::default();
        for fact in CONTINUATIONS {
            needs.insert(fact);
        }
        let mut tables = FactTables::new(needs);
        let places = [Square::A1, Square::B2, Square::D4];
        let context = |changed: Option<usize>| {
            HistoryContext::new(|back| {
                let index = DISTANCES.iter().position(|distance| *distance == back)?;
                before(if changed == Some(index) {
                    Square::H8
                } else {
                    places[index]
                })
            })
        };
        let best = mv("e2e4");
        tables.cutoff(
            "e2e4".parse().unwrap(),
            &best,
            &context(None),
            std::iter::once(mv("e2e3")),
            Depth::new(5),
        );
        let values =
            |key: &MoveKey, changed| CONTINUATIONS.map(|fact| tables.continuation(fact, key, &context(changed)));
        assert_eq!(values(&best, None), [400, 400, 400]);
        assert_eq!(values(&mv("e2e3"), None), [-400, -400, -400]);
        for changed in 0..3 {
            let mut expected = [400; 3];
            expected[changed] = 0;
            assert_eq!(values(&best, Some(changed)), expected);
        }
    }

    #[test]
    fn only_the_tables_that_a_policy_reads_are_there_unless_all_are_asked_for() {
        let mut needs = FactSet::default();
        needs.insert(Fact::ContinuationHistory4);
        let mut tables = FactTables::new(needs);
        let continuations = |tables: &FactTables| tables.continuations.each_ref().map(Option::is_some);
        assert_eq!(continuations(&tables), [false, false, true]);
        assert!(tables.capture.is_none() && tables.counter_moves.is_none());
        tables.complete();
        assert_eq!(continuations(&tables), [true; 3]);
        assert!(tables.capture.is_some() && tables.counter_moves.is_some());
    }
}
