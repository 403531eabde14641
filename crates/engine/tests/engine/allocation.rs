//! A search allocates no memory after its start.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::reference::PolicyReference;

/// How often a search to `depth` asks for memory, its report included.
fn allocations(policy: &str, fen: &str, depth: u32) -> u64 {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let reference: PolicyReference = policy.parse().unwrap();
    let (policy, _) = reference.resolve(&root).unwrap();
    let mut engine = Engine::new(Arc::new(Preset::default()), Arc::new(policy), 8);
    let game = Game::new(Position::from_fen(fen).unwrap());
    let (limits, stop) = (Limits::depth(depth), AtomicBool::new(false));
    let count = allocation_counter::measure(|| {
        let report = engine.search(&game, &limits, &stop);
        assert!(report.nodes > 0);
    });
    count.count_total
}

#[test]
fn a_deep_search_asks_for_memory_no_more_often_than_a_shallow_one() {
    for policy in ["none", "house", "rebel-advanced", "glaurung-2.2", "madchess-2.0"] {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        ] {
            let (shallow, deep) = (allocations(policy, fen, 1), allocations(policy, fen, 9));
            assert_eq!(shallow, deep, "{policy} {fen}");
            // The keys of the line, and the principal variation.
            assert!(deep <= 2, "{deep}");
        }
    }
}
