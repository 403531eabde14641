//! Invariants of the facts in any tree, checked against positions replayed move by move.

use cozy_chess::{Board, Color, File, Move, Piece, Rank, Square};
use lmrlab_engine::limits::Limits;
use lmrlab_policy::facts::{Fact, FactSet};

use super::{ASKS, search};
use crate::seen::Seen;

const POSITIONS: [&str; 5] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 w - - 0 1",
    "3q2k1/5p1p/6p1/8/8/5QP1/5P1P/6K1 w - - 0 1",
    "4k3/p7/8/1P1pP3/8/8/7P/4K2R w K d6 0 1",
];

/// The line that is being searched.
struct Line {
    root: Board,
    /// Each ply's last decision; `None` where a null move was made.
    plies: Vec<Option<Seen>>,
}

impl Line {
    fn decide(&mut self, values: &Seen) {
        let ply = values.ply;
        self.plies.resize(self.plies.len().max(ply + 1), None);
        if ply > 0 && values.is(Fact::AfterNull) {
            self.plies[ply - 1] = None;
        }
        self.plies[ply] = Some(values.clone());
    }

    /// The position before the move of a ply.
    fn board(&self, ply: usize) -> Board {
        let mut board = self.root.clone();
        for values in &self.plies[..ply] {
            match values {
                Some(values) => board.play(values.mv),
                None => board = board.null_move().unwrap(),
            }
        }
        board
    }
}

fn each(policy: &str, nodes: u64, mut then: impl FnMut(&Line, &Board, &Seen)) {
    for fen in POSITIONS {
        let mut line = Line {
            root: fen.parse().unwrap(),
            plies: Vec::new(),
        };
        search(policy, fen, &Limits::nodes(nodes), |values| {
            line.decide(&values);
            let board = line.board(values.ply);
            then(&line, &board, &values);
        });
    }
}

fn distance(a: Square, b: Square) -> usize {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks) as usize
}

/// No enemy pawn ahead of a square on three files.
fn is_passed(board: &Board, to: Square, us: Color) -> bool {
    File::ALL.into_iter().all(|file| {
        Rank::ALL.into_iter().all(|rank| {
            let square = Square::new(file, rank);
            let near = (file as i32 - to.file() as i32).abs() <= 1;
            let ahead = match us {
                Color::White => rank > to.rank(),
                Color::Black => rank < to.rank(),
            };
            let pawn = board.piece_on(square) == Some(Piece::Pawn) && board.color_on(square) == Some(!us);
            !(near && ahead && pawn)
        })
    })
}

fn legal_moves(board: &Board) -> Vec<Move> {
    let mut all = Vec::new();
    board.generate_moves(|moves| {
        all.extend(moves);
        false
    });
    all
}

