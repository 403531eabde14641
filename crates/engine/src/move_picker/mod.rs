//! Staged move ordering: yields the moves of a node one at a time, the most promising first.
//!
//! The stages are the transposition table move; captures and promotions that do not lose material, by victim and history;
//! killers; quiet moves; losing captures. A stage generates and scores its moves when it is reached.

mod movers;
mod scored_moves;

use arrayvec::ArrayVec;
use cozy_chess::{Move, Piece, Rank};

use self::movers::{Movers, en_passant_target};
use self::scored_moves::{Code, ScoredMoves};
use crate::history::move_key::PieceTo;
use crate::position::Position;
use crate::see::{see_at_least, see_value};

pub(crate) use self::scored_moves::MAX_MOVES;

/// The pieces that a pawn can promote to.
const PROMOTIONS: [Piece; 4] = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight];

/// The stages, in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    TtMove,
    ScoreTactical,
    Tactical,
    FirstKiller,
    SecondKiller,
    ScoreQuiet,
    Quiet,
    LosingCaptures,
    Done,
}

/// The special moves of a node, and which moves it wants.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Hints {
    /// Tried first, if legal.
    pub(crate) tt_move: Option<Move>,
    /// Tried before other quiet moves, if legal and quiet.
    pub(crate) killers: [Option<Move>; 2],
    /// Whether captures that lose material are tried last rather than among the others.
    pub(crate) losing_captures_last: bool,
    /// Whether quiet moves (other than promotions) are left out.
    pub(crate) tactical_only: bool,
}

/// Values that order moves of the same stage; greater comes earlier.
pub(crate) trait MoveValues {
    /// The values of the position's quiet moves, by piece and move.
    fn quiets<'v>(&'v self, position: &'v Position) -> impl Fn(Piece, Move) -> i32 + 'v;
    /// The history value of a capture of `victim`, in 1/64 centipawns.
    fn capture(&self, capture: PieceTo, victim: Piece) -> i32;
}

/// No history: all values are 0.
impl MoveValues for () {
    fn quiets<'v>(&'v self, _: &'v Position) -> impl Fn(Piece, Move) -> i32 + 'v {
        |_, _| 0
    }
    fn capture(&self, _: PieceTo, _: Piece) -> i32 {
        0
    }
}

/// Yields the legal moves of a position, each once. The transposition table move comes before any move is generated.
#[derive(Debug)]
pub(crate) struct MovePicker {
    stage: Stage,
    hints: Hints,
    skip_quiets: bool,
    movers: Movers,
    moves: ScoredMoves,
    losing: ArrayVec<Move, MAX_MOVES>,
    /// The number of losing captures already yielded.
    losing_yielded: usize,
}

impl MovePicker {
    pub(crate) fn new(position: &Position, mut hints: Hints) -> Self {
        hints.tt_move = hints.tt_move.filter(|mv| position.board().is_legal(*mv));
        Self {
            stage: Stage::TtMove,
            hints,
            skip_quiets: false,
            movers: Movers::new(),
            moves: ScoredMoves::new(),
            losing: ArrayVec::new(),
            losing_yielded: 0,
        }
    }

    /// The number of legal moves of the position, quiet ones included.
    pub(crate) fn legal_moves(&mut self, position: &Position) -> u32 {
        let movers = self.movers.all(position);
        movers.iter().map(|moves| moves.len() as u32).sum()
    }

    /// Whether the position has a legal move.
    pub(crate) fn has_legal_move(&mut self, position: &Position) -> bool {
        !self.movers.tactical(position).is_empty() || !self.movers.all(position).is_empty()
    }

    /// The transposition table move, if it is legal here.
    pub(crate) fn tt_move(&self) -> Option<Move> {
        self.hints.tt_move
    }

    /// Whether the move yielded last, a quiet one, is one of the killers, also when it is the transposition table move.
    #[inline]
    pub(crate) fn is_killer(&self, quiet_move: Move) -> bool {
        match self.stage {
            Stage::SecondKiller | Stage::ScoreQuiet => true,
            // The stage after the transposition table move.
            Stage::ScoreTactical => self.hints.killers.contains(&Some(quiet_move)),
            _ => false,
        }
    }

    /// Whether the last move was yielded as a capture or promotion that does not lose material.
    #[inline]
    pub(crate) fn yielded_good_capture(&self) -> bool {
        self.stage == Stage::Tactical && self.hints.losing_captures_last
    }

    /// Skips the remaining quiet moves.
    pub(crate) fn skip_quiets(&mut self) {
        self.skip_quiets = true;
    }

