//! Runs and words that are wrong, edited or of another version.

use super::{RUN, run};
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

#[test]
fn wrong_input_is_named() {
    let scratch = Scratch::new();
    let complaint = |tables: &str, change: &str| {
        scratch.write("run.toml", &format!("{}{tables}", run(change)));
        scratch.refused("tune run.toml")
    };
    for (tables, change, wanted) in [
        ("[[parameter]]\nname = \"bse\"", "", "did you mean `base`?"),
        (
            "[[parameter]]\nname = \"base\"\nmin = 1.0\nmax = 0.5",
            "",
            "has the bounds 1 and 0.5",
        ),
        (
            "[[parameter]]\nname = \"base\"\nstart = 1.4\nmax = 1.2",
            "",
            "starts at 1.4, outside its bounds 0 and 1.2",
        ),
        (
            "[[parameter]]\nname = \"base\"\nmax = 7",
            "",
            "`base` can only be from 0 to 4",
        ),
        (
            "[[parameter]]\nname = \"futility_margin\"\nstep = 0",
            "",
            "has the step 0, which must be greater than 0",
        ),
        (
            "[[parameter]]\nname = \"base\"\nstep = 1e-200",
            "method = \"spsa\"",
            "has the step 1e-200, too small; a step is at least 1e-100",
        ),
        (
            "[[parameter]]\nname = \"base\"\nstep = 1e308",
            "method = \"spsa\"",
            "`parameter.step` is 1e308, out of range",
        ),
        (
            "[[parameter]]\nname = \"futility_margin\"\nstart = 10.5",
            "",
            "is an integer, but 10.5 is not",
        ),
        (
            "[[parameter]]\nname = \"base\"\n[[parameter]]\nname = \"base\"",
            "",
            "`base` is there twice",
        ),
        ("", "method = \"spas\"", "did you mean"),
        ("", "minutes = 3", "the budget is given twice"),
        ("", "lines = [\"base, 1, 0, 2\"]", "there are 4 columns"),
        (
            "",
            "lines = [\"divisor, int, 2, 3, 4, 1, 0.002\"]",
            "starts at 2, outside its bounds 3 and 4",
        ),
        (
            "",
            "lines = [\"divsor, float, 2, 1, 4, 1, 0.002\"]",
            "did you mean `divisor`?",
        ),
        ("", "pears = 5", "unknown key `pears`"),
        ("[[choice]]\nname = \"a\"", "", "a choice needs `values`"),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"-nul_move\"]",
            "",
            "did you mean `null_move`?",
        ),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"research.ladder=ful\"]",
            "",
            "did you mean `full`?",
        ),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"base=1.0\"]",
            "",
            "changes a parameter that is tuned",
        ),
        (
            "[[choice]]\nname = \"base\"\nvalues = [\"-null_move\"]",
            "",
            "`base` is there twice",
        ),
        (
            "[[choice]]\nname = \"a\"\nvalues = [\"-null_move\"]\nelo = -1.0",
            "",
            "greater than 0",
        ),
    ] {
        let said = complaint(tables, change);
        assert!(said.contains(wanted), "{wanted}: {said}");
    }
}

/// A policy that cannot be used makes no key of the file unknown.
#[test]
fn a_bad_policy_is_the_only_error() {
    let scratch = Scratch::new();
    scratch.write(
        "bad.toml",
        "name = 'bad'\nwhen = 'quiett'\nreduce = 'x'\n[param]\nx = { value = 1.0, min = 0.0, max = 2.0 }\n",
    );
    let more = "[[parameter]]\nname = 'x'\n[[choice]]\nname = 'ladder'\nvalues = ['research.ladder=full']\n";
    let file = "name = 'run'\npairs = 8\nnumbers = true\nopenings = { file = 'positions/openings.epd' }\n\
                limit = { nodes = 50 }\n[engine]\npolicy = 'bad.toml'\n";
    scratch.write("run.toml", &format!("{file}{more}"));
    let said = scratch.refused("tune run.toml");
    assert!(said.contains("nothing is called `quiett`"), "{said}");
    assert!(!said.contains("unknown key"), "{said}");
    // Beside a budget that is missing, too; an unknown key is still reported.
    let file = file.replace("pairs = 8", "paris = 8").replace("bad.toml", "logarithm");
    scratch.write("run.toml", &format!("{file}{more}"));
    let said = scratch.refused("tune run.toml");
    assert!(!said.contains("unknown key `choice`"), "{said}");
    assert!(said.contains("paris"), "{said}");
}
