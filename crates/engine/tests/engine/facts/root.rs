//! Facts about the moves of one position, with values found by hand.

use lmrlab_engine::limits::Limits;
use lmrlab_policy::facts::Fact;

use super::{ASKS, Values, search, search_with};
use crate::plain::plain_search;

/// The moves of a position in an iteration.
fn moves(fen: &str, iteration: u32) -> Vec<Values> {
    let mut moves = Vec::new();
    search(ASKS, fen, &Limits::depth(iteration), |values| {
        if values.ply > 0 || values.of(Fact::Iteration) < f64::from(iteration) {
            return;
        }
        if values.of(Fact::MoveNumber) == 1.0 {
            moves.clear();
        }
        moves.push(values);
    });
    moves
}

/// One move of a position, in the first iteration.
fn facts(fen: &str, mv: &str) -> Values {
    let mv = mv.parse().unwrap();
    let moves = moves(fen, 1);
    let found = moves.iter().find(|values| values.mv == mv);
    found.unwrap_or_else(|| panic!("{mv} is no move of {fen}")).clone()
}

/// A fact of moves of a position.
fn check(fen: &str, fact: Fact, moves: &[(&str, f64)]) {
    for (mv, value) in moves {
        assert_eq!(facts(fen, mv).of(fact), *value, "{} of {mv} in {fen}", fact.info().name);
    }
}

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn kinds_of_moves() {
    let pawns = "4k3/p7/8/1P1pP3/8/8/7P/4K2R w K d6 0 1";
    // En passant is a capture; the pawn's neighbour that merely advances is none.
    check(pawns, Fact::Capture, &[("e5d6", 1.0), ("e5e6", 0.0), ("e1h1", 0.0)]);
    check(pawns, Fact::Quiet, &[("e5d6", 0.0), ("e5e6", 1.0), ("e1h1", 1.0)]);
    check(pawns, Fact::Castling, &[("e1h1", 1.0), ("e1e2", 0.0), ("h1g1", 0.0)]);
    check(pawns, Fact::PawnMove, &[("e5d6", 1.0), ("h2h4", 1.0), ("e1h1", 0.0)]);
    check(
        pawns,
        Fact::AdvancedPawn,
        &[("b5b6", 1.0), ("e5d6", 1.0), ("h2h4", 0.0), ("e1e2", 0.0)],
    );
    check(
        pawns,
        Fact::PawnRank,
        &[("b5b6", 6.0), ("h2h3", 3.0), ("h2h4", 4.0), ("e1e2", 0.0)],
    );
    // On b6 the pawn has a7 beside its way; on e6 and h3 nothing is ahead.
    check(
        pawns,
        Fact::PassedPawn,
        &[("b5b6", 0.0), ("e5e6", 1.0), ("h2h3", 1.0), ("e1e2", 0.0)],
    );
    // From Black's side ranks count the other way.
    let black = "4k3/7p/8/8/6p1/8/8/4K3 b - - 0 1";
    check(black, Fact::AdvancedPawn, &[("g4g3", 1.0), ("h7h5", 0.0)]);
    check(black, Fact::PawnRank, &[("g4g3", 6.0), ("h7h6", 3.0), ("h7h5", 4.0)]);
    let promotion = "1n5k/P7/8/8/8/8/8/K7 w - - 0 1";
    check(
        promotion,
        Fact::Promotion,
        &[("a7a8q", 1.0), ("a7a8n", 1.0), ("a7b8r", 1.0), ("a1a2", 0.0)],
    );
    check(
        promotion,
        Fact::QueenPromotion,
        &[("a7a8q", 1.0), ("a7a8n", 0.0), ("a7b8q", 1.0), ("a1a2", 0.0)],
    );
    check(
        promotion,
        Fact::Quiet,
        &[("a7a8q", 0.0), ("a7a8n", 0.0), ("a7b8r", 0.0), ("a1a2", 1.0)],
    );
    check(promotion, Fact::PawnRank, &[("a7a8q", 8.0)]);
}

