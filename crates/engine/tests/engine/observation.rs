//! Observers receive every event, and do not change the search.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use cozy_chess::Move;
use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::score::Score;
use lmrlab_engine::search::observer::{
    Decision, Events, LateMoveResult, MadeBy, MoveSearch, NodeEntry, NodeExit, NodeKind, NullMoveTried, Observer,
};
use lmrlab_engine::search::scout::Scout;
use lmrlab_policy::facts::Fact;
use lmrlab_policy::{Policy, PolicyReference};

const POSITIONS: [&str; 3] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - 3 33",
];

const POLICIES: [&str; 5] = ["none", "house", "mediocre-2007", "rebel-advanced", "micromax-4"];

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

fn policy(name: &str) -> Arc<Policy> {
    let reference: PolicyReference = name.parse().unwrap();
    Arc::new(reference.resolve(root()).unwrap().0)
}

fn preset(name: &str) -> Arc<Preset> {
    Arc::new(Preset::resolve(name, root()).unwrap().0)
}

/// Receives all events except moves that the policy cannot reduce, and checks their consistency.
#[derive(Default)]
struct Listener {
    made: HashMap<MadeBy, u64>,
    entered: HashMap<NodeKind, u64>,
    null_moves: u64,
    null_cutoffs: u64,
    left: u64,
    decided: u64,
    reduced: u64,
    /// By ply, the decision that is open: reduction, alpha, last score.
    open: Vec<Option<(i32, Option<MoveSearch>)>>,
}

impl Observer for Listener {
    fn events(&self) -> Events {
        Events::REDUCTIONS.and(Events::NODES)
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let facts = decision.facts;
        assert_eq!(f64::from(decision.depth), facts.number(Fact::Depth));
        assert_eq!(f64::from(decision.move_number), facts.number(Fact::MoveNumber));
        assert_eq!(decision.kind.flags().has(Fact::Root), decision.ply == 0);
        for fact in [Fact::Root, Fact::Pv, Fact::Cut, Fact::All] {
            assert_eq!(decision.kind.flags().has(fact), facts.flags().has(fact));
        }
        let ply = decision.ply as usize;
        self.open.resize(self.open.len().max(ply + 1), None);
        self.open[ply] = Some((decision.reduction, None));
    }

    fn on_move_search(&mut self, attempt: &MoveSearch) {
        if let Some(Some((reduction, last))) = self.open.get_mut(attempt.ply as usize) {
            assert!(last.is_some() || attempt.depth >= -*reduction);
            *last = Some(*attempt);
        }
    }

    fn on_late_move(&mut self, late: &LateMoveResult<'_>) {
        let (reduction, last) = self.open[late.ply as usize].take().expect("decided twice");
        let last = last.expect("a move is searched before it is over");
        assert_eq!(
            (reduction, last.score, last.alpha),
            (late.reduction, late.score, late.alpha)
        );
        assert_eq!(late.keys.last(), Some(&late.child.key()));
        self.decided += 1;
        self.reduced += u64::from(reduction > 0);
    }

    fn on_move_made(&mut self, _ply: u32, mv: Option<Move>, made_by: MadeBy) {
        assert_eq!(mv.is_none(), made_by == MadeBy::NullMove);
        *self.made.entry(made_by).or_default() += 1;
    }

    fn on_node_entry(&mut self, node: &NodeEntry) {
        assert!(node.depth >= 1);
        assert_eq!(node.kind == NodeKind::Root, node.ply == 0);
        *self.entered.entry(node.kind).or_default() += 1;
    }

    fn on_null_move(&mut self, tried: &NullMoveTried) {
        assert!(tried.nodes >= 1);
        self.null_moves += 1;
        self.null_cutoffs += u64::from(tried.cutoff);
    }

    fn on_node_exit(&mut self, node: &NodeExit) {
        assert!(node.moves_searched >= 1 && node.outcome != NodeKind::Root);
        let is_narrow = matches!(node.kind, NodeKind::Cut | NodeKind::All);
        assert!(!(is_narrow && node.outcome == NodeKind::Pv));
        self.left += 1;
    }
}

#[test]
fn a_watched_search_is_the_same_search_and_every_node_is_told_of() {
    for (policy_name, preset_name, limits) in POLICIES
        .iter()
        .flat_map(|name| [(*name, "standard"), (*name, "minimal")])
        .zip([Limits::depth(7), Limits::nodes(15_000)].into_iter().cycle())
        .map(|((policy, preset), limits)| (policy, preset, limits))
    {
        let mut engine = Engine::new(preset(preset_name), policy(policy_name), 2);
        for fen in POSITIONS {
            let game = Game::new(Position::from_fen(fen).unwrap());
            let go = AtomicBool::new(false);
            engine.new_game();
            let plain = engine.search(&game, &limits, &go);
            engine.new_game();
            let mut listener = Listener::default();
            let watched = engine.search_observed(&game, &limits, &go, &mut listener);
            let what = format!("{policy_name}, {preset_name}, {fen}");
            assert_eq!(
                (plain.nodes, plain.best, plain.score, &plain.pv),
                (watched.nodes, watched.best, watched.score, &watched.pv),
                "{what}"
            );
            assert_eq!(listener.made.values().sum::<u64>(), plain.nodes, "{what}");
            assert!(listener.made[&MadeBy::Quiescence] > 0, "{what}");
            let entered: u64 = listener.entered.values().sum();
            assert!(listener.left > 0 && listener.left <= entered, "{what}");
            let null_moves = listener.made.get(&MadeBy::NullMove).copied().unwrap_or(0);
            assert!(listener.null_moves <= null_moves && listener.null_cutoffs <= null_moves);
            if limits.depth.is_some() {
                let silent = policy_name == "none";
                assert_eq!(listener.reduced == 0, silent, "{what}");
                assert_eq!(listener.decided == 0, silent, "{what}");
            }
        }
    }
}

