//! Engines end with a run that is killed, because their input ends.

use super::processes::{assert_nothing_left, with_mark};
use super::trouble::{engine, gauntlet};
use crate::scratch::{Scratch, kill, wait_until};

#[test]
fn engines_end_with_a_run_that_is_killed() {
    let scratch = Scratch::new();
    let engines = ["hub", "one", "other"].map(|name| engine(name, "behave"));
    let text = gauntlet("nodes = 100", &engines).replace("pairs = 1", "pairs = 100000");
    scratch.write("trouble.toml", &text);
    let mark = format!("LMRLAB_TEST_RUN={}", scratch.path("").display());
    let child = scratch
        .background("run trouble.toml --quiet --out out")
        .env("LMRLAB_TEST_RUN", scratch.path(""))
        .spawn()
        .unwrap();
    wait_until(|| with_mark(&mark).len() >= 8);
    kill(child);
    assert_nothing_left(&mark);
}
