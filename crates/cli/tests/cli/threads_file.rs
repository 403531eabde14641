//! A file pauses a run in progress, continues it and changes its threads.

use std::process::Stdio;
use std::time::Duration;

use crate::scratch::{Scratch, misbehaving_engine, wait_until};

#[test]
fn a_run_pauses_and_goes_on_and_its_results_stay_the_same() {
    let scratch = Scratch::new();
    // It takes its time, and no processor.
    let slow = misbehaving_engine();
    scratch.write(
        "slow.toml",
        &format!(
            r#"
name = "slow"
format = "match"
pairs = 12
hash_mib = 1
[openings]
file = "positions/openings.epd"
[limit]
nodes = 100
[adjudication]
max_moves = 6
[[engine]]
name = "slow"
command = {slow:?}
args = ["late", "--ms", "40"]
[[engine]]
name = "fast"
command = {slow:?}
args = ["behave"]
"#
        ),
    );
    let mut child = scratch
        .background("run slow.toml --threads 2 --out steered")
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| scratch.line_count("steered/games.csv") > 2);
    scratch.write("steered/threads", "0\n");
    // Within a second the file is read, and the running pairs end.
    std::thread::sleep(Duration::from_millis(2_000));
    let paused_at = scratch.line_count("steered/games.csv");
    std::thread::sleep(Duration::from_millis(1_000));
    assert_eq!(scratch.line_count("steered/games.csv"), paused_at);
    assert!(paused_at < 25, "the run ended before it was paused");
    scratch.write("steered/threads", "many");
    std::thread::sleep(Duration::from_millis(1_200));
    scratch.write("steered/threads", "2");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut text).unwrap();
    assert!(child.wait().unwrap().success(), "{text}");
    for expected in [
        "threads: paused after the running pairs\n",
        "has `many`, which is no number from 0 (a pause) to ",
        "threads: plays with 2 threads from now on\n",
    ] {
        assert!(text.contains(expected), "{expected} is not in {text}");
    }
    scratch.done("run slow.toml --threads 8 --out plain");
    assert_eq!(scratch.read("steered/games.csv"), scratch.read("plain/games.csv"));
}
