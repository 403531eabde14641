//! The public search: its results, its limits, and its determinism.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_diagnostics::Source;
use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::{Clock, Limits};
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search::observer::{Events, MadeBy, Observer};
use lmrlab_engine::search_parameters::{DECLARATIONS, ParameterKind};
use lmrlab_policy::policy::Policy;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn simple_policy() -> Policy {
    let text = r#"
        name = "simple"
        when = "depth >= 3 and moves_searched >= 3 and quiet and not in_check and not gives_check"
        reduce = "1 + moves_searched / 10"
    "#;
    Policy::compile(Source::new("simple", text)).unwrap().0
}

fn preset(changes: &[(&str, i32)]) -> Preset {
    let mut preset = Preset::default();
    for (name, value) in changes {
        preset.parameters.set(name, *value).unwrap();
    }
    preset
}

fn engine(preset: Preset, policy: Policy, hash_mib: u32) -> Engine {
    Engine::new(Arc::new(preset), Arc::new(policy), hash_mib)
}

fn game(fen: &str) -> Game {
    Game::new(Position::from_fen(fen).unwrap())
}

fn search(engine: &mut Engine, fen: &str, limits: Limits) -> Report {
    engine.search(&game(fen), &limits, &AtomicBool::new(false))
}

/// Presets that differ in what could change a forced result: windows, table, pruning, ordering.
fn variants() -> Vec<Preset> {
    vec![
        preset(&[]),
        preset(&[("transposition_table", 0)]),
        preset(&[("network_evaluation", 0)]),
        preset(&[("principal_variation_search", 0)]),
        preset(&[("aspiration_window", 0)]),
        preset(&[("null_move", 0)]),
        preset(&[("killers", 0), ("history", 0), ("losing_captures_last", 0)]),
        preset(&[
            ("full_evaluation", 0),
            ("quiescence_evasions", 0),
            ("check_extension", 0),
        ]),
    ]
}

#[test]
fn mates_are_found_and_counted_whatever_surrounds_the_search() {
    for (fen, depth, score, best) in [
        ("6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1", 4, "mate 1", Some("d1d8")),
        ("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1", 4, "mate 1", Some("g5g7")),
        ("k7/8/1K6/8/8/8/8/6R1 w - - 0 1", 4, "mate 1", Some("g1g8")),
        (
            "r1bq2r1/b4pk1/p1pp1p2/1p2pP2/1P2P1PB/3P4/1PPQ2P1/R3K2R w - - 0 1",
            9,
            "mate 2",
            Some("d2h6"),
        ),
        ("8/8/8/8/8/5k2/6q1/7K w - - 0 1", 3, "mate 0", None),
        ("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", 3, "cp 0", None),
    ] {
        for preset in variants() {
            for policy in [Policy::none(), simple_policy()] {
                let mut engine = engine(preset.clone(), policy, 4);
                let report = search(&mut engine, fen, Limits::depth(depth));
                assert_eq!(
                    report.best.map(|mv| mv.to_string()).as_deref(),
                    best,
                    "{fen} {preset:?}"
                );
                if best.is_some() {
                    assert_eq!(report.score.to_string(), score, "{fen} {preset:?}");
                }
            }
        }
    }
}

#[test]
fn node_limits_are_exact() {
    for nodes in [1, 2, 10, 777, 5_000] {
        let mut engine = engine(preset(&[]), simple_policy(), 4);
        let report = search(&mut engine, KIWIPETE, Limits::nodes(nodes));
        assert_eq!(report.nodes, nodes);
        let board = game(KIWIPETE).position().board().clone();
        assert!(board.is_legal(report.best.unwrap()));
    }
}

#[test]
fn a_stop_and_a_time_are_kept() {
    let stop = Arc::new(AtomicBool::new(false));
    let setter = Arc::clone(&stop);
    std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(60));
        setter.store(true, Ordering::Relaxed);
    });
    let mut engine = engine(preset(&[]), Policy::none(), 4);
    let started = Instant::now();
    let report = engine.search(&game(KIWIPETE), &Limits::default(), &stop);
    assert!(report.best.is_some());
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());

    let limits = Limits {
        move_time: Some(Duration::from_millis(50)),
        ..Limits::default()
    };
    let report = search(&mut engine, KIWIPETE, limits);
    assert!(
        report.time >= Duration::from_millis(45) && report.time < Duration::from_secs(3),
        "{:?}",
        report.time
    );

    let limits = Limits {
        clock: Some(Clock {
            remaining: Duration::from_secs(3),
            increment: Duration::ZERO,
            moves_to_go: None,
        }),
        ..Limits::default()
    };
    let report = search(&mut engine, KIWIPETE, limits);
    assert!(report.time < Duration::from_millis(2_500), "{:?}", report.time);
}

/// Sets the flag after a number of moves.
struct Stopper<'s> {
    stop: &'s AtomicBool,
    left: u64,
}

impl Observer for Stopper<'_> {
    fn events(&self) -> Events {
        Events::NODES
    }

    fn on_move_made(&mut self, _ply: u32, _mv: Option<Move>, _made_by: MadeBy) {
        self.left = self.left.saturating_sub(1);
        if self.left == 0 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }
}