#[test]
fn facts_are_what_the_board_says() {
    let (mut seen, mut held) = (0, FactSet::default());
    each(ASKS, 8_000, |_, board, values| {
        seen += 1;
        let (mv, us) = (values.mv, board.side_to_move());
        let tells = format!("{board} {mv}");
        let legal = legal_moves(board);
        assert!(legal.contains(&mv), "{tells}");
        let mut after = board.clone();
        after.play(mv);
        let pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
        let castles = board.color_on(mv.to) == Some(us);
        let captures = !castles && board.occupied().len() > after.occupied().len();
        let rank = match us {
            Color::White => mv.to.rank() as i32 + 1,
            Color::Black => 8 - mv.to.rank() as i32,
        };
        for (fact, is) in [
            (Fact::Capture, captures),
            (Fact::Castling, castles),
            (Fact::Quiet, !captures && mv.promotion.is_none()),
            (Fact::Promotion, mv.promotion.is_some()),
            (Fact::QueenPromotion, mv.promotion == Some(Piece::Queen)),
            (Fact::PawnMove, pawn),
            (Fact::AdvancedPawn, pawn && rank >= 6),
            (Fact::PassedPawn, pawn && is_passed(board, mv.to, us)),
            (Fact::InCheck, !board.checkers().is_empty()),
            (Fact::GivesCheck, !after.checkers().is_empty()),
            (Fact::KingZone, distance(board.king(!us), mv.to) <= 2),
            (Fact::Root, values.ply == 0),
        ] {
            assert_eq!(values.is(fact), is, "{} of {tells}", fact.info().name);
            held.extend(is.then_some(fact));
        }
        assert_eq!(values.of(Fact::PawnRank), if pawn { f64::from(rank) } else { 0.0 });
        assert_eq!(values.of(Fact::LegalMoves), legal.len() as f64, "{tells}");
        assert_eq!(values.of(Fact::Ply), values.ply as f64);
        assert_eq!(values.is(Fact::Extended), values.of(Fact::Extension) > 0.0);
        assert!(!values.is(Fact::Extended) || values.is(Fact::GivesCheck));
        let weights = [0, 1, 1, 2, 4, 0];
        let phase: u32 = Piece::ALL
            .into_iter()
            .map(|piece| weights[piece as usize] * board.pieces(piece).len())
            .sum();
        assert_eq!(values.of(Fact::Phase), f64::from(phase.min(24)), "{tells}");
        // A pawn that takes en passant arrives on an empty square.
        let victim = board.piece_on(values.mv.to);
        let value = match (values.is(Fact::Capture), victim) {
            (false, _) => 0.0,
            (true, None) => 100.0,
            (true, Some(victim)) => [100.0, 320.0, 330.0, 500.0, 950.0, 0.0][victim as usize],
        };
        assert_eq!(values.of(Fact::CapturedValue), value, "{tells}");
        let no_pieces = board.pieces(Piece::Pawn) | board.pieces(Piece::King);
        let theirs = board.colors(!board.side_to_move()) & !no_pieces;
        assert_eq!(values.of(Fact::OpponentPieces), f64::from(theirs.len()), "{tells}");
    });
    assert!(seen > 5_000 && held.iter().count() == 12, "{seen}");
}

