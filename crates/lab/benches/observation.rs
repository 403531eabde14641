//! What does it cost to watch a search?
//!
//!     cargo bench -p lmrlab-lab --bench observation            # all policies
//!     cargo bench -p lmrlab-lab --bench observation -- house   # one
//!
//! Plain and watched searches of the bench's positions in turns, so that a busy machine slows both alike; the ratio of each
//! pair's nodes per second is what counts.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a benchmark that cannot run should say so at once"
)]

use std::path::Path;
use std::time::Duration;

use lmrlab_engine::engine::Report;
use lmrlab_lab::bench::bench_position;
use lmrlab_lab::positions::{LabPosition, PositionSet};
use lmrlab_lab::profile::{ProfileOptions, profiler};
use lmrlab_lab::search::{SearchLimit, search, search_observed};
use lmrlab_lab::variant::Variant;
use lmrlab_policy::PolicyReference;

const LIMIT: SearchLimit = SearchLimit::Depth(10);
const PAIRS: usize = 15;

fn main() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| word != "--bench").collect();
    let all = ["house", "mediocre-2007", "rebel-advanced"].map(str::to_owned);
    for name in if wanted.is_empty() { &all[..] } else { &wanted } {
        let reference: PolicyReference = name.parse().unwrap_or_else(|error| panic!("{error}"));
        let (policy, _) = reference.resolve(&root).unwrap_or_else(|error| panic!("{error}"));
        let variant = Variant::new(name.as_str(), policy);
        compare(&variant, "bench", |variant, position| {
            bench_position(variant, position, LIMIT).report
        });
        let options = ProfileOptions::default();
        compare(
            &variant,
            &format!("profile at rate {}", options.rate),
            |variant, position| {
                let mut observed = profiler(&variant.policy, 0, &options);
                search_observed(variant, &position.position, &LIMIT.limits(), &mut observed)
            },
        );
    }
}

fn compare(variant: &Variant, what: &str, watched: impl Fn(&Variant, &LabPosition) -> Report) {
    let set = PositionSet::bench().unwrap_or_else(|error| panic!("{error}"));
    // Position by position: the two searches of a pair are milliseconds apart.
    let mut ratios: Vec<f64> = (0..PAIRS)
        .map(|pair| {
            let (mut without, mut with) = (Duration::ZERO, Duration::ZERO);
            for (index, position) in set.positions.iter().enumerate() {
                let plain = || search(variant, &position.position, &LIMIT.limits());
                let watched = || watched(variant, position);
                let (a, b) = if (pair + index) % 2 == 0 {
                    let a = plain();
                    (a, watched())
                } else {
                    let b = watched();
                    (plain(), b)
                };
                assert_eq!(a.nodes, b.nodes, "{}: the trees differ", variant.name);
                without += a.time;
                with += b.time;
            }
            without.as_secs_f64() / with.as_secs_f64()
        })
        .collect();
    ratios.sort_by(f64::total_cmp);
    println!(
        "{}: {what} / plain = {:.3} nodes per second (median of {PAIRS} pairs; quartiles {:.3} and {:.3})",
        variant.name,
        ratios[PAIRS / 2],
        ratios[PAIRS / 4],
        ratios[3 * PAIRS / 4]
    );
}