    /// The next move.
    #[inline]
    pub(crate) fn next(&mut self, position: &Position, values: &impl MoveValues) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::ScoreTactical;
                    let usable = |mv: &Move| !self.hints.tactical_only || !position.is_quiet(*mv);
                    if let Some(mv) = self.hints.tt_move.filter(usable) {
                        return Some(mv);
                    }
                }
                Stage::ScoreTactical => {
                    self.score_tactical(position, values);
                    self.stage = Stage::Tactical;
                }
                Stage::Tactical => match self.moves.take_best(position.side_to_move()) {
                    Some(mv) => {
                        let loses = self.hints.losing_captures_last && loses_material(position, mv);
                        if !loses {
                            return Some(mv);
                        }
                        self.losing.push(mv);
                    }
                    None => {
                        self.stage = if self.hints.tactical_only {
                            Stage::LosingCaptures
                        } else {
                            Stage::FirstKiller
                        };
                    }
                },
                Stage::FirstKiller => {
                    self.stage = Stage::SecondKiller;
                    if let Some(mv) = self.killer(position, self.hints.killers[0]) {
                        return Some(mv);
                    }
                }
                Stage::SecondKiller => {
                    self.stage = Stage::ScoreQuiet;
                    if let Some(mv) = self.killer(position, self.hints.killers[1]) {
                        return Some(mv);
                    }
                }
                Stage::ScoreQuiet => {
                    if !self.skip_quiets {
                        self.score_quiet(position, values);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => {
                    if !self.skip_quiets
                        && let Some(mv) = self.moves.take_best(position.side_to_move())
                    {
                        return Some(mv);
                    }
                    self.stage = Stage::LosingCaptures;
                }
                Stage::LosingCaptures => match self.losing.get(self.losing_yielded) {
                    Some(mv) => {
                        self.losing_yielded += 1;
                        return Some(*mv);
                    }
                    None => self.stage = Stage::Done,
                },
                Stage::Done => return None,
            }
        }
    }

    /// A killer, if it is legal and quiet and not the transposition table move, and quiets are not skipped.
    fn killer(&self, position: &Position, mv: Option<Move>) -> Option<Move> {
        mv.filter(|mv| {
            !self.skip_quiets
                && Some(*mv) != self.hints.tt_move
                && position.is_quiet(*mv)
                && position.board().is_legal(*mv)
        })
    }

    #[inline(never)]
    fn score_tactical(&mut self, position: &Position, values: &impl MoveValues) {
        let board = position.board();
        let us = position.side_to_move();
        let enemies = board.colors(!us);
        let last_rank = Rank::Eighth.relative_to(us).bitboard();
        let en_passant = en_passant_target(position, us);
        let tried = Code::of_any(self.hints.tt_move, us);
        for movers in self.movers.tactical(position) {
            let is_pawn = movers.piece == Piece::Pawn;
            let mut wanted = enemies;
            if is_pawn {
                wanted |= last_rank | en_passant;
            }
            for to in movers.to & wanted {
                let victim = position.piece_on(to);
                let victim = victim.or(en_passant.has(to).then_some(Piece::Pawn));
                let mut value = -(movers.piece as i32);
                if let Some(victim) = victim {
                    let piece_to = PieceTo {
                        color: us,
                        piece: movers.piece,
                        to,
                    };
                    value += see_value(victim) * 64 + values.capture(piece_to, victim);
                }
                let mut add = |promotion: Option<Piece>| {
                    let mv = Move {
                        from: movers.from,
                        to,
                        promotion,
                    };
                    let code = Code::of(mv, us);
                    if code != tried {
                        let value = value + promotion.map_or(0, see_value) * 64;
                        self.moves.push(code, value);
                    }
                };
                if is_pawn && last_rank.has(to) {
                    for piece in PROMOTIONS {
                        add(Some(piece));
                    }
                } else {
                    add(None);
                }
            }
        }
    }

    #[inline(never)]
    fn score_quiet(&mut self, position: &Position, values: &impl MoveValues) {
        let board = position.board();
        let us = position.side_to_move();
        let enemies = board.colors(!us);
        let last_rank = Rank::Eighth.relative_to(us).bitboard();
        let en_passant = en_passant_target(position, us);
        let [first, second] = self.hints.killers;
        let tried = [self.hints.tt_move, first, second].map(|mv| Code::of_any(mv, us));
        let value = values.quiets(position);
        self.moves.clear();
        for movers in self.movers.all(position) {
            let mut not_to = enemies;
            if movers.piece == Piece::Pawn {
                not_to |= last_rank | en_passant;
            }
            for to in movers.to & !not_to {
                let mv = Move {
                    from: movers.from,
                    to,
                    promotion: None,
                };
                let code = Code::of(mv, us);
                if !tried.contains(&code) {
                    self.moves.push(code, value(movers.piece, mv));
                }
            }
        }
    }
}