#[test]
fn facts_are_what_the_line_says() {
    let policy = ASKS
        .replace(
            "when    = \"depth > 120 and",
            "when    = \"depth >= 3 and moves_searched >= 3 or depth > 120 and",
        )
        .replace("history + history > 1e6", "history > 1e6");
    let (mut reduced, mut improving, mut after_null, mut null_movers, mut worsening) = (0, 0, 0, 0, 0);
    each(&policy, 40_000, |line, _, values| {
        let kinds = [Fact::Pv, Fact::Cut, Fact::All]
            .into_iter()
            .filter(|kind| values.is(*kind));
        assert_eq!(kinds.count(), 1);
        assert!(values.is(Fact::Pv) || values.of(Fact::Window) == 1.0);
        assert_eq!(
            values.of(Fact::EvalMinusAlpha),
            values.of(Fact::StaticEval) - values.of(Fact::Alpha)
        );
        assert_eq!(
            values.of(Fact::Positional),
            values.of(Fact::StaticEval) - values.of(Fact::Material)
        );
        assert_eq!(values.is(Fact::Improving), values.of(Fact::Improvement) > 0.0);
        assert!(values.is(Fact::Capture) || values.of(Fact::CaptureHistory) == 0.0);
        // The last null move was made an even number of plies ago by the side to move.
        let last_null = line.plies[..values.ply].iter().rposition(Option::is_none);
        let made_it = last_null.is_some_and(|ply| (values.ply - ply) % 2 == 0);
        assert_eq!(values.is(Fact::NullMover), made_it);
        null_movers += i32::from(made_it);
        let Some(above) = values.ply.checked_sub(1).map(|ply| &line.plies[ply]) else {
            return;
        };
        assert_eq!(values.is(Fact::AfterNull), above.is_none());
        let Some(above) = above else {
            after_null += 1;
            assert_eq!(values.of(Fact::ParentMoveNumber), 0.0);
            assert_eq!(values.of(Fact::ParentReduction), 0.0);
            assert_eq!(values.of(Fact::ContinuationHistory), 0.0);
            return;
        };
        assert_eq!(values.of(Fact::ParentMoveNumber), above.of(Fact::MoveNumber));
        let parents = if above.is(Fact::InCheck) {
            0.0
        } else {
            -above.of(Fact::StaticEval)
        };
        assert_eq!(values.of(Fact::ParentEval), parents, "{values:?}");
        let is_better = values.of(Fact::StaticEval) > parents;
        let is_known = !values.is(Fact::InCheck) && !above.is(Fact::InCheck);
        assert_eq!(values.is(Fact::OpponentWorsening), is_known && is_better, "{values:?}");
        worsening += i32::from(values.is(Fact::OpponentWorsening));
        // The node above knows how deep this one was to be searched; a second search is deeper.
        let parent = values.of(Fact::ParentReduction);
        assert!((0.0..=f64::from(above.reduction)).contains(&parent));
        let full = above.of(Fact::Depth) - 1.0 + above.of(Fact::Extension);
        let fallen = full - parent - values.of(Fact::Depth);
        let may_fall = if values.is(Fact::Pv) {
            values.of(Fact::AlphaRaises)
        } else {
            0.0
        };
        assert!((0.0..=may_fall).contains(&fallen), "{fallen} of {may_fall}");
        reduced += i32::from(parent > 0.0);
        if let Some(Some(earlier)) = values.ply.checked_sub(2).map(|ply| &line.plies[ply]) {
            let known = !values.is(Fact::InCheck) && !earlier.is(Fact::InCheck);
            let change = values.of(Fact::StaticEval) - earlier.of(Fact::StaticEval);
            let expected = if known { change } else { 0.0 };
            assert_eq!(values.of(Fact::Improvement), expected, "{values:?}");
            improving += i32::from(values.is(Fact::Improving));
        }
    });
    assert!(
        reduced > 100 && improving > 100 && after_null > 10 && null_movers > 10 && worsening > 100,
        "{reduced} {improving} {after_null} {null_movers} {worsening}"
    );
}

/// The decisions of one visit of a node, in order.
fn visits(nodes: u64, mut then: impl FnMut(&[Seen])) {
    for fen in POSITIONS {
        let mut open: Vec<Vec<Seen>> = Vec::new();
        search(ASKS, fen, &Limits::nodes(nodes), |values| {
            let ply = values.ply;
            open.resize(open.len().max(ply + 1), Vec::new());
            for visit in &mut open[ply + 1..] {
                then(visit);
                visit.clear();
            }
            if values.of(Fact::MoveNumber) == 1.0 {
                then(&open[ply]);
                open[ply].clear();
            }
            open[ply].push(values);
        });
    }
}

