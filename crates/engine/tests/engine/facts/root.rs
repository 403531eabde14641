//! Facts about the moves of one position, with values found by hand.

use lmrlab_engine::limits::Limits;
use lmrlab_policy::facts::Fact;

use super::{ASKS, search, search_with};
use crate::seen::{Seen, plain_search};

/// The moves of a position in an iteration.
fn moves(fen: &str, iteration: u32) -> Vec<Seen> {
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
fn facts(fen: &str, mv: &str) -> Seen {
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