/// Whether a capture or promotion loses material by static exchange evaluation.
pub(crate) fn loses_material(position: &Position, mv: Move) -> bool {
    let victim = position.captured(mv).map_or(0, see_value);
    let attacker = position.piece_on(mv.from).map_or(0, see_value);
    (victim < attacker || mv.promotion.is_some()) && !see_at_least(position, mv, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::{choices, legal_moves, random_game, starts};
    use proptest::prelude::*;
    use std::collections::BTreeSet;

    fn in_order(fen: &str, hints: Hints) -> Vec<String> {
        let position = Position::from_fen(fen).unwrap();
        let mut picker = MovePicker::new(&position, hints);
        std::iter::from_fn(|| picker.next(&position, &()))
            .map(|mv| mv.to_string())
            .collect()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_once_whatever_the_hints() {
        for fen in [
            KIWIPETE,
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
            "4k3/8/8/8/8/8/4q3/4K3 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mut legal = BTreeSet::new();
            position.board().generate_moves(|moves| {
                legal.extend(moves.into_iter().map(|mv| mv.to_string()));
                false
            });
            for hash in legal
                .iter()
                .map(|mv| mv.parse().ok())
                .chain([None, "a1h8".parse().ok()])
            {
                for losing_captures_last in [false, true] {
                    let killers = [legal.iter().next(), legal.iter().next_back()];
                    let found = in_order(
                        fen,
                        Hints {
                            tt_move: hash,
                            killers: killers.map(|mv| mv.and_then(|mv| mv.parse().ok())),
                            losing_captures_last,
                            tactical_only: false,
                        },
                    );
                    assert_eq!(found.len(), legal.len(), "{fen} {hash:?}");
                    assert_eq!(found.iter().cloned().collect::<BTreeSet<_>>(), legal);
                    if let Some(hash) = hash.filter(|mv| legal.contains(&mv.to_string())) {
                        assert_eq!(found[0], hash.to_string());
                    }
                }
            }
        }
    }

    #[test]
    fn a_killer_is_one_also_as_the_transposition_table_move() {
        let position = Position::from_fen(KIWIPETE).unwrap();
        let killers = ["a1b1", "a2a3"].map(|mv| mv.parse().ok());
        let hints = Hints {
            tt_move: killers[0],
            killers,
            ..Hints::default()
        };
        let mut picker = MovePicker::new(&position, hints);
        let mut found = 0;
        while let Some(mv) = picker.next(&position, &()) {
            assert_eq!(picker.is_killer(mv), killers.contains(&Some(mv)), "{mv}");
            found += usize::from(picker.is_killer(mv));
        }
        assert_eq!(found, 2);
    }

    #[test]
    fn losing_captures_come_last() {
        // The queen can take a defended pawn.
        let fen = "4k3/2p5/3p4/8/8/3Q4/8/4K3 w - - 0 1";
        let hints = Hints {
            losing_captures_last: true,
            ..Hints::default()
        };
        assert_eq!(in_order(fen, hints).last().map(String::as_str), Some("d3d6"));
        assert_eq!(in_order(fen, Hints::default())[0], "d3d6");
    }

    #[test]
    fn tactical_moves_alone_are_captures_and_promotions() {
        let hints = Hints {
            tactical_only: true,
            losing_captures_last: true,
            ..Hints::default()
        };
        let mut moves = in_order("4k3/P7/8/3p4/4P3/8/8/4K3 w - - 0 1", hints);
        moves.sort();
        assert_eq!(moves, ["a7a8b", "a7a8n", "a7a8q", "a7a8r", "e4d5"]);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn moves_are_those_of_the_rules(start in starts(), choices in choices(), skipped in 0..60usize) {
            for position in random_game(start, &choices) {
                let legal: BTreeSet<_> = legal_moves(position.board()).iter().map(Move::to_string).collect();
                let mut picker = MovePicker::new(&position, Hints::default());
                prop_assert_eq!(picker.has_legal_move(&position), !legal.is_empty(), "{}", position);
                let mut found = BTreeSet::new();
                while let Some(mv) = picker.next(&position, &()) {
                    prop_assert!(found.insert(mv.to_string()), "{} twice in {}", mv, position);
                }
                prop_assert_eq!(&found, &legal, "{}", position);
                prop_assert_eq!(picker.legal_moves(&position) as usize, legal.len());

                // Captures and promotions, alone and with some of the quiet moves.
                let loud: BTreeSet<_> = legal_moves(position.board())
                    .iter()
                    .filter(|mv| !position.is_quiet(**mv))
                    .map(Move::to_string)
                    .collect();
                let hints = Hints { tactical_only: true, ..Hints::default() };
                let mut picker = MovePicker::new(&position, hints);
                let alone = std::iter::from_fn(|| picker.next(&position, &()));
                prop_assert_eq!(&alone.map(|mv| mv.to_string()).collect::<BTreeSet<_>>(), &loud);
                let mut picker = MovePicker::new(&position, Hints::default());
                let some = std::iter::from_fn(|| picker.next(&position, &())).take(skipped).count();
                picker.skip_quiets();
                let rest = std::iter::from_fn(|| picker.next(&position, &()));
                prop_assert_eq!(some + rest.count(), some.max(loud.len()), "{}", position);
            }
        }
    }
}
