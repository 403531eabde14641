//! The cost of a policy from TOML against the same scheme written by hand in Rust, in the same search.
//!
//!     cargo bench -p lmrlab-engine --bench policy_overhead                # paired times
//!     cargo bench -p lmrlab-engine --bench policy_overhead -- hand 6               # one side once, for callgrind
//!
//! Both sides search the same trees: their node counts must agree. Times are taken in turns, so that a busy machine slows
//! both alike; the ratio of each pair is what counts.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark that cannot run should say so at once"
)]

use std::hint::black_box;
use std::sync::Arc;

use lmrlab_diagnostics::Source;
use lmrlab_engine::bench::{self, BenchResult};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::reductions::Reductions;
use lmrlab_policy::Policy;

mod by_hand;

use by_hand::RebelAdvanced;

const DEPTH: u32 = 7;
const PAIRS: usize = 81;

const REBEL: &str = include_str!("../../../../configs/policies/rebel-advanced.toml");

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let policy = Arc::new(Policy::compile(Source::new("rebel-advanced", REBEL)).unwrap().0);
    let (hand, preset) = (Arc::new(RebelAdvanced::new()), Arc::new(Preset::default()));
    if let [side, depth] = &arguments[..] {
        let depth = depth.parse().unwrap();
        let result = match side.as_str() {
            "hand" => search(&preset, &hand, depth),
            _ => search(&preset, &policy, depth),
        };
        println!("{side}: {} nodes", result.nodes);
        return;
    }
    let mut ratios: Vec<f64> = (0..PAIRS)
        .map(|pair| {
            // Whoever goes first pays for what the other left in the caches; they take turns.
            let (a, b) = if pair % 2 == 0 {
                let a = search(&preset, &hand, DEPTH);
                (a, search(&preset, &policy, DEPTH))
            } else {
                let b = search(&preset, &policy, DEPTH);
                (search(&preset, &hand, DEPTH), b)
            };
            assert_eq!(a.nodes, b.nodes, "the trees differ");
            b.time.as_secs_f64() / a.time.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "rebel-advanced: policy / hand = {:.4} (median of {PAIRS} pairs; quartiles {:.4} and {:.4})",
        ratios[PAIRS / 2],
        ratios[PAIRS / 4],
        ratios[3 * PAIRS / 4]
    );
}

fn search<R: Reductions>(preset: &Arc<Preset>, reductions: &Arc<R>, depth: u32) -> BenchResult {
    black_box(bench::run_generic(preset, reductions, depth).unwrap())
}
