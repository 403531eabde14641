//! The shipped policies in real searches: every reduction is compared with the scheme written by hand.

#![allow(
    clippy::approx_constant,
    reason = "3.14 is a published number that a tuner found, not a rough pi"
)]

mod fruit_toga;
mod glaurung;
mod ladders;
mod madchess;
mod mediocre;
mod micromax;
mod rebel;
mod relative_history;
mod scheme;
mod senpai;
mod stockfish;
mod stockfish_today;
mod watch;
mod wiki;

use self::watch::{POSITIONS, root, search, shipped};

#[test]
fn every_shipped_policy_repeats_itself() {
    let names = lmrlab_diagnostics::Files::on_disk().toml_names(&root().join("configs/policies"));
    assert!(names.len() >= 30, "{names:?}");
    for name in &names {
        for fen in [POSITIONS[1], POSITIONS[2]] {
            let policy = shipped(name);
            let (a, b) = (search(&policy, fen, 5), search(&policy, fen, 5));
            assert!(a.nodes > 0 && a.best.is_some(), "{name}");
            assert_eq!((a.nodes, a.score, a.pv), (b.nodes, b.score, b.pv), "{name}");
        }
    }
}