#[test]
fn facts_of_a_node_agree_with_one_another() {
    let (mut killers, mut counters, mut threats, mut changes, mut cutoffs) = (0, 0, 0, 0.0_f64, 0.0_f64);
    let (mut mates, mut shallow, mut killing_tt_moves) = (0, 0, 0);
    let mut histories = [0, 0, 0];
    let mut below_alpha = 0;
    visits(150_000, |visit| {
        for (index, pair) in visit.windows(2).enumerate() {
            let (before, values) = (&pair[0], &pair[1]);
            assert_eq!(before.of(Fact::MovesSearched), index as f64);
            for fact in [
                Fact::LegalMoves,
                Fact::StaticEval,
                Fact::TtHit,
                Fact::TtDepth,
                Fact::TtScore,
                Fact::TtCapture,
                Fact::TtHasMove,
                Fact::NullMate,
                Fact::InCheck,
                Fact::Pv,
                Fact::Cut,
                Fact::All,
                Fact::Material,
            ] {
                assert_eq!(before.of(fact), values.of(fact), "{}", fact.info().name);
            }
            for fact in [Fact::Alpha, Fact::BestChanges, Fact::QuietNumber] {
                assert!(before.of(fact) <= values.of(fact), "{}", fact.info().name);
            }
            // At the first move it is alpha, then a score that can be below alpha.
            let best = values.of(Fact::BestScore);
            assert!(best <= values.of(Fact::Alpha));
            assert!(index == 0 || before.of(Fact::BestScore) <= best);
            below_alpha += u32::from(best < values.of(Fact::Alpha));
            let raised = values.of(Fact::AlphaRaises) - before.of(Fact::AlphaRaises);
            assert_eq!(
                raised,
                f64::from(u8::from(values.of(Fact::Alpha) > before.of(Fact::Alpha)))
            );
            // A principal variation node searches less deep once a move has raised alpha.
            let fallen = before.of(Fact::Depth) - values.of(Fact::Depth);
            let may_fall = if values.is(Fact::Pv) { raised } else { 0.0 };
            assert!(fallen == 0.0 || fallen == may_fall, "{fallen}");
            let new = values.of(Fact::QuietNumber) - before.of(Fact::QuietNumber);
            assert_eq!(new == 1.0, values.is(Fact::Quiet));
            // The best move changes only when alpha rises.
            let change = values.of(Fact::BestChanges) - before.of(Fact::BestChanges);
            assert!(change == 0.0 || change == 1.0 && values.of(Fact::Alpha) > before.of(Fact::Alpha));
        }
        let which = |fact: Fact| visit.iter().filter(move |values| values.is(fact));
        assert!(which(Fact::Killer).count() <= 2);
        assert!(which(Fact::TtMove).count() <= 1);
        assert!(
            which(Fact::TtMove)
                .chain(which(Fact::TtCapture))
                .all(|values| values.is(Fact::TtHasMove))
        );
        // The null move's refutation takes one piece: whichever of its moves is made.
        let mut threatened = which(Fact::NullThreat).map(|values| values.mv.from);
        if let Some(from) = threatened.next() {
            threats += 1;
            shallow += i32::from(visit[0].of(Fact::Depth) < 5.0);
            assert!(threatened.all(|other| other == from));
            assert!(
                visit
                    .iter()
                    .all(|values| values.is(Fact::NullThreat) == (values.mv.from == from))
            );
            assert!(!visit[0].is(Fact::Pv) && !visit[0].is(Fact::InCheck) && !visit[0].is(Fact::AfterNull));
        }
        killers += which(Fact::Killer).count();
        killing_tt_moves += which(Fact::TtMove).filter(|values| values.is(Fact::Killer)).count();
        counters += which(Fact::CounterMove).count();
        for values in visit {
            mates += i32::from(values.is(Fact::NullMate));
            changes = changes.max(values.of(Fact::BestChanges));
            // The first best move is a raise of alpha, and no change.
            assert_eq!(
                values.of(Fact::BestChanges),
                (values.of(Fact::AlphaRaises) - 1.0).max(0.0)
            );
            cutoffs = cutoffs.max(values.of(Fact::ChildCutoffs));
            let kinds = [Fact::History, Fact::CaptureHistory, Fact::ContinuationHistory];
            for (count, fact) in histories.iter_mut().zip(kinds) {
                *count += i32::from(values.is(fact));
                assert!(values.of(fact).abs() <= 16_384.0);
            }
        }
    });
    assert!(
        killers > 100 && counters > 100 && threats > 10,
        "{killers} {counters} {threats}"
    );
    assert!(killing_tt_moves > 100, "{killing_tt_moves}");
    // Where the null move leads to a quiescence search at once, that refutes it.
    assert!(shallow > 10, "{shallow}");
    assert!(
        changes >= 2.0 && cutoffs >= 3.0 && mates > 0,
        "{changes} {cutoffs} {mates}"
    );
    assert!(below_alpha > 1000, "{below_alpha}");
    assert!(histories.iter().all(|count| *count > 100), "{histories:?}");
}
