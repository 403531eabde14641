//! `lmrlab ablate`, `sweep`, `factorial` and `trial` that were interrupted or killed, and go on.

use crate::scratch::{Scratch, kill, wait_until};

/// Two rules and a parameter.
pub(crate) const POLICY: &str = r#"
name = "small"
when = "depth >= 3 and moves_searched >= 2 and quiet"
reduce = "base + ln(depth) * ln(move_number) / 2"
[param]
base = { value = 0.5, min = 0.0, max = 2.0 }
[[rule]]
name = "check"
when = "gives_check"
add = "-1"
[[rule]]
name = "late"
when = "moves_searched >= 6"
add = "1"
"#;

const SUITE: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"mate\";\n\
    r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5Q2/PPPP1PPP/RNB1K1NR w KQkq - bm Qxf7#; id \"scholar\";\n";

const CONDITIONS: [&str; 15] = [
    "--positions",
    "suite.epd",
    "--depth",
    "5",
    "--pairs",
    "8",
    "--match-nodes",
    "300",
    "--hash",
    "1",
    "--openings",
    "positions/openings.epd",
    "--seed",
    "3",
    "--quiet",
];

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("small.toml", POLICY);
    scratch.write("suite.epd", SUITE);
    scratch
}

fn ablate() -> Vec<&'static str> {
    [
        &[
            "ablate",
            "small.toml",
            "--pairs-of-rules",
            "--suite",
            "suite.epd",
            "--suite-nodes",
            "400",
        ],
        &CONDITIONS[..],
    ]
    .concat()
}

fn sweep() -> Vec<&'static str> {
    [
        &[
            "sweep",
            "small.toml",
            "--over",
            "base=0:1:0.5",
            "--measures",
            "nodes,elo",
        ],
        &CONDITIONS[..],
    ]
    .concat()
}

fn factorial() -> Vec<&'static str> {
    [&["factorial", "small.toml", "--switches", "null_move"], &CONDITIONS[..]].concat()
}

fn trial() -> Vec<&'static str> {
    vec![
        "trial",
        "small.toml",
        "--change",
        "base=0.6",
        "--search=-null_move",
        "--pairs",
        "16",
        "--nodes",
        "300",
        "--hash",
        "1",
        "--openings",
        "positions/openings.epd",
        "--quiet",
    ]
}

/// Kills a command as soon as so many results are kept.
fn killed(scratch: &Scratch, words: &[&str], file: &str, results: usize) {
    let journal = format!("{file}.unfinished/results.csv");
    let child = scratch.background(words).spawn().unwrap();
    wait_until(|| scratch.line_count(&journal) > results);
    kill(child);
    assert!(scratch.line_count(&journal) > results, "killed before it was finished");
}

#[test]
fn a_killed_comparison_goes_on_to_the_same_files() {
    for (command, others) in [
        (ablate(), vec![]),
        (sweep(), vec![]),
        (factorial(), vec!["--cells", "cells.csv"]),
        (trial(), vec![]),
    ] {
        let scratch = project();
        let named = |file| [&command[..], &others, &["--csv", file]].concat();
        let shown = scratch.done(&named("whole.csv"));
        assert!(!scratch.path("whole.csv.unfinished").exists());
        let cells = others.get(1).map(|name| scratch.read(name));
        if let Some(name) = others.get(1) {
            std::fs::remove_file(scratch.path(name)).unwrap();
        }

        let begun = [&named("killed.csv")[..], &["--threads", "1"]].concat();
        killed(&scratch, &begun, "killed.csv", 3);
        let complaint = scratch.refused(&begun);
        assert!(
            complaint.contains("`killed.csv.unfinished` holds a run that was interrupted")
                && complaint.contains("--resume goes on with it, --force begins again"),
            "{complaint}"
        );
        let goes_on = [&named("killed.csv")[..], &["--resume", "--threads"]].concat();
        let kept = scratch.line_count("killed.csv.unfinished/results.csv");
        killed(&scratch, &[&goes_on[..], &["2"]].concat(), "killed.csv", kept + 9);
        assert_eq!(scratch.done(&[&goes_on[..], &["1"]].concat()), shown);
        assert_eq!(scratch.read("killed.csv"), scratch.read("whole.csv"), "{command:?}");
        assert_eq!(others.get(1).map(|name| scratch.read(name)), cells);
        assert!(!scratch.path("killed.csv.unfinished").exists());
    }
}