#[test]
fn checks_and_extensions() {
    let rook = "4k3/8/8/8/8/8/8/R3K3 w - - 0 1";
    for fact in [Fact::GivesCheck, Fact::Extended, Fact::Extension] {
        check(rook, fact, &[("a1a8", 1.0), ("a1a7", 0.0), ("e1e2", 0.0)]);
    }
    check(rook, Fact::InCheck, &[("a1a8", 0.0), ("e1e2", 0.0)]);
    // A discovered check.
    check(
        "4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1",
        Fact::GivesCheck,
        &[("e2c3", 1.0), ("e1d1", 0.0)],
    );
    let checked = "4k3/8/8/8/8/8/4r3/4K3 w - - 0 1";
    check(checked, Fact::InCheck, &[("e1e2", 1.0), ("e1d1", 1.0)]);
    check(checked, Fact::GivesCheck, &[("e1e2", 0.0)]);
}

#[test]
fn the_area_of_the_king() {
    // From e8: d6 is two away, d5 and h6 three; g5 is two files away, but three ranks.
    let queen = "4k3/8/8/8/8/8/3Q4/4K3 w - - 0 1";
    let moves = [("d2d6", 1.0), ("d2d5", 0.0), ("d2h6", 0.0), ("d2g5", 0.0)];
    check(queen, Fact::KingZone, &moves);
    check(
        "4k3/8/8/8/8/6N1/8/4K3 w - - 0 1",
        Fact::KingZone,
        &[("g3f5", 0.0), ("g3h5", 0.0)],
    );
    check(
        "4k3/8/8/5N2/8/8/8/4K3 w - - 0 1",
        Fact::KingZone,
        &[("f5g7", 1.0), ("f5d6", 1.0), ("f5h6", 0.0)],
    );
}

#[test]
fn threats() {
    // Rebel's example: h3 asks the knight.
    let asks = "4k3/5p2/5p2/4p3/6n1/8/7P/4K3 w - - 0 1";
    check(
        asks,
        Fact::CreatesThreat,
        &[("h2h3", 1.0), ("h2h4", 0.0), ("e1d1", 0.0)],
    );
    check(asks, Fact::EscapesThreat, &[("h2h3", 0.0)]);
    let asked = "4k3/5p2/5p2/4p3/6n1/7P/8/4K3 b - - 0 1";
    check(
        asked,
        Fact::EscapesThreat,
        &[("g4h6", 1.0), ("g4f2", 0.0), ("e8e7", 0.0)],
    );
    // The rook attacks a bishop: a threat while nothing defends it.
    let loose = "4k3/8/8/2b5/8/8/8/R3K3 w - - 0 1";
    check(
        loose,
        Fact::CreatesThreat,
        &[("a1a5", 1.0), ("a1c1", 1.0), ("a1a4", 0.0)],
    );
    let defended = "4k3/8/1p6/2b5/8/8/8/R3K3 w - - 0 1";
    check(defended, Fact::CreatesThreat, &[("a1a5", 0.0), ("a1c1", 0.0)]);
    // A pawn is nothing that can be threatened; nor is an equal piece that is defended.
    check(
        "4k3/8/8/2p5/8/8/8/R3K3 w - - 0 1",
        Fact::CreatesThreat,
        &[("a1a5", 0.0)],
    );
}

#[test]
fn exchanges() {
    // Pawn takes pawn: alone it wins one, defended nothing.
    check(
        "4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1",
        Fact::See,
        &[("e4d5", 100.0), ("e4e5", 0.0)],
    );
    check(
        "4k3/8/2p5/3p4/4P3/8/8/4K3 w - - 0 1",
        Fact::See,
        &[("e4d5", 0.0), ("e4e5", 0.0)],
    );
    // A queen, 950, for a pawn; a queen put where a pawn takes it.
    let queen = "4k3/8/2p5/3p4/8/8/8/3QK3 w - - 0 1";
    check(
        queen,
        Fact::See,
        &[("d1d5", 100.0 - 950.0), ("d1d4", 0.0), ("d1b3", 0.0)],
    );
    check("4k3/8/2p5/8/8/8/8/3QK3 w - - 0 1", Fact::See, &[("d1d5", -950.0)]);
}