#[test]
fn a_new_game_forgets_all_that_was_searched_before() {
    let go = AtomicBool::new(false);
    for name in POLICIES {
        let mut used = Engine::new(preset("standard"), policy(name), 2);
        for fen in POSITIONS.iter().cycle().take(5) {
            let game = Game::new(Position::from_fen(fen).unwrap());
            used.new_game();
            let again = used.search(&game, &Limits::depth(7), &go);
            let mut fresh = Engine::new(preset("standard"), policy(name), 2);
            let first = fresh.search(&game, &Limits::depth(7), &go);
            let seen = |report: &Report| (report.nodes, report.score, report.pv.clone());
            assert_eq!(seen(&again), seen(&first), "{name}, {fen}");
        }
    }
}

/// Asks an engine of its own about every seventh late move that failed low.
struct Doubter {
    shadow: Engine,
    count: u64,
    verdicts: Vec<(Option<Score>, u64)>,
}

impl Observer for Doubter {
    fn events(&self) -> Events {
        Events::REDUCTIONS
    }

    fn on_late_move(&mut self, late: &LateMoveResult<'_>) {
        if late.reduction <= 0 || late.score > late.alpha {
            return;
        }
        self.count += 1;
        if self.count.is_multiple_of(7) {
            let scout = Scout {
                position: late.child,
                keys: late.keys,
                alpha: late.alpha,
                depth: late.full_depth,
                ply: late.ply + 1,
                iteration: late.iteration,
                expected_cut: late.expected_cut,
            };
            let go = AtomicBool::new(false);
            self.shadow.new_game();
            let found = self.shadow.scout(&scout, &Limits::nodes(20_000), &go);
            self.verdicts.push((found.score, found.nodes));
        }
    }
}

#[test]
fn shadow_searches_leave_the_observed_search_alone_and_forget_each_other() {
    let house = policy("house");
    let standard = preset("standard");
    let doubts = |scratch: &[&str]| {
        let mut doubter = Doubter {
            shadow: Engine::new(Arc::clone(&standard), Arc::new(Policy::none()), 1),
            count: 0,
            verdicts: Vec::new(),
        };
        let go = AtomicBool::new(false);
        // What the shadow has searched before must not matter.
        for fen in scratch {
            let game = Game::new(Position::from_fen(fen).unwrap());
            doubter.shadow.search(&game, &Limits::depth(6), &go);
        }
        let game = Game::new(Position::from_fen(POSITIONS[1]).unwrap());
        let mut engine = Engine::new(Arc::clone(&standard), Arc::clone(&house), 2);
        let limits = Limits::depth(6);
        let watched = engine.search_observed(&game, &limits, &go, &mut doubter);
        engine.new_game();
        assert_eq!(engine.search(&game, &limits, &go).nodes, watched.nodes);
        doubter.verdicts
    };
    let verdicts = doubts(&[]);
    assert!(verdicts.len() > 20, "{}", verdicts.len());
    assert!(verdicts.iter().any(|(score, _)| score.is_some()));
    assert_eq!(verdicts, doubts(&[POSITIONS[0], POSITIONS[2]]));
}

#[test]
fn a_scout_sees_a_mate_and_a_repetition() {
    let go = AtomicBool::new(false);
    let mut engine = Engine::new(preset("standard"), Arc::new(Policy::none()), 1);
    // After Ra8 it is mate: the side that has just moved beats any bound below that.
    let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1").unwrap();
    let ask = |position: &Position, keys: &[u64], alpha: i32, engine: &mut Engine| {
        let scout = Scout {
            position,
            keys,
            alpha: Score::centipawns(alpha),
            depth: 4,
            ply: 3,
            iteration: 8,
            expected_cut: false,
        };
        engine.new_game();
        engine.scout(&scout, &Limits::default(), &go).score.unwrap()
    };
    assert!(ask(&mate, &[mate.key()], 500, &mut engine).is_mate());
    // A queen ahead; but the position has been there before.
    let ahead = Position::from_fen("6k1/5ppp/8/8/8/8/5PPP/3Q2K1 b - - 4 20").unwrap();
    assert!(ask(&ahead, &[ahead.key()], 300, &mut engine) > Score::centipawns(300));
    let repeated = [ahead.key(), 1, ahead.key()];
    assert_eq!(ask(&ahead, &repeated, 300, &mut engine), Score::DRAW);
}
