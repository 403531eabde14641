//! No engine outlives the run that started it.

use std::time::Duration;

use super::processes::{assert_nothing_left, with_mark};
use super::trouble::{engine, gauntlet};
use crate::scratch::{Scratch, kill, wait_until};

#[test]
fn engines_end_with_a_run_that_is_killed() {
    let scratch = Scratch::new();
    let engines = [
        engine("hub", "behave"),
        engine("deaf", "ignore-quit --search 1"),
        engine("hung", "hang-in-search"),
    ];
    let text = gauntlet("nodes = 100", &engines)
        .replace("pairs = 1", "pairs = 100000")
        .replace("answer_ms = 1500", "answer_ms = 60000");
    scratch.write("trouble.toml", &text);
    let mark = format!("LMRLAB_TEST_RUN={}", scratch.path("").display());
    // Killed while its engines are being started, at one moment and another, and when they all are there.
    for processes in [3, 5, 8, 12] {
        let child = scratch
            .background("run trouble.toml --quiet --force --out out")
            .env("LMRLAB_TEST_RUN", scratch.path(""))
            .spawn()
            .unwrap();
        wait_until(|| with_mark(&mark).len() >= processes);
        kill(child);
        assert_nothing_left(&mark);
    }
}

/// What `lmrlab start-engine` prints for this command and this input.
fn started(command: &[&str], input: &'static str) -> (String, String) {
    let output = assert_cmd::Command::new(env!("CARGO_BIN_EXE_lmrlab"))
        .arg("start-engine")
        .args(command)
        .write_stdin(input)
        .timeout(Duration::from_secs(20))
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (text(output.stdout), text(output.stderr))
}

#[test]
fn an_engine_starts_only_once_the_guard_knows_of_it() {
    // What follows the byte is the engine's, to the last line.
    let (printed, errors) = started(&["cat", "-u"], "\nuci\nisready\n");
    assert_eq!((&*printed, &*errors), ("uci\nisready\n", ""));
    // The run has ended before it said that the guard knows.
    let (printed, errors) = started(&["echo", "here"], "");
    assert_eq!((&*printed, &*errors), ("", ""));
}
