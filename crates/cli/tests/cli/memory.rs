//! Transposition tables that do not fit, and threads that have nothing to do.

use std::process::Command;

use crate::scratch::Scratch;

const MATCH: &str = "match none none --nodes 50 --pairs 2 --out out";

/// Runs lmrlab with at most so much address space; nothing may be written. Returns what it says.
fn refused_within(kib: u64, scratch: &Scratch, words: &str) -> String {
    let program = env!("CARGO_BIN_EXE_lmrlab");
    let before = scratch.files();
    let output = Command::new("bash")
        .current_dir(scratch.path("."))
        .args(["-c", &format!("ulimit -v {kib}; exec {program} \"$@\""), "lmrlab"])
        .args(words.split(' '))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(scratch.files(), before);
    String::from_utf8(output.stderr).unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn tables_that_do_not_fit_are_refused_before_the_first_game() {
    let scratch = Scratch::new();
    let within = |words: &str| refused_within(1_500_000, &scratch, words);
    let message = within(&format!("{MATCH} --threads 2 --hash 512"));
    let expected = "the transposition tables take 2048 MiB (2 threads x 2 engines x 512 MiB)";
    assert!(message.contains(expected), "{message}");
    let message = within("bench none --depth 2 --threads 1 --hash 4096");
    assert!(
        message.contains("take 4096 MiB (1 thread x 1 engine x 4096 MiB)"),
        "{message}"
    );
    scratch.write(
        "run.toml",
        "name = \"run\"\npairs = 60\nhash_mib = 512\nthreads = 2\nopenings = { file = \"positions/openings.epd\" }\n\
         limit = { nodes = 100 }\nengine = { policy = \"logarithm@base=1.5\" }\n",
    );
    let message = within("tune run.toml --out out");
    assert!(message.contains("take 2048 MiB"), "{message}");
}
