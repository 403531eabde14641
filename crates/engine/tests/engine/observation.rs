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
    ShadowDepth, ShadowResult, ShadowSearch, Unobserved,
};
use lmrlab_policy::facts::{Fact, FactSet};
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
            depth: ShadowDepth::Full { raise: 0 },
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

/// Asks for shadow searches of every fifth move: with one ply less than the policy's reduction, with that reduction, and with one ply
/// more. Compares the second with the search of the move itself.
#[derive(Default)]
struct Counterfactual {
    count: u64,
    /// By ply: the reduction, the results of the shadow searches, and the searches of the move itself.
    open: HashMap<u32, (i32, Vec<ShadowResult>, Vec<MoveSearch>)>,
    compared: u64,
    searched_again: u64,
    different: Vec<String>,
    /// Nodes of the first searches, by what they differ from the policy's reduction.
    first_nodes: [u64; 3],
}

impl Counterfactual {
    fn close(&mut self, ply: u32) {
        let Some((reduction, shadows, searches)) = self.open.remove(&ply) else {
            return;
        };
        let ([_, same, _], Some(first), Some(last)) = (shadows.as_slice(), searches.first(), searches.last()) else {
            return;
        };
        if shadows.iter().any(|shadow| shadow.raises.is_none()) {
            return;
        }
        for (sum, shadow) in self.first_nodes.iter_mut().zip(&shadows) {
            *sum += shadow.first_nodes;
        }
        self.compared += 1;
        self.searched_again += u64::from(searches.len() > 1);
        let nodes: u64 = searches.iter().map(|search| search.nodes).sum();
        let agrees = same.first_raises == Some(first.score > first.alpha)
            && same.first_nodes == first.nodes
            && same.raises == Some(last.score > last.alpha)
            && same.nodes == nodes;
        if !agrees {
            self.different.push(format!("{reduction}: {same:?}, {searches:?}"));
        }
    }
}

impl Observer for Counterfactual {
    fn events(&self) -> Events {
        Events::MOVES.and(Events::NODES)
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        self.close(decision.ply);
        self.count += 1;
        if self.count.is_multiple_of(5) && decision.depth >= 2 {
            let opened = (decision.reduction, Vec::new(), Vec::new());
            self.open.insert(decision.ply, opened);
        }
    }

    fn wants_shadow(&mut self, ply: u32) -> Option<ShadowSearch> {
        let (reduction, shadows, _) = self.open.get(&ply)?;
        (shadows.len() < 3).then(|| ShadowSearch {
            depth: ShadowDepth::Reduced(reduction + shadows.len() as i32 - 1),
            node_limit: 20_000,
            reduces: true,
        })
    }

    fn on_shadow(&mut self, result: &ShadowResult) {
        self.open.get_mut(&result.ply).unwrap().1.push(*result);
    }

    fn on_move_search(&mut self, search: &MoveSearch) {
        if let Some((_, _, searches)) = self.open.get_mut(&search.ply) {
            searches.push(*search);
        }
    }

    fn on_node_exit(&mut self, node: &NodeExit) {
        self.close(node.ply);
    }
}

#[test]
fn a_shadow_search_with_the_reduction_of_the_policy_is_the_search_of_the_move() {
    let go = AtomicBool::new(false);
    let mut searched_again = 0;
    for (preset_name, policies) in [("standard", POLICIES), ("fruit-2005", POLICIES)] {
        let preset = preset(preset_name);
        for name in policies {
            let policy = policy(name);
            for fen in POSITIONS {
                let game = Game::new(Position::from_fen(fen).unwrap());
                let plain =
                    Engine::new(Arc::clone(&preset), Arc::clone(&policy), 2).search(&game, &Limits::depth(6), &go);
                let mut observer = Counterfactual::default();
                let mut engine =
                    Engine::collecting(Arc::clone(&preset), Arc::clone(&policy), 2, FactSet::all()).unwrap();
                let watched = engine.search_observed(&game, &Limits::depth(6), &go, &mut observer);
                assert_eq!(watched.nodes, plain.nodes, "{name} in {preset_name}, {fen}");
                assert_eq!(
                    observer.different,
                    Vec::<String>::new(),
                    "{name} in {preset_name}, {fen}"
                );
                assert!(observer.compared > 20, "{name} in {preset_name}, {fen}");
                let [less, same, more] = observer.first_nodes;
                assert!(
                    less > same && same > more,
                    "{name} in {preset_name}, {fen}: {less}, {same}, {more}"
                );
                searched_again += observer.searched_again;
            }
        }
    }
    assert!(searched_again > 100, "{searched_again}");
}
