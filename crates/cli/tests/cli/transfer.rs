//! `lmrlab transfer`: the matrix, its files, interruptions and refusals.

use crate::scratch::{Scratch, kill, wait_until};

const POLICY: &str = r#"
name = "small"
when = "depth >= 2 and moves_searched >= 2 and quiet"
reduce = "1"
[[rule]]
name = "late"
when = "moves_searched >= 6"
add = "1"
"#;

const CONDITIONS: [&str; 15] = [
    "--presets",
    "minimal,fruit-2005@-killers,-history,standard@hash=2",
    "--nodes",
    "400,100",
    "--pairs",
    "60",
    "--openings",
    "positions/openings.epd",
    "--hash",
    "1",
    "--seed",
    "3",
    "--at",
    "1600",
    "--quiet",
];

fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("small.toml", POLICY);
    scratch
}

/// The command with a file for its cells.
fn transfer<'w>(sides: &[&'w str], file: &'w str) -> Vec<&'w str> {
    [&["transfer"], sides, &CONDITIONS[..], &["--csv", file]].concat()
}

fn cells(csv: &str, columns: &[&str]) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let place = |name: &&str| headers.iter().position(|header| header == *name).unwrap();
    let places: Vec<usize> = columns.iter().map(place).collect();
    let rows = reader.records().map(|row| {
        let row = row.unwrap();
        places.iter().map(|place| row[*place].to_owned()).collect()
    });
    rows.collect()
}

const COUNTS: [&str; 5] = ["n_ll", "n_ld", "n_dd_wl", "n_wd", "n_ww"];

#[test]
fn the_matrix_is_the_same_for_any_number_of_threads_and_its_games_are_those_of_matches() {
    let scratch = project();
    let run = |threads, file| {
        let words = [&transfer(&["small.toml", "none"], file)[..], &["--threads", threads]].concat();
        scratch.done(&words)
    };
    let shown = run("1", "one.csv");
    insta::assert_snapshot!(shown);
    assert_eq!(run("3", "three.csv"), shown);
    let csv = scratch.read("one.csv");
    assert_eq!(scratch.read("three.csv"), csv);
    assert!(!scratch.path("one.csv.unfinished").exists());

    let counted = cells(&csv, &COUNTS);
    let pairs = |counts: &[String]| counts.iter().map(|count| count.parse::<u64>().unwrap()).sum::<u64>();
    assert_eq!(counted.iter().map(|counts| pairs(counts)).sum::<u64>(), 60);
    assert!(counted.iter().all(|counts| pairs(counts) >= 4), "{csv}");
    let named = cells(&csv, &["idea", "baseline", "surrounding", "match_nodes"]);
    assert_eq!(named[2], ["small", "none", "fruit-2005@-killers,-history", "100"]);
    for (cell, counts) in named.iter().zip(&counted).skip(2).take(3) {
        let (preset, hash, seed) = match cell[2].as_str() {
            "standard@hash=2" => ("standard", "2", "5"),
            other => (other, "1", "4"),
        };
        let out = format!("match-{preset}-{}", cell[3]);
        let pairs = pairs(counts).to_string();
        scratch.done(&[
            "match",
            "small.toml",
            "none",
            "--preset",
            preset,
            "--hash",
            hash,
            "--nodes",
            &cell[3],
            "--pairs",
            &pairs,
            "--openings",
            "positions/openings.epd",
            "--seed",
            seed,
            "--out",
            &out,
            "--quiet",
        ]);
        let played = cells(&scratch.read(&format!("{out}/pairs.csv")), &COUNTS);
        assert_eq!(played.last(), Some(counts), "{cell:?}");
    }
}

#[test]
fn a_policy_without_a_rule_is_a_baseline() {
    let scratch = project();
    let words = transfer(&["small.toml", "--without", "late"], "without.csv");
    scratch.done(&[&words[..], &["--report"]].concat());
    scratch.done(&transfer(&["small.toml", "small.toml@-late"], "named.csv"));
    assert_eq!(scratch.read("without.csv"), scratch.read("named.csv"));
    let named = cells(&scratch.read("named.csv"), &["idea", "baseline"]);
    assert_eq!(named[0], ["small", "small@-late"]);

    let page = scratch.read("without.html");
    for text in [
        "small against small@-late in many surroundings",
        "In an unknown engine at 1600 nodes a move expect ",
        "standard@hash=2 at 400 nodes a move: ",
    ] {
        assert!(page.contains(text), "{text}");
    }
    for (right, wrong, told) in [
        (",400,", ",many,", "`many` in column match_nodes is no count"),
        (",0.8,record", ",8,record", "`8` in column level is wrong"),
        (",0.8,record", ",0.8,?", "`?` in column slope_prior is wrong"),
    ] {
        scratch.write("wrong.csv", &scratch.read("named.csv").replace(right, wrong));
        let complaint = scratch.refused(&["report", "wrong.csv"]);
        assert!(complaint.contains(told), "{complaint}");
    }
    // A file of an older version does not say what was asked.
    let older = scratch.read("named.csv").replace(",at_nodes,level,slope_prior", "");
    scratch.write("older.csv", &older.replace(",1600,0.8,record", ""));
    scratch.done(&["report", "older.csv"]);
    assert!(scratch.read("older.html").contains("(1000000 nodes a move)"));
}