#[test]
fn the_evaluation_and_its_parts() {
    check(INITIAL, Fact::Material, &[("e2e4", 0.0)]);
    // The same balance from both sides.
    let (ahead, behind) = ("3qk3/8/8/8/8/8/3R4/3QK3 w - - 0 1", "3qk3/8/8/8/8/8/3R4/3QK3 b - - 0 1");
    let balance = facts(ahead, "e1f1").of(Fact::Material);
    assert!(balance > 300.0, "{balance}");
    assert_eq!(facts(behind, "e8f8").of(Fact::Material), -balance);
    for (fen, mv, after, reply) in [
        (ahead, "d2d7", "3qk3/3R4/8/8/8/8/8/3QK3 b - - 1 1", "d8d7"),
        (
            INITIAL,
            "e2e4",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "a7a6",
        ),
        (behind, "d8d2", "4k3/8/8/8/8/8/3q4/3QK3 w - - 0 2", "d1d2"),
    ] {
        let (before, after) = (facts(fen, mv), facts(after, reply));
        let eval = before.of(Fact::StaticEval);
        assert_eq!(before.of(Fact::Positional), eval - before.of(Fact::Material), "{fen}");
        assert_eq!(before.of(Fact::EvalMinusAlpha), eval - before.of(Fact::Alpha), "{fen}");
        // Both from the mover's side.
        if !after.is(Fact::InCheck) {
            assert_eq!(before.of(Fact::EvalDelta), -after.of(Fact::StaticEval) - eval, "{fen}");
        }
    }
    // There and back again on the tables.
    let there = facts("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "b1c3");
    let back = facts("rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR w KQkq - 0 1", "c3b1");
    assert!(there.of(Fact::PstDelta) > 0.0);
    assert_eq!(there.of(Fact::PstDelta), -back.of(Fact::PstDelta));
    // A passed pawn that advances; the king walking far from it; the same seen by Black.
    let runner = "8/8/P7/8/7k/8/8/4K3 w - - 0 1";
    assert!(facts(runner, "a6a7").of(Fact::PassedDelta) > 0.0);
    let mirrored = "4k3/8/8/7K/8/p7/8/8 b - - 0 1";
    assert_eq!(
        facts(runner, "a6a7").of(Fact::PassedDelta),
        facts(mirrored, "a3a2").of(Fact::PassedDelta)
    );
    check(INITIAL, Fact::PassedDelta, &[("e2e4", 0.0), ("g1f3", 0.0)]);
    // The pawn in front of the king leaves it; a pawn far away does not.
    let castled = "r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1 w - - 0 1";
    assert!(facts(castled, "g2g4").of(Fact::KingSafetyDelta) < 0.0);
    check(castled, Fact::KingSafetyDelta, &[("a2a3", 0.0)]);
    check(INITIAL, Fact::Phase, &[("e2e4", 24.0)]);
    check("4k3/8/8/8/8/8/P7/4K3 w - - 0 1", Fact::Phase, &[("a2a3", 0.0)]);
    check(ahead, Fact::Phase, &[("e1f1", 10.0)]);
}

#[test]
fn counting() {
    let moves = moves(INITIAL, 1);
    assert_eq!(moves.len(), 20);
    for (index, values) in moves.iter().enumerate() {
        let before = index as f64;
        assert_eq!(values.of(Fact::MovesSearched), before);
        assert_eq!(values.of(Fact::MoveNumber), before + 1.0);
        assert_eq!(values.of(Fact::QuietNumber), before + 1.0);
        assert_eq!(values.of(Fact::LegalMoves), 20.0);
        assert_eq!((values.of(Fact::Depth), values.of(Fact::Ply)), (1.0, 0.0));
    }
    // The first move of a node has no best one before it; the first best one is no change.
    assert_eq!(moves[0].of(Fact::BestChanges), 0.0);
    assert_eq!(
        (moves[0].of(Fact::AlphaRaises), moves[1].of(Fact::AlphaRaises)),
        (0.0, 1.0)
    );
    assert_eq!(moves[1].of(Fact::BestChanges), 0.0);
    // Captures come first here and are not counted as quiet.
    let captures = self::moves("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", 1);
    assert!(captures[0].is(Fact::Capture));
    assert_eq!(captures[0].of(Fact::QuietNumber), 0.0);
    assert_eq!(captures[3].of(Fact::QuietNumber), 3.0);
}

#[test]
fn the_root_and_its_window() {
    for iteration in 1..=3 {
        let moves = moves(INITIAL, iteration);
        let first = &moves[0];
        for values in &moves {
            assert!(values.is(Fact::Root) && values.is(Fact::Pv));
            for fact in [
                Fact::Cut,
                Fact::All,
                Fact::AfterNull,
                Fact::NullMover,
                Fact::Correction,
                Fact::NullThreat,
                Fact::NullMate,
                Fact::Improving,
                Fact::Improvement,
                Fact::ParentReduction,
                Fact::ParentMoveNumber,
                Fact::ParentEval,
                Fact::OpponentWorsening,
                Fact::ContinuationHistory,
                Fact::ContinuationHistory2,
                Fact::ContinuationHistory4,
            ] {
                assert_eq!(values.of(fact), 0.0, "{}", fact.info().name);
            }
            assert_eq!(values.of(Fact::Iteration), f64::from(iteration));
            assert_eq!(values.of(Fact::RootWindow), first.of(Fact::RootWindow));
            // What raises alpha takes from the window.
            let beta = first.of(Fact::Alpha) + first.of(Fact::Window);
            assert_eq!(values.of(Fact::Alpha) + values.of(Fact::Window), beta);
            assert!(values.of(Fact::BestScore) <= values.of(Fact::Alpha));
        }
        assert_eq!(first.of(Fact::Window), first.of(Fact::RootWindow));
        assert_eq!(first.of(Fact::BestScore), first.of(Fact::Alpha));
    }
}

#[test]
fn what_the_table_remembers_and_what_was_best() {
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    for values in moves(fen, 1) {
        assert!(!values.is(Fact::TtHit) && !values.is(Fact::TtMove) && !values.is(Fact::WasBest));
        assert_eq!((values.of(Fact::TtDepth), values.of(Fact::TtScore)), (-1.0, 0.0));
        assert!(!values.is(Fact::TtPv) && !values.is(Fact::TtExact) && !values.is(Fact::TtCapture));
        assert!(!values.is(Fact::TtHasMove));
    }
    let first = search(ASKS, fen, &Limits::depth(1), |_| {});
    let second = moves(fen, 2);
    let best = first.best.unwrap();
    for values in &second {
        assert!(values.is(Fact::TtHit) && values.is(Fact::TtPv) && values.is(Fact::TtExact));
        assert_eq!(values.of(Fact::TtDepth), 1.0);
        assert_eq!(values.of(Fact::TtScore), f64::from(first.score.get()));
        assert_eq!(values.is(Fact::TtMove), values.mv == best);
        assert!(values.is(Fact::TtHasMove));
        assert_eq!(values.is(Fact::WasBest), values.mv == best);
    }
    let taken = second[0].is(Fact::Capture);
    assert!(second[0].is(Fact::TtMove));
    assert!(second.iter().all(|values| values.is(Fact::TtCapture) == taken));
    // The other way round: a capture that is best at once.
    let hanging = moves("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1", 2);
    assert!(hanging[0].is(Fact::TtMove) && hanging.iter().all(|values| values.is(Fact::TtCapture)));
}

#[test]
fn the_correction_of_the_evaluation() {
    let mut preset = plain_search();
    preset.parameters.set("correction_history", 1).unwrap();
    let fen = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3";
    let (mut uncorrected, mut corrections) = (None, Vec::new());
    search_with(&preset, ASKS, fen, &Limits::depth(6), |values| {
        if values.ply > 0 || values.of(Fact::MoveNumber) > 1.0 {
            return;
        }
        // The first iteration has learnt nothing yet. What later ones have learnt is the correction.
        let raw = *uncorrected.get_or_insert(values.of(Fact::StaticEval));
        assert_eq!(values.of(Fact::StaticEval), raw + values.of(Fact::Correction));
        corrections.push(values.of(Fact::Correction));
    });
    assert_eq!(corrections[0], 0.0);
    assert!(
        corrections.iter().any(|correction| *correction != 0.0),
        "{corrections:?}"
    );
}
