//! What does a policy from TOML cost against the same scheme written by hand in Rust, in the same search?
//!
//!     cargo bench -p lmrlab-engine --bench policy_overhead                # paired times
//!     cargo bench -p lmrlab-engine --bench policy_overhead -- micromax-4 hand 6    # one side once, for callgrind
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

use lmrlab_engine::bench::{self, Outcome};
use lmrlab_engine::preset::Preset;
use lmrlab_engine::reductions::Reductions;
use lmrlab_policy::Policy;
use lmrlab_policy::diagnostic::Source;
use lmrlab_policy::facts::{Fact, FactSet, Facts};
use lmrlab_policy::history::{History, HistoryModel};
use lmrlab_policy::research::{Ladder, Research, Trigger};

const DEPTH: u32 = 8;
const PAIRS: usize = 21;

const MICROMAX: &str = include_str!("../../../configs/policies/micromax-4.toml");
const REBEL: &str = include_str!("../../../configs/policies/rebel-starter.toml");
const LOGARITHMIC: &str = r#"
name   = "logarithmic"
when   = "depth >= 3 and moves_searched >= 3 and quiet and not in_check and not gives_check"
reduce = "0.33 + ln(depth) * ln(move_number) / 2.25"
[finish]
floor = 1
"#;

fn main() {
    let arguments: Vec<String> = std::env::args()
        .skip(1)
        .filter(|word| word != "--bench")
        .collect();
    let once = |scheme: &str| match &arguments[..] {
        [] => None,
        [name, side, depth] if name == scheme => Some((side.clone(), depth.parse().unwrap())),
        _ => Some((String::new(), 0)),
    };
    compare("micromax-4", MICROMAX, &Micromax, once("micromax-4"));
    compare(
        "logarithmic",
        LOGARITHMIC,
        &Logarithmic::new(),
        once("logarithmic"),
    );
    compare("rebel-starter", REBEL, &Rebel, once("rebel-starter"));
}

fn compare<R: Reductions + Clone>(name: &str, text: &str, hand: &R, once: Option<(String, u32)>) {
    let policy = Arc::new(Policy::compile(Source::new(name, text)).unwrap().0);
    let hand = Arc::new(hand.clone());
    let preset = Arc::new(Preset::default());
    match once {
        Some((side, depth)) if side == "hand" => {
            println!(
                "{name} by hand: {} nodes",
                search(&preset, &hand, depth).nodes
            );
        }
        Some((side, depth)) if side == "policy" => {
            println!(
                "{name} as policy: {} nodes",
                search(&preset, &policy, depth).nodes
            );
        }
        Some(_) => {}
        None => {
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
                    assert_eq!(a.nodes, b.nodes, "{name}: the trees differ");
                    b.time.as_secs_f64() / a.time.as_secs_f64()
                })
                .collect();
            ratios.sort_by(f64::total_cmp);
            println!(
                "{name}: policy / hand = {:.4} (median of {PAIRS} pairs; quartiles {:.4} and {:.4})",
                ratios[PAIRS / 2],
                ratios[PAIRS / 4],
                ratios[3 * PAIRS / 4]
            );
        }
    }
}

fn search<R: Reductions>(preset: &Arc<Preset>, reductions: &Arc<R>, depth: u32) -> Outcome {
    black_box(bench::run(preset, reductions, depth, |_, _| {}).unwrap())
}

macro_rules! plain {
    () => {
        fn depth_change<F: Facts>(&self, _: &F) -> i32 {
            0
        }

        fn never_reduces(&self) -> bool {
            false
        }

        fn reach(&self) -> (i32, i32) {
            self.least()
        }

        fn needs(&self) -> FactSet {
            FactSet::default()
        }
    };
}

/// A whole number among the facts.
fn whole<F: Facts>(facts: &F, fact: Fact) -> i32 {
    facts.number(fact) as i32
}

#[derive(Clone)]
struct Micromax;

impl Micromax {
    fn least(&self) -> (i32, i32) {
        (4, 1)
    }
}

impl Reductions for Micromax {
    plain!();

    #[inline]
    fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        let flags = facts.flags();
        let exempt =
            flags.has(Fact::PawnMove) || flags.has(Fact::Capture) || flags.has(Fact::TtMove);
        let late = whole(facts, Fact::Depth) >= 4 && whole(facts, Fact::MovesSearched) > 0;
        i32::from(!exempt && late)
    }

    fn research(&self) -> Research {
        Research {
            ladder: Ladder::StepUp,
            trigger: Trigger::AboveOriginalAlpha,
            ..Research::default()
        }
    }

    fn history(&self) -> Option<&History> {
        None
    }
}

#[derive(Clone)]
struct Logarithmic {
    table: Vec<[i32; 256]>,
}

impl Logarithmic {
    fn least(&self) -> (i32, i32) {
        (3, 3)
    }

    fn new() -> Self {
        let cell = |depth: usize, number: usize| {
            if depth == 0 || number == 0 {
                return 0;
            }
            (0.33 + (depth as f64).ln() * (number as f64).ln() / 2.25) as i32
        };
        Self {
            table: (0..128)
                .map(|depth| std::array::from_fn(|number| cell(depth, number)))
                .collect(),
        }
    }
}

impl Reductions for Logarithmic {
    plain!();

    #[inline]
    fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        let flags = facts.flags();
        let (depth, searched) = (whole(facts, Fact::Depth), whole(facts, Fact::MovesSearched));
        if depth < 3
            || searched < 3
            || !flags.has(Fact::Quiet)
            || flags.has(Fact::InCheck)
            || flags.has(Fact::GivesCheck)
        {
            return 0;
        }
        let reduction = self.table[depth as usize][searched as usize + 1];
        reduction.min(depth - 2).max(0)
    }

    fn research(&self) -> Research {
        Research::default()
    }

    fn history(&self) -> Option<&History> {
        None
    }
}

#[derive(Clone)]
struct Rebel;

impl Rebel {
    fn least(&self) -> (i32, i32) {
        (3, 3)
    }
}

impl Reductions for Rebel {
    plain!();

    #[inline]
    fn reduction<F: Facts>(&self, facts: &F) -> i32 {
        let flags = facts.flags();
        let depth = whole(facts, Fact::Depth);
        if depth < 3
            || whole(facts, Fact::MovesSearched) < 3
            || [
                Fact::TtMove,
                Fact::Capture,
                Fact::QueenPromotion,
                Fact::InCheck,
                Fact::GivesCheck,
            ]
            .into_iter()
            .any(|fact| flags.has(fact))
            || facts.boolean(Fact::AdvancedPawn)
        {
            return 0;
        }
        let mut reduction = 1;
        if !flags.has(Fact::Root) {
            let history = whole(facts, Fact::History);
            reduction += i32::from(history < -500) + i32::from(history < -1500);
        }
        reduction.min(depth - 1)
    }

    fn research(&self) -> Research {
        Research::default()
    }

    fn history(&self) -> Option<&History> {
        const HISTORY: History = History {
            model: HistoryModel::Rebel {
                ply_limit: 8,
                bound: 2000,
            },
            orders_moves: false,
        };
        Some(&HISTORY)
    }
}
