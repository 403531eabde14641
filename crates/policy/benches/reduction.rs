//! The time that the reduction of a move costs a search, for each shipped policy.
//!
//! One iteration asks about every move of a mixed set of nodes, as a search does. The counter divides by the moves.

use std::path::Path;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use lmrlab_policy::Policy;
use lmrlab_policy::facts::{Fact, Facts, Flags};

fn main() {
    divan::main();
}

/// A move as a search keeps it: integers and one word of flags.
#[derive(Debug, Clone, Copy)]
struct SearchedMove {
    flags: Flags,
    advanced_pawn: bool,
    depth: i32,
    moves_searched: i32,
    quiet_number: i32,
    history: i32,
}

impl Facts for SearchedMove {
    #[inline]
    fn flags(&self) -> Flags {
        self.flags
    }

    #[inline]
    fn boolean(&self, fact: Fact) -> bool {
        fact == Fact::AdvancedPawn && self.advanced_pawn
    }

    #[inline]
    fn number(&self, fact: Fact) -> f64 {
        f64::from(match fact {
            Fact::Depth => self.depth,
            Fact::MovesSearched => self.moves_searched,
            Fact::MoveNumber => self.moves_searched + 1,
            Fact::QuietNumber => self.quiet_number,
            Fact::History => self.history,
            _ => 0,
        })
    }
}

/// Nodes of depths 1 to 8 with 30 moves each, of which a third are captures, a few checks and pawn moves.
fn moves() -> Vec<SearchedMove> {
    let mut state = 1_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 8) % below
    };
    let mut moves = Vec::new();
    for depth in (1..=8).cycle().take(64) {
        let in_check = random(12) == 0;
        let mut quiet_number = 0;
        for moves_searched in 0..30 {
            let capture = if moves_searched < 4 {
                random(2) == 0
            } else {
                random(12) == 0
            };
            quiet_number += i32::from(!capture);
            let pawn = random(4) == 0;
            moves.push(SearchedMove {
                flags: Flags::NONE
                    .with(Fact::Capture, capture)
                    .with(Fact::Quiet, !capture)
                    .with(Fact::GivesCheck, random(20) == 0)
                    .with(Fact::InCheck, in_check)
                    .with(Fact::PawnMove, pawn)
                    .with(Fact::TtMove, moves_searched == 0),
                advanced_pawn: pawn && random(6) == 0,
                depth,
                moves_searched,
                quiet_number,
                history: random(4000) as i32 - 2500,
            });
        }
    }
    moves
}

fn load(name: &str) -> Policy {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../configs/policies")
        .join(format!("{name}.toml"));
    match Policy::load(&path) {
        Ok((policy, _)) => policy,
        Err(diagnostics) => {
            eprintln!("{diagnostics}");
            std::process::exit(1)
        }
    }
}

fn measure(bencher: Bencher<'_, '_>, policy: &Policy) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut plies = 0;
        for facts in &moves {
            plies += black_box(policy).reduction(facts);
        }
        plies
    });
}

#[divan::bench(args = ["none", "mediocre-2007", "micromax-4", "rebel-starter", "madchess-2.0"])]
fn shipped(bencher: Bencher<'_, '_>, name: &str) {
    measure(bencher, &load(name));
}

/// The rule of Mediocre 2007 written by hand: what there is to reach.
#[divan::bench]
fn mediocre_by_hand(bencher: Bencher<'_, '_>) {
    let moves = moves();
    bencher.counter(ItemsCount::new(moves.len())).bench_local(|| {
        let mut plies = 0;
        for facts in &moves {
            let facts = black_box(facts);
            plies += i32::from(
                facts.moves_searched >= 4
                    && facts.depth >= 3
                    && !facts.flags.has(Fact::Capture)
                    && !facts.flags.has(Fact::GivesCheck),
            );
        }
        plies
    });
}

/// A logarithmic scheme with a history term.
#[divan::bench]
fn logarithmic(bencher: Bencher<'_, '_>) {
    let text = r#"
name = "log"
when = "depth >= 3 and moves_searched >= 3 and quiet and not in_check"
reduce = "base + ln(depth) * ln(move_number) / divisor - history / 5000"
history = { model = "rebel" }
[param]
base = { value = 0.33, min = 0.0, max = 1.5 }
divisor = { value = 2.25, min = 1.2, max = 4.0 }
"#;
    let source = lmrlab_diagnostics::Source::new("log.toml", text);
    if let Ok((policy, _)) = Policy::compile(source) {
        measure(bencher, &policy);
    }
}
