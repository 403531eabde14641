//! Options of a UCI program.

use super::run;
use crate::scratch::{Scratch, misbehaving_engine};

/// A run that tunes the option `Hash` of the misbehaving engine.
fn program(words: &str, more: &str) -> String {
    let engine = format!("command = {:?}\nargs = [{words}]\n{more}", misbehaving_engine());
    let parameter = "[[parameter]]\nname = \"Hash\"\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n";
    run("").replace("policy = \"logarithm@base=1.5,divisor=1.2\"", &engine) + parameter
}

#[test]
fn options_of_a_program_are_tuned() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let external = run("").replace(
        "policy = \"logarithm@base=1.5,divisor=1.2\"",
        &format!("command = \"{program}\"\nargs = [\"behave\"]"),
    );
    scratch.write("run.toml", &external);
    let complaint = scratch.refused("tune run.toml");
    assert!(complaint.contains("there is nothing to tune"), "{complaint}");
    scratch.write("run.toml", &format!("{external}[[parameter]]\nname = \"Hsh\"\n"));
    let complaint = scratch.refused("tune run.toml");
    assert!(complaint.contains("the engine has no spin option `Hsh`"), "{complaint}");
    assert!(complaint.contains("did you mean `Hash`?"), "{complaint}");
    let parameter = "[[parameter]]\nname = \"Hash\"\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n";
    let short = external.replace("pairs = 60", "pairs = 6");
    scratch.write("run.toml", &format!("{short}{parameter}"));
    let said = scratch.done("tune run.toml --out out");
    assert!(said.contains("Nothing plays significantly better"), "{said}");
    let journal = scratch.read("out/tuning.csv");
    assert!(
        journal.starts_with("pair,opening,first_game,second_game,first_faults,second_faults,first:Hash,second:Hash\n")
    );
    assert_eq!(journal.lines().count(), 7);
}

/// The limit on open files is the runner's: nothing is wrong with the plan, also when a program cannot be asked for its options.
#[cfg(unix)]
#[test]
fn a_machine_without_files_is_no_wrong_input() {
    let scratch = Scratch::new();
    scratch.write("run.toml", &program("\"behave\"", ""));
    let mut not_started = 0;
    for files in 4..=12 {
        let script = format!(
            "ulimit -n {files}; '{}' tune run.toml --quiet",
            env!("CARGO_BIN_EXE_lmrlab")
        );
        let mut command = std::process::Command::new("sh");
        command.args(["-c", &script]).current_dir(scratch.path(""));
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        if said.contains("could not be started") {
            assert_eq!(output.status.code(), Some(1), "{files}: {said}");
            not_started += 1;
        }
    }
    assert!(not_started > 0);
}

/// The first match is decided early, which must not end the second.
#[test]
fn a_gain_is_proven_by_both_final_matches() {
    let scratch = Scratch::new();
    let gate = "pairs = 20\nsprt = { elo0 = 0.0, elo1 = 100.0 }";
    scratch.write(
        "run.toml",
        &program("\"behave\", \"--needs-hash\"", "").replace("pairs = 4", gate),
    );
    let said = scratch.done("tune run.toml --out out --threads 1");
    assert!(said.contains("The gain is proven at both limits."), "{said}");
    let games = scratch.journal("out/gate-1/games.csv");
    assert!(games.len() < 40, "{} games", games.len());
    assert!(scratch.read("out/result.toml").contains("verdict = \"gain\""));
}
