//! Records every decision of a real search, with its facts.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_engine::search::observer::{Decision, Events, MoveSearch, Observer};
use lmrlab_policy::facts::Fact;
use lmrlab_policy::policy::Policy;
use lmrlab_policy::reference::PolicyReference;

pub(crate) use crate::seen::{Seen, plain_search};

/// Captures and checks everywhere; a slow middle game; pawns about to promote; an attack with losing captures;
/// queens that give check after check; many captures before the killers' turn.
pub(crate) const POSITIONS: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2QK2R w KQ - 0 8",
    "4r1k1/5p1p/1P4p1/8/1b3P2/p2p2P1/R2R3K/8 w - - 0 1",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3NP3/1BN1B3/PPP1QPPP/R4RK1 w - - 0 1",
    "3q2k1/5p1p/6p1/8/8/5QP1/5P1P/6K1 w - - 0 1",
    "2r2rk1/1bq1bppp/p1nppn2/1p4B1/3NPPP1/1NQ2B2/PPP4P/2KR3R w - - 0 1",
];

/// Of each position.
pub(crate) const NODES: u64 = 25_000;

impl Seen {
    pub(crate) fn depth(&self) -> i32 {
        self.of(Fact::Depth) as i32
    }

    /// Moves searched before.
    pub(crate) fn before(&self) -> i32 {
        self.of(Fact::MovesSearched) as i32
    }

    /// The number of the move, from 1.
    pub(crate) fn number(&self) -> i32 {
        self.of(Fact::MoveNumber) as i32
    }

    pub(crate) fn history(&self) -> i32 {
        self.of(Fact::History) as i32
    }

    /// The depth of an unreduced search of the move.
    pub(crate) fn full_depth(&self) -> i32 {
        self.depth() - 1 + self.of(Fact::Extension) as i32
    }

    /// A reduction that leaves this depth.
    pub(crate) fn leaving(&self, floor: i32, plies: i32) -> i32 {
        plies.min((self.full_depth() - floor).max(0))
    }
}

#[derive(Default)]
pub(crate) struct Watcher {
    seen: Vec<Seen>,
    /// By ply, the decision whose move is being searched.
    current: Vec<usize>,
}

impl Observer for Watcher {
    fn events(&self) -> Events {
        Events::MOVES
    }

    fn on_decision(&mut self, decision: &Decision<'_>) {
        let ply = decision.ply as usize;
        self.current.resize(self.current.len().max(ply + 1), 0);
        self.current[ply] = self.seen.len();
        self.seen.push(Seen::new(decision));
    }

    fn on_move_search(&mut self, attempt: &MoveSearch) {
        let index = self.current[attempt.ply as usize];
        self.seen[index].attempts.push(*attempt);
    }
}

pub(crate) fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

pub(crate) fn shipped(name: &str) -> Policy {
    let reference: PolicyReference = name.parse().unwrap_or_else(|e| panic!("{e}"));
    let (policy, warnings) = reference.resolve(root()).unwrap_or_else(|e| panic!("{e}"));
    assert!(warnings.list.is_empty(), "{warnings}");
    policy
}

/// Every decision of searches from all positions, with a shipped policy.
pub(crate) fn watch(name: &str, preset: &Preset, nodes: u64) -> Vec<Seen> {
    watch_policy(&shipped(name), preset, nodes)
}

/// Every decision of searches from all positions.
pub(crate) fn watch_policy(policy: &Policy, preset: &Preset, nodes: u64) -> Vec<Seen> {
    let mut watcher = Watcher::default();
    for fen in POSITIONS {
        let game = Game::new(Position::from_fen(fen).unwrap());
        let mut engine = Engine::new(Arc::new(preset.clone()), Arc::new(policy.clone()), 4);
        let stop = AtomicBool::new(false);
        engine.search_observed(&game, &Limits::nodes(nodes), &stop, &mut watcher);
    }
    watcher.seen
}

/// A search to a depth, unobserved.
pub(crate) fn search(policy: &Policy, fen: &str, depth: u32) -> Report {
    let game = Game::new(Position::from_fen(fen).unwrap());
    let mut engine = Engine::new(Arc::new(plain_search()), Arc::new(policy.clone()), 4);
    engine.search(&game, &Limits::depth(depth), &AtomicBool::new(false))
}
