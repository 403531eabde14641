//! The bench: a fixed set of searches. Its node count is the fingerprint of the search.

use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use lmrlab_policy::Policy;

use crate::engine::{Engine, Report};
use crate::game::Game;
use crate::limits::Limits;
use crate::position::Position;
use crate::preset::Preset;
use crate::reductions::Reductions;

/// The default depth of a bench, in plies.
pub const DEFAULT_DEPTH: u32 = 10;

/// The nodes of the bench with the preset `standard` and the policy `house`: the fingerprint of this version's search. Runs write it
/// into their manifests. A change to the search changes it; a test compares it with the bench.
pub const FINGERPRINT: u64 = 357_674;

/// The transposition table of a bench, in mebibytes. The fingerprint depends on this size, so it does not follow the
/// default of the engine.
const HASH_MIB: u32 = 16;

/// Positions from games that this engine played against itself after a few random moves: openings, middlegames and
/// endgames, some of them odd.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r2qkbnr/pp1bpppp/2np4/2p5/Q1PP4/N4NP1/PP2PPBP/R1B1K2R w KQkq - 1 8",
    "rnbqkb1r/4n1pp/2p2p2/pp1pp3/5P2/P1N1P1Q1/1PPP2PP/R1B1KBNR w KQkq d6 0 8",
    "1rbqkb1r/pp2pppp/5n2/2p1p3/8/PPN1P3/R1PP1PPP/2BQKB1R w Kk - 1 8",
    "r1bqk2r/1ppp2pp/p2b1n2/4np2/8/PQP2N1P/1P2PPP1/RNB1KB1R w KQkq - 0 8",
    "r1bq1k1r/ppp1bppp/n3pn2/3p4/5P2/3PNN2/PPP1PKPP/R1BQ1B1R w - - 2 8",
    "1k1r3r/1pqb1Np1/p7/3pPnB1/Pb1P2p1/7P/1P2P3/R2QKB1R w KQ - 3 18",
    "r2q3k/1ppbb3/p1n5/3p1pp1/3PnB2/P2BPN2/1P1N1PP1/2RQ2K1 w - - 0 18",
    "r1q1kb1r/1p1npp2/2pp2p1/4P2p/P2P1Pn1/1QP2NP1/5N1P/R1B2RK1 w k - 1 18",
    "2r2k2/3n4/p2p1nr1/2p1pR1p/8/2NPP3/PP1P3P/R1B1K3 w Q - 1 18",
    "r4rk1/1pqb1pp1/p2pp2p/n1p5/P1PbPP1P/2N1B1P1/1P1QP1B1/R5KR w - - 3 18",
    "1r3rk1/pb1pbp1p/2n1p2q/1Q4p1/2N5/2P1PN1P/1P3PP1/R3KB1R w KQ - 4 18",
    "1r1q1k1r/3bp1b1/p2p2pp/2p1Pp1n/5P2/2NPQ3/PP1PN1PP/R1B2RK1 w - - 4 18",
    "8/5kpp/3Rn3/2p1pp2/2P5/P7/5PPP/1r2BK2 w - - 3 33",
    "q5k1/6p1/2b1p2p/2p1P2Q/2Pp1P2/3P1BP1/r7/1R4K1 w - - 7 33",
    "5k2/3b1p2/p2p4/3q2p1/P2P4/1PB2R2/1K1N4/8 w - - 1 33",
    "3k4/3b4/1r1B2p1/7p/p1PK3P/5P2/2P3P1/4R3 w - - 9 51",
    "2r5/5b2/p1p2Pk1/Pp1pB2p/1P1P2p1/4P1P1/4K3/5R2 w - - 3 51",
    "5b2/5p2/1p3k2/p1p1pP1p/P1P1B1pP/1P2P1P1/5K2/8 w - - 22 51",
    "8/6k1/1pB3p1/pP4Pp/b2qN3/4p3/4R2K/8 w - - 4 51",
    "8/7k/3K3P/5bP1/4rP2/8/8/8 w - - 6 66",
    "2n5/2P5/4p1k1/4B3/2KP4/6P1/8/8 w - - 7 66",
    "8/PR6/6k1/8/rP5p/5Kp1/8/8 w - - 12 66",
    "8/3k4/R7/4P3/4K3/1P6/8/8 w - - 3 66",
];

/// The result of a bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BenchResult {
    /// Nodes of all positions. The same on every machine.
    pub nodes: u64,
    /// Time of the searches.
    pub time: Duration,
}

impl BenchResult {
    /// The nodes per second of the whole bench.
    pub fn nodes_per_second(&self) -> u64 {
        nodes_per_second(self.nodes, self.time)
    }
}

/// Nodes per second. A time below one microsecond counts as one.
pub fn nodes_per_second(nodes: u64, time: Duration) -> u64 {
    let micros = time.as_micros().max(1);
    (u128::from(nodes) * 1_000_000 / micros) as u64
}

/// Searches every position to `depth`, each with empty tables.
///
/// # Errors
/// One of [`POSITIONS`] is not a position, or there is no memory.
pub fn run(preset: &Arc<Preset>, policy: &Arc<Policy>, depth: u32) -> Result<BenchResult, Box<dyn Error>> {
    run_each(preset, policy, depth, Engine::search)
}

/// As [`run`], for reductions written in Rust. Each crate that calls it compiles the search again.
///
/// # Errors
/// As [`run`].
pub fn run_generic<R: Reductions>(
    preset: &Arc<Preset>,
    reductions: &Arc<R>,
    depth: u32,
) -> Result<BenchResult, Box<dyn Error>> {
    run_each(preset, reductions, depth, Engine::search_generic)
}

fn run_each<R: Reductions>(
    preset: &Arc<Preset>,
    reductions: &Arc<R>,
    depth: u32,
    search: fn(&mut Engine<R>, &Game, &Limits, &AtomicBool) -> Report,
) -> Result<BenchResult, Box<dyn Error>> {
    let mut engine = Engine::try_new(Arc::clone(preset), Arc::clone(reductions), HASH_MIB)?;
    let mut outcome = BenchResult {
        nodes: 0,
        time: Duration::ZERO,
    };
    for fen in POSITIONS {
        let game = Game::new(Position::from_fen(fen)?);
        engine.new_game();
        let report = search(&mut engine, &game, &Limits::depth(depth), &AtomicBool::new(false));
        outcome.nodes += report.nodes;
        outcome.time += report.time;
    }
    Ok(outcome)
}