/// Half a millisecond or so. A time would depend on what else the machine does; nodes do not.
#[test]
fn a_stop_is_answered_within_512_nodes() {
    for (fen, preset) in [
        (KIWIPETE, preset(&[])),
        (KIWIPETE, preset(&[("transposition_table", 0)])),
        ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", preset(&[])),
        ("8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1", preset(&[])),
    ] {
        for after in [1, 300, 1_000, 7_777, 50_000, 123_456, 300_000] {
            let stop = AtomicBool::new(false);
            let mut stopper = Stopper {
                stop: &stop,
                left: after,
            };
            let report = engine(preset.clone(), simple_policy(), 4).search_observed(
                &game(fen),
                &Limits::default(),
                &stop,
                &mut stopper,
            );
            assert!(
                report.nodes < after + 512,
                "{fen}: stopped after {after} nodes, ended after {}",
                report.nodes
            );
        }
    }
}

#[test]
fn an_already_stopped_search_still_answers() {
    let mut engine = engine(preset(&[]), Policy::none(), 1);
    let report = engine.search(&game(KIWIPETE), &Limits::default(), &AtomicBool::new(true));
    assert!(game(KIWIPETE).position().board().is_legal(report.best.unwrap()));
}

#[test]
fn colours_are_searched_alike() {
    for (fen, mirrored) in [
        (
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
            "r1bq1rk1/pp3ppp/2nbpn2/3p4/3P4/2N1PN2/PP2BPPP/R1BQ1RK1 b - - 0 9",
        ),
        (
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "8/4p1p1/8/1r3P1K/kp5R/3P4/2P5/8 b - - 0 1",
        ),
    ] {
        let a = search(&mut engine(preset(&[]), simple_policy(), 4), fen, Limits::depth(2));
        let b = search(&mut engine(preset(&[]), simple_policy(), 4), mirrored, Limits::depth(2));
        assert_eq!(a.score, b.score, "{fen}");
    }
}

#[test]
fn a_repetition_is_seen_coming() {
    // White is lost but for a perpetual check.
    let fen = "6k1/5ppp/8/8/8/7Q/q4PPP/1r4BK w - - 0 1";
    let report = search(&mut engine(preset(&[]), Policy::none(), 8), fen, Limits::depth(11));
    assert!(report.best.is_some());
    // A position that the game has already seen twice is worth a draw to whoever is worse.
    let start = "7k/8/8/8/8/8/q7/6QK w - - 0 1";
    let mut game = Game::new(Position::from_fen(start).unwrap());
    for text in ["g1c1", "a2b3", "c1g1", "b3a2", "g1c1", "a2b3"] {
        let mv = parse_uci_move(game.position().board(), text).unwrap();
        game.play(mv).unwrap();
    }
    let mut engine = engine(preset(&[]), Policy::none(), 8);
    let report = engine.search(&game, &Limits::depth(6), &AtomicBool::new(false));
    let expected = parse_uci_move(game.position().board(), "c1g1").unwrap();
    // Going back repeats the position for the third time: a draw at once. Anything else must be better than that.
    assert!(report.score.get() >= 0 || report.best == Some(expected), "{report:?}");
}

#[test]
fn the_fifty_move_rule_ends_hopes() {
    // A rook ahead, but one ply is left before the fiftieth move.
    let report = search(
        &mut engine(preset(&[]), Policy::none(), 4),
        "7k/8/8/8/3K4/8/8/R7 w - - 99 90",
        Limits::depth(6),
    );
    assert_eq!(report.score.to_string(), "cp 0");
}

/// The numbers of features that are off, and the depth of a verification that so short a search does not reach.
const WITHOUT_EFFECT: [&str; 5] = [
    "quiescence_delta_margin",
    "history_pruning_margin",
    "null_move_verification_depth",
    "single_reply_extension",
    "pawn_to_seventh_extension",
];

/// No parameter of the standard search is ignored.
#[test]
fn every_feature_of_the_standard_search_changes_the_tree() {
    const ATTACK: &str = "r2q1rk1/1b2bppp/p1n1pn2/1p6/3NP3/1BN1B3/PPP1QPPP/R4RK1 w - - 0 1";
    let nodes = |preset: Preset| search(&mut engine(preset, simple_policy(), 4), ATTACK, Limits::depth(10)).nodes;
    let whole = nodes(Preset::default());
    for feature in DECLARATIONS.iter().filter(|d| !WITHOUT_EFFECT.contains(&d.name)) {
        let changed = match feature.kind {
            ParameterKind::Switch => 1 - feature.default,
            // Numbers that stand for a feature are 0 when it is off.
            ParameterKind::Integer { min: 0, .. } if feature.default > 0 => 0,
            _ => continue,
        };
        let without = nodes(preset(&[(feature.name, changed)]));
        assert_ne!(without, whole, "{} = {changed}", feature.name);
    }
}

#[test]
fn reductions_save_nodes() {
    let nodes = |policy: fn() -> Policy| -> u64 {
        let nodes = |fen| search(&mut engine(preset(&[]), policy(), 8), fen, Limits::depth(11)).nodes;
        [
            "r1bq1rk1/pp2bppp/2n1pn2/3p4/3P4/2NBPN2/PP3PPP/R1BQ1RK1 w - - 0 9",
            "r1bqkb1r/pp2pppp/2np1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 2 6",
            "2r2rk1/1b2bppp/p2ppn2/1p6/3NP3/1BP1B3/PP3PPP/R2R2K1 w - - 0 16",
        ]
        .into_iter()
        .map(nodes)
        .sum()
    };
    let (full, reduced) = (nodes(Policy::none), nodes(simple_policy));
    assert!(reduced * 3 < full * 2, "{reduced} against {full}");
}
