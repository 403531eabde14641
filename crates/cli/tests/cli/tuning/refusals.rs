//! Runs and words that are wrong, edited or of another version.

use super::RUN;
use crate::scratch::{OPENINGS, Scratch};

#[test]
fn a_changed_journal_is_refused_and_a_changed_policy_is_reported() {
    let scratch = Scratch::new();
    scratch.write("run.toml", RUN);
    scratch.done("tune run.toml --out out --no-gate --quiet");
    let journal = scratch.read("out/games.csv");
    let row = journal.lines().nth(3).unwrap();
    let edited = journal.replace(row, &row.replace(",divisor=", ",divisor=2"));
    assert_ne!(edited, journal);
    scratch.write("out/games.csv", &edited);
    let complaint = scratch.refused("resume out");
    assert!(
        complaint.contains("line 4 of `out/games.csv` was edited"),
        "{complaint}"
    );
    let digests = scratch.read("out/journal.sha256");
    scratch.write("out/journal.sha256", "");
    let complaint = scratch.refused("resume out");
    assert!(
        complaint.contains("line 5 of `out/games.csv` is not the game that this run has there"),
        "{complaint}"
    );
    scratch.write("out/journal.sha256", &digests);
    scratch.write("out/games.csv", &journal);
    let policy = scratch.read("configs/policies/logarithm.toml");
    scratch.write(
        "configs/policies/logarithm.toml",
        &policy.replace("depth >= 3", "depth >= 4"),
    );
    let goes_on = scratch.lmrlab("resume out").assert().success();
    let warnings = String::from_utf8_lossy(&goes_on.get_output().stderr).into_owned();
    assert!(
        warnings.contains("`configs/policies/logarithm.toml` has changed since the run began"),
        "{warnings}"
    );
    let shown = scratch.done("show out");
    let printed = String::from_utf8_lossy(&goes_on.get_output().stdout).into_owned();
    assert!(printed.contains(&shown), "{shown} in {printed}");
    let openings = scratch.read(OPENINGS);
    scratch.write(OPENINGS, &format!("{openings}\n# another line\n"));
    let complaint = scratch.refused("resume out");
    assert!(complaint.contains("has changed since the run began"), "{complaint}");
}

/// A policy that cannot be used makes no key of the file unknown.
#[test]
fn a_bad_policy_is_the_only_error() {
    let scratch = Scratch::new();
    scratch.write(
        "bad.toml",
        "name = 'bad'\nwhen = 'quiett'\nreduce = 'x'\n[param]\nx = { value = 1.0, min = 0.0, max = 2.0 }\n",
    );
    let more = "[[parameter]]\nname = 'x'\n";
    let file = "name = 'run'\npairs = 8\nopenings = { file = 'positions/openings.epd' }\n\
                limit = { nodes = 50 }\n[engine]\npolicy = 'bad.toml'\n";
    scratch.write("run.toml", &format!("{file}{more}"));
    let said = scratch.refused("tune run.toml");
    assert!(said.contains("nothing is called `quiett`"), "{said}");
    assert!(!said.contains("unknown key"), "{said}");
}
