//! The histories that order moves: butterfly, continuation and capture history, and counter moves.

use cozy_chess::{BitBoard, Color, Move, Piece, Square};

use super::context::{DISTANCES, HistoryContext};
use super::gravity::with_gravity;
use super::move_key::PieceTo;
use crate::position::Position;
use crate::search_parameters::SearchParameters;

/// The bound of the entries of every table.
pub(crate) const BOUND: i32 = 16_384;

/// The history tables of move ordering; `None` when the preset switches them off.
#[derive(Debug)]
pub(crate) struct OrderingHistories {
    /// By colour, origin and destination (history heuristic; Schaeffer 1983), and by whether the enemy attacks them.
    butterfly: Option<Box<[i16]>>,
    /// Whether the enemy's attacks index the butterfly history.
    by_threats: bool,
    /// By an earlier move and this one (counter-move and follow-up history; Stockfish 2014, after Pyatt and others).
    continuation: Option<Box<[i16]>>,
    /// By a capture and its victim (Stockfish 2016).
    capture: Option<Box<[i16]>>,
}

/// The rows of the tables for one node's quiet moves.
#[derive(Debug, Clone, Copy)]
pub(crate) struct QuietValues<'t> {
    us: Color,
    /// Empty when the preset has no butterfly history.
    butterfly: &'t [i16],
    /// The squares that index it, in addition to the move.
    attacked: BitBoard,
    continuation: [&'t [i16]; DISTANCES.len()],
}

impl QuietValues<'_> {
    /// The value of a quiet move: the sum of its histories, within four times [`BOUND`].
    #[inline]
    pub(crate) fn get(&self, piece: Piece, mv: Move) -> i32 {
        let piece_to = PieceTo {
            color: self.us,
            piece,
            to: mv.to,
        }
        .index();
        let butterfly = self.butterfly.get(butterfly_place(self.attacked, mv));
        let mut value = i32::from(butterfly.copied().unwrap_or(0));
        for row in self.continuation {
            value += i32::from(row[piece_to]);
        }
        value
    }
}

/// The row of a missing table or move.
static NOTHING: [i16; PieceTo::COUNT] = [0; PieceTo::COUNT];
/// Entries of the butterfly table for one side.
const BUTTERFLY_SIDE: usize = 4 * Square::NUM * Square::NUM;

impl OrderingHistories {
    pub(crate) fn new(parameters: &SearchParameters) -> Self {
        let table = |wanted: bool, length: usize| wanted.then(|| vec![0; length].into_boxed_slice());
        Self {
            butterfly: table(parameters.history, 2 * BUTTERFLY_SIDE),
            by_threats: parameters.threat_history,
            continuation: table(parameters.continuation_history, PieceTo::COUNT * PieceTo::COUNT),
            capture: table(parameters.capture_history, PieceTo::COUNT * Piece::NUM),
        }
    }

    /// Copies the entries of `other`, which belongs to the same search setup.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        // `clone_from` of a boxed slice of the same length allocates nothing.
        self.butterfly.clone_from(&other.butterfly);
        self.continuation.clone_from(&other.continuation);
        self.capture.clone_from(&other.capture);
    }

    pub(crate) fn clear(&mut self) {
        for table in [&mut self.butterfly, &mut self.continuation, &mut self.capture]
            .into_iter()
            .flatten()
        {
            table.fill(0);
        }
    }

    /// The values of the quiet moves of one node.
    #[inline]
    pub(crate) fn quiets(&self, position: &Position, context: &HistoryContext) -> QuietValues<'_> {
        let us = position.side_to_move();
        let side = us as usize * BUTTERFLY_SIDE;
        let mut continuation = [&NOTHING[..]; DISTANCES.len()];
        if let Some(table) = &self.continuation {
            for (row, earlier) in continuation.iter_mut().zip(context.moves_before) {
                if let Some(earlier) = earlier {
                    let start = earlier.index() * PieceTo::COUNT;
                    *row = &table[start..start + PieceTo::COUNT];
                }
            }
        }
        QuietValues {
            us,
            butterfly: self
                .butterfly
                .as_ref()
                .map_or(&NOTHING[..0], |table| &table[side..side + BUTTERFLY_SIDE]),
            attacked: self.attacked(position, context),
            continuation,
        }
    }

    /// The value of a quiet move.
    #[inline]
    pub(crate) fn quiet(&self, position: &Position, mv: Move, context: &HistoryContext) -> i32 {
        let butterfly = self.butterfly.as_ref();
        let side = position.side_to_move() as usize * BUTTERFLY_SIDE;
        let place = side + butterfly_place(self.attacked(position, context), mv);
        let mut value = butterfly.map_or(0, |table| i32::from(table[place]));
        if let Some(table) = &self.continuation {
            let here = PieceTo::of(position, mv).index();
            for earlier in context.moves_before.into_iter().flatten() {
                value += i32::from(table[earlier.index() * PieceTo::COUNT + here]);
            }
        }
        value
    }

    /// The capture history of a move, within [`BOUND`].
    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        let victim = position.captured(mv);
        victim.map_or(0, |victim| self.capture_of(PieceTo::of(position, mv), victim))
    }

    /// As [`OrderingHistories::capture`], by mover and victim.
    #[inline]
    pub(crate) fn capture_of(&self, piece_to: PieceTo, victim: Piece) -> i32 {
        self.capture.as_ref().map_or(0, |table| {
            i32::from(table[piece_to.index() * Piece::NUM + victim as usize])
        })
    }

    /// Updates the histories of a quiet move by `bonus`.
    pub(crate) fn update_quiet(&mut self, position: &Position, mv: Move, context: &HistoryContext, bonus: i32) {
        let side = position.side_to_move() as usize * BUTTERFLY_SIDE;
        let place = side + butterfly_place(self.attacked(position, context), mv);
        if let Some(table) = &mut self.butterfly {
            pull(&mut table[place], bonus);
        }
        if let Some(table) = &mut self.continuation {
            let here = PieceTo::of(position, mv).index();
            for earlier in context.moves_before.into_iter().flatten() {
                pull(&mut table[earlier.index() * PieceTo::COUNT + here], bonus);
            }
        }
    }

    /// Updates the history of a capture by `bonus`.
    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        if let (Some(table), Some(victim)) = (&mut self.capture, position.captured(mv)) {
            pull(
                &mut table[PieceTo::of(position, mv).index() * Piece::NUM + victim as usize],
                bonus,
            );
        }
    }

    /// The squares that index the butterfly history.
    #[inline]
    fn attacked(&self, position: &Position, context: &HistoryContext) -> BitBoard {
        if self.by_threats {
            context.enemy_attacks(position).all
        } else {
            BitBoard::EMPTY
        }
    }
}