#[test]
fn a_narrow_interval_ends_the_games_and_a_wide_one_is_told() {
    let scratch = project();
    let words = transfer(&["small.toml", "none"], "cells.csv");
    let until = |width| [&words[..], &["--force", "--until-width", width]].concat();
    let output = scratch.lmrlab(&until("100000")).output().unwrap();
    assert!(output.status.success() && output.stderr.is_empty(), "{output:?}");
    let counted = cells(&scratch.read("cells.csv"), &COUNTS);
    let pairs = counted.iter().flatten().map(|count| count.parse::<u64>().unwrap());
    assert_eq!(pairs.sum::<u64>(), 24, "the first round suffices");
    let known = scratch.done(&[&until("100000")[..], &["--slope-prior", "1.4"]].concat());
    assert!(
        known.contains(" for each doubling of the nodes, with a prior of 0 ± 0.7 (standard deviation).\n"),
        "{known}"
    );
    let output = scratch.lmrlab(&until("0.5")).output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains(" Elo wide, not 0.5."), "{said}");
}

#[test]
fn killed_games_go_on_to_the_same_files() {
    let scratch = project();
    let sides = ["small.toml", "none"];
    let shown = scratch.done(&transfer(&sides, "whole.csv"));
    let words = [&transfer(&sides, "killed.csv")[..], &["--threads", "1"]].concat();
    let child = scratch.background(&words).spawn().unwrap();
    let journal = "killed.csv.unfinished/results.csv";
    wait_until(|| scratch.line_count(journal) > 30);
    kill(child);
    let complaint = scratch.refused(&words);
    assert!(
        complaint.contains("`killed.csv.unfinished` holds a run that was interrupted"),
        "{complaint}"
    );
    for (from, to, told) in [
        ("400,100", "400,200", "--presets or --nodes"),
        ("3", "4", "--openings, --seed, --at or --slope-prior"),
        ("none", "small.toml@-late", "the policy, the preset or --hash"),
    ] {
        let changed = words.iter().map(|word| if *word == from { to } else { word });
        let changed: Vec<&str> = changed.chain(["--resume"]).collect();
        let complaint = scratch.refused(&changed);
        assert!(complaint.contains(&format!("what differs: {told}")), "{complaint}");
    }
    assert_eq!(scratch.done(&[&words[..], &["--resume"]].concat()), shown);
    assert_eq!(scratch.read("killed.csv"), scratch.read("whole.csv"));
    assert!(!scratch.path("killed.csv.unfinished").exists());
}

#[cfg(unix)]
#[test]
fn ctrl_c_says_how_to_go_on() {
    use crate::scratch::signal;
    use std::process::Stdio;

    let scratch = project();
    let words = transfer(&["small.toml", "none"], "cells.csv");
    let mut command = scratch.background(&words);
    let child = command.args(["--threads", "1"]).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| scratch.line_count("cells.csv.unfinished/results.csv") > 2);
    assert!(signal(&child, "INT"));
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(
        said.contains(" pairs; they are in cells.csv. The same command with --resume goes on.\n"),
        "{said}"
    );
    scratch.done(&[&words[..], &["--resume"]].concat());
}

#[test]
fn wrong_input_is_named_before_a_game_is_played() {
    let scratch = project();
    let mut said = String::new();
    for words in [
        "small.toml --without nothing",
        "small.toml none --presets standard,rebl,fruit-2005",
        "small.toml none --presets standard,rebel",
        "small.toml none --presets standard,rebel,standard",
        "small.toml none --presets standard,rebel,standard@hash=9999",
        "small.toml none --nodes 1000,4000,1000",
        "small.toml none --pairs 207",
        "small.toml none --nodes 1000 --at 4000",
        "small.toml none --until-width 0",
        "small.toml none --level 1",
        "small.toml none --resume",
        "small.toml nne",
    ] {
        let words: Vec<&str> = ["transfer"].into_iter().chain(words.split(' ')).collect();
        let refused = [&words[..], &["--csv", "cells.csv"]].concat();
        let arguments = if words.contains(&"--resume") { &words } else { &refused };
        let complaint = scratch.refused(arguments);
        said += &format!("$ lmrlab {}\n{complaint}\n", words.join(" "));
        assert!(!scratch.path("cells.csv").exists() && !scratch.path("cells.csv.unfinished").exists());
    }
    insta::assert_snapshot!(said);
}
