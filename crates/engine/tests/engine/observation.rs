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
use lmrlab_engine::search::observer::{
    Decision, Events, LateMoveResult, MadeBy, MoveSearch, NodeEntry, NodeExit, NodeKind, NullMoveTried, Observer,
    ShadowResult, ShadowSearch, Unobserved,
};
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
        assert_eq!(decision.kind == NodeKind::Root, decision.ply == 0);
        let kinds = [
            (Fact::Root, matches!(decision.kind, NodeKind::Root)),
            (Fact::Pv, matches!(decision.kind, NodeKind::Root | NodeKind::Pv)),
            (Fact::Cut, matches!(decision.kind, NodeKind::Cut)),
            (Fact::All, matches!(decision.kind, NodeKind::All)),
        ];
        for (fact, expected) in kinds {
            assert_eq!(facts.flags().has(fact), expected);
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

/// Asks for a shadow search of every third late move, and compares it with the search of the moves that are not reduced.
struct Doubter {
    reduces: bool,
    count: u64,
    /// By ply: the reduction of the late move, and what its shadow search found.
    open: HashMap<u32, (i32, Option<ShadowResult>)>,
    /// Of moves that were not reduced: how many were compared, and how many came out otherwise.
    control: [u64; 2],
    reduced: u64,
    undecided: u64,
}

impl Doubter {
    fn new(reduces: bool) -> Self {
        Self {
            reduces,
            count: 0,
            open: HashMap::new(),
            control: [0; 2],
            reduced: 0,
            undecided: 0,
        }
    }
}

impl Observer for Doubter {
    fn events(&self) -> Events {
        Events::REDUCTIONS
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        self.open.insert(decision.ply, (decision.reduction, None));
    }

    fn wants_shadow(&mut self, _: u32) -> Option<ShadowSearch> {
        self.count += 1;
        self.count.is_multiple_of(3).then_some(ShadowSearch {
            node_limit: 2_000,
            reduces: self.reduces,
        })
    }

    fn on_shadow(&mut self, result: &ShadowResult) {
        self.open.get_mut(&result.ply).unwrap().1 = Some(*result);
    }

    fn on_move_search(&mut self, search: &MoveSearch) {
        let Some((reduction, Some(shadow))) = self.open.remove(&search.ply) else {
            return;
        };
        match shadow.raises {
            None => self.undecided += 1,
            Some(_) if reduction > 0 => self.reduced += 1,
            Some(raises) => {
                self.control[0] += 1;
                let agrees = raises == (search.score > search.alpha) && shadow.nodes == search.nodes;
                self.control[1] += u64::from(!agrees);
            }
        }
    }
}

#[test]
fn shadow_searches_change_nothing_and_repeat_the_moves_that_are_not_reduced() {
    let go = AtomicBool::new(false);
    let limits = Limits::depth(6);
    let mut unreduced_below = 0;
    for (preset_name, policies) in [("standard", &POLICIES[1..]), ("fruit-2005", &POLICIES[1..3])] {
        let preset = preset(preset_name);
        for name in policies {
            let policy = policy(name);
            let (mut control, mut reduced) = (0, 0);
            for fen in POSITIONS {
                let game = Game::new(Position::from_fen(fen).unwrap());
                let search = |observer: &mut dyn Observer| {
                    let mut engine = Engine::new(Arc::clone(&preset), Arc::clone(&policy), 2);
                    engine.search_observed(&game, &limits, &go, observer).nodes
                };
                let plain = search(&mut Unobserved);
                let mut doubter = Doubter::new(true);
                assert_eq!(search(&mut doubter), plain, "{name} in {preset_name}, {fen}");
                assert_eq!(doubter.control[1], 0, "{name} in {preset_name}, {fen}");
                control += doubter.control[0];
                reduced += doubter.reduced;
                let mut doubter = Doubter::new(false);
                assert_eq!(search(&mut doubter), plain, "{name} in {preset_name}, {fen}");
                unreduced_below += doubter.control[1];
            }
            assert!(
                control > 10 && reduced > 50,
                "{name} in {preset_name}: {control}, {reduced}"
            );
        }
    }
    // Without reductions below the move, its search is another one.
    assert!(unreduced_below > 10, "{unreduced_below}");
}