/// No search and no game is done again: what is kept is believed.
#[test]
fn what_is_kept_is_not_measured_again() {
    let scratch = project();
    let named = [&sweep()[..], &["--csv", "rows.csv"]].concat();
    killed(&scratch, &[&named[..], &["--threads", "1"]].concat(), "rows.csv", 4);
    let path = "rows.csv.unfinished/results.csv";
    let journal = scratch.read(path);
    let line = journal.lines().nth(1).unwrap();
    assert!(line.starts_with("1,nodes,0,"), "{line}");
    scratch.write(path, &journal.replace(line, "1,nodes,0,1234567"));
    let complaint = scratch.refused(&[&named[..], &["--resume"]].concat());
    assert!(
        complaint.contains(&format!("line 2 of `{path}` was edited")),
        "{complaint}"
    );
    std::fs::remove_file(scratch.path("rows.csv.unfinished/journal.sha256")).unwrap();
    scratch.done(&[&named[..], &["--resume"]].concat());
    scratch.done(&[&sweep()[..], &["--csv", "whole.csv"]].concat());
    assert_ne!(
        scratch.read("rows.csv"),
        scratch.read("whole.csv"),
        "the ratios are to other nodes"
    );
}

#[test]
fn only_the_same_comparison_goes_on() {
    let scratch = project();
    let named = [&sweep()[..], &["--csv", "rows.csv"]].concat();
    let complaint = scratch.refused(&[&named[..], &["--resume"]].concat());
    assert!(
        complaint.contains("there is no interrupted run to go on with in `rows.csv.unfinished`"),
        "{complaint}"
    );
    let complaint = scratch.refused(&[&sweep()[..], &["--resume"]].concat());
    assert!(complaint.contains("no file is named"), "{complaint}");
    killed(&scratch, &[&named[..], &["--threads", "1"]].concat(), "rows.csv", 4);

    let goes_on = [&named[..], &["--resume"]].concat();
    for (from, to, told) in [
        ("3", "4", "--openings, --pairs, --match-nodes or --seed"),
        ("5", "6", "the positions or --depth"),
        ("1", "2", "the policy, the preset or --hash"),
        ("base=0:1:0.5", "base=0:1:0.25", "the rows"),
        ("nodes,elo", "nodes", "--measures"),
    ] {
        let words: Vec<&str> = goes_on
            .iter()
            .map(|word| if *word == from { to } else { word })
            .collect();
        let complaint = scratch.refused(&words);
        let told = format!("`rows.csv.unfinished` holds another comparison; what differs: {told}");
        assert!(complaint.contains(&told), "{complaint}");
    }
    scratch.write("small.toml", &POLICY.replace("add = \"-1\"", "add = \"-2\""));
    let complaint = scratch.refused(&goes_on);
    assert!(
        complaint.contains("what differs: the policy, the preset or --hash"),
        "{complaint}"
    );
    scratch.write("small.toml", POLICY);
    for words in [["resume", "rows.csv.unfinished"], ["show", "rows.csv.unfinished"]] {
        let complaint = scratch.refused(&words);
        assert!(
            complaint.contains("holds a comparison that was interrupted"),
            "{complaint}"
        );
        assert!(
            complaint.contains("go on with it by `lmrlab sweep small.toml --over base=0:1:0.5"),
            "{complaint}"
        );
        assert!(
            complaint.contains("--csv rows.csv --threads 1 --resume`"),
            "{complaint}"
        );
    }
    // Another one may begin in its place.
    scratch.done(&[&named[..], &["--force"]].concat());
    assert!(!scratch.path("rows.csv.unfinished").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    use crate::scratch::signal;
    use std::process::Stdio;

    let scratch = project();
    scratch.done(&[&factorial()[..], &["--cells", "whole.csv"]].concat());
    let named = [&factorial()[..], &["--cells", "cells.csv"]].concat();
    let child = scratch
        .background(&named)
        .args(["--threads", "1"])
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(|| scratch.line_count("cells.csv.unfinished/results.csv") > 12);
    assert!(signal(&child, "INT"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    let rows = scratch.line_count("cells.csv") - 1;
    let told = format!(
        "Interrupted after {rows} of 4 combinations; they are in cells.csv. The same command with --resume goes on.\n"
    );
    assert!(said.contains(&told), "{said}");
    assert!(rows < 4);
    let whole = scratch.read("whole.csv");
    assert!(whole.starts_with(&scratch.read("cells.csv")));
    scratch.done(&[&named[..], &["--resume"]].concat());
    assert_eq!(scratch.read("cells.csv"), whole);
}