/// The place of a move in the butterfly history of its side.
#[inline]
fn butterfly_place(attacked: BitBoard, mv: Move) -> usize {
    let threats = 2 * usize::from(attacked.has(mv.from)) + usize::from(attacked.has(mv.to));
    (threats * Square::NUM + mv.from as usize) * Square::NUM + mv.to as usize
}

fn pull(entry: &mut i16, bonus: i32) {
    *entry = with_gravity(i32::from(*entry), bonus, BOUND) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> OrderingHistories {
        OrderingHistories::new(&SearchParameters::default())
    }

    fn mv(text: &str) -> Move {
        text.parse().unwrap()
    }

    #[test]
    fn values_stay_within_their_bound() {
        let mut tables = all();
        let position = Position::initial();
        let context = HistoryContext::new(|_| {
            Some(PieceTo {
                color: Color::Black,
                piece: Piece::Pawn,
                to: Square::E5,
            })
        });
        for step in 0..10_000 {
            let bonus = if step % 7 == 0 { -90_000 } else { 1_200 };
            tables.update_quiet(&position, mv("g1f3"), &context, bonus);
            assert!(tables.quiet(&position, mv("g1f3"), &context).abs() <= 4 * BOUND);
        }
        assert_eq!(tables.quiet(&position, mv("b1c3"), &context), 0);
    }

    #[test]
    fn what_a_preset_does_not_ask_for_is_neither_kept_nor_updated() {
        let mut parameters = SearchParameters::default();
        for name in ["history", "continuation_history", "capture_history"] {
            parameters.set(name, 0).unwrap();
        }
        let mut tables = OrderingHistories::new(&parameters);
        let position = Position::initial();
        let context = HistoryContext::default();
        tables.update_quiet(&position, mv("g1f3"), &context, 500);
        assert_eq!(tables.quiet(&position, mv("g1f3"), &context), 0);
        assert!(tables.butterfly.is_none() && tables.continuation.is_none());
        assert!(tables.capture.is_none());
    }

    #[test]
    fn attacked_squares_have_counts_of_their_own() {
        let free = Position::from_fen("4k3/8/8/8/8/8/8/4K1N1 w - - 0 1").unwrap();
        let attacked = Position::from_fen("4k3/8/8/8/6p1/8/8/4K1N1 w - - 0 1").unwrap();
        let values = |parameters: &SearchParameters| {
            let mut tables = OrderingHistories::new(parameters);
            tables.update_quiet(&free, mv("g1f3"), &HistoryContext::default(), 500);
            [&free, &attacked].map(|position| {
                let context = HistoryContext::default();
                let value = tables.quiet(position, mv("g1f3"), &context);
                assert_eq!(tables.quiets(position, &context).get(Piece::Knight, mv("g1f3")), value);
                value
            })
        };
        let mut parameters = SearchParameters::default();
        assert_eq!(values(&parameters), [500, 0]);
        parameters.set("threat_history", 0).unwrap();
        assert_eq!(values(&parameters), [500, 500]);
    }

    #[test]
    fn a_follow_up_is_known_by_the_move_two_plies_before() {
        let mut tables = all();
        let position = Position::initial();
        let (own, other) = (
            PieceTo {
                color: Color::White,
                piece: Piece::Knight,
                to: Square::F3,
            },
            PieceTo {
                color: Color::Black,
                piece: Piece::Pawn,
                to: Square::E5,
            },
        );
        let context = HistoryContext::new(|back| (back == 2).then_some(own));
        tables.update_quiet(&position, mv("d2d4"), &context, 1_000);
        let with = tables.quiet(&position, mv("d2d4"), &context);
        let without = tables.quiet(
            &position,
            mv("d2d4"),
            &HistoryContext::new(|back| (back == 1).then_some(other)),
        );
        assert_eq!((with, without), (2_000, 1_000));
    }
}
