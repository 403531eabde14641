//! Runs whose parts are played by other processes: whatever happens to them and to the coordinator, the files are those of
//! one process.

#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::scratch::{Scratch, kill, local_executor, wait_until};

/// What must not differ; not every run has all of them.
const FILES: [&str; 10] = [
    "games.csv",
    "games.pgn",
    "journal.sha256",
    "pairs.csv",
    "standings.csv",
    "crosstable.csv",
    "race.csv",
    "tuning.csv",
    "result.toml",
    "parameters.txt",
];

/// A file of a run with these keys, and an engine for each of these policies.
fn run_file(keys: &str, policies: &[&str]) -> String {
    let engines = policies
        .iter()
        .map(|policy| format!("[[engine]]\npolicy = '{policy}'\n"));
    format!(
        "name = 'run'\nopenings = {{ file = 'positions/openings.epd' }}\nlimit = {{ nodes = 60 }}\nhash_mib = 1\n\
         adjudication = {{ max_moves = 16 }}\n{keys}\n{}",
        engines.collect::<String>()
    )
}

fn match_of(pairs: u64) -> String {
    run_file(&format!("format = 'match'\npairs = {pairs}"), &["house", "none"])
}

fn race() -> String {
    let race = "format = 'race'\npairs = 13\nrace = { goal = 'best', elo = 150.0, alpha = 0.3 }";
    run_file(race, &["house", "none", "logarithm"])
}

fn tuning() -> String {
    run_file(
        "pairs = 24\ngate = { play = false }\nengine = { policy = 'logarithm' }",
        &[],
    )
}

#[track_caller]
fn assert_same(scratch: &Scratch, together: &str) {
    let read = |folder: &str, file: &str| fs::read_to_string(scratch.path(folder).join(file)).ok();
    let there: Vec<&str> = FILES.into_iter().filter(|file| read("alone", file).is_some()).collect();
    assert!(there.len() >= 4);
    for file in there {
        assert!(read("alone", file) == read(together, file), "{file} differs");
    }
    for gone in ["parts", "waiting.csv"] {
        assert!(!scratch.path(together).join(gone).exists(), "{gone} is left");
    }
}

/// The processes that play parts below a folder.
fn workers(folder: &Path) -> Vec<String> {
    let found = Command::new("pgrep")
        .arg("-f")
        .arg(format!("lmrlab resume {}", folder.display()))
        .output();
    let found = String::from_utf8(found.unwrap().stdout).unwrap();
    found.lines().map(str::to_owned).collect()
}

/// The folder of the parts of a run, as the command gets it.
fn parts(scratch: &Scratch, run: &str) -> PathBuf {
    fs::canonicalize(scratch.path(".")).unwrap().join(run).join("parts")
}

/// The settings of an executor that plays on this machine.
fn local(parts: u64, pairs: u64) -> String {
    format!("command = '{}'\nparts = {parts}\npairs = {pairs}\n", local_executor())
}

#[test]
fn every_run_is_that_of_one_process() {
    let scratch = Scratch::new();
    scratch.write("three.toml", &local(3, 3));
    // As on a host that has its own copy of the folder.
    let program = env!("CARGO_BIN_EXE_lmrlab");
    let copies = format!(
        "sh -c 'cp -r {{folder}} {{folder}}c && {program} resume {{folder}}c && cp {{folder}}c/* {{folder}} && rm -r {{folder}}c'"
    );
    // A test that is decided early.
    let sprt = "format = 'match'\npairs = 400\nsprt = { elo0 = 0.0, elo1 = 150.0, alpha = 0.2, beta = 0.2 }";
    for (text, command, executor) in [
        (match_of(24), "run", copies.as_str()),
        (run_file(sprt, &["house", "none"]), "run", "three.toml"),
        (race(), "run", "three.toml"),
        (tuning(), "tune", "three.toml"),
    ] {
        scratch.write("t.toml", &text);
        let words = [command, "t.toml", "--quiet", "--force", "--out"];
        scratch.done(&[&words[..], &["alone"]].concat());
        scratch.done(&[&words[..], &["many", "--executor", executor]].concat());
        assert_same(&scratch, "many");
    }
}

#[test]
fn coordinators_and_workers_are_killed() {
    for (text, command, machines) in [(race(), "run", "here"), (tuning(), "tune", "two.toml")] {
        let scratch = Scratch::new();
        scratch.write("t.toml", &text);
        scratch.write("two.toml", &local(2, 12));
        scratch.done(&[command, "t.toml", "--quiet", "--out", "alone"]);
        let begin = [command, "t.toml", "--quiet", "--out", "many", "--executor", "two.toml"];
        let go_on = ["resume", "many", "--quiet"];
        let parts = parts(&scratch, "many");
        for turn in 0..2 {
            let words = if turn == 0 { &begin[..] } else { &go_on[..] };
            let coordinator = scratch.background(words).spawn().unwrap();
            wait_until(|| !workers(&parts).is_empty());
            if let Some(victim) = workers(&parts).pop() {
                let _ = Command::new("kill").args(["-KILL", &victim]).status();
            }
            // Its commands play on. Those of the next coordinator wait for them.
            kill(coordinator);
        }
        scratch.done(&[&go_on[..], &["--executor", machines]].concat());
        if machines == "here" {
            // This process knows nothing of parts.
            fs::remove_dir_all(parts).unwrap();
        }
        assert_same(&scratch, "many");
    }
}

#[test]
fn what_a_worker_has_played_is_not_lost_with_the_coordinator() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &match_of(24));
    scratch.write("one.toml", &local(1, 24));
    scratch.done("run t.toml --quiet --out alone");
    let begin = ["run", "t.toml", "--quiet", "--out", "many", "--executor", "one.toml"];
    let coordinator = scratch.background(&begin).spawn().unwrap();
    wait_until(|| scratch.line_count("many/parts/1/games.csv") > 8);
    kill(coordinator);
    for worker in workers(&parts(&scratch, "many")) {
        let _ = Command::new("kill").args(["-KILL", &worker]).status();
    }
    let before = scratch.read("many/parts/1/games.csv");
    let whole = &before[..=before.rfind('\n').unwrap()];
    // Plays nothing, and shows what it would continue.
    let shows = "sh -c 'cp {folder}/games.csv shown; exit 3'";
    let (_, said) = scratch.ends(1, &["resume", "many", "--quiet", "--executor", shows]);
    assert!(said.contains("failed 3 times: it exited with status 3"), "{said}");
    assert!(scratch.read("shown").starts_with(whole));
    scratch.done("resume many --quiet --executor one.toml");
    assert_same(&scratch, "many");
}

/// As after a kill between the last pair that was recorded of a part, and the end of the part.
#[test]
fn a_part_is_taken_over_when_some_of_its_pairs_are_recorded() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &match_of(24));
    scratch.done("run t.toml --quiet --out alone");
    let copies = format!("sh -c '{} && cp -r {{folder}} kept'", local_executor());
    scratch.write("one.toml", &format!("command = \"{copies}\"\nparts = 1\npairs = 8\n"));
    fs::create_dir(scratch.path("kept")).unwrap();
    scratch.done("run t.toml --quiet --out many --executor one.toml");
    let games = scratch.read("many/games.csv");
    // The first line, and the games of 12 pairs: part 2 has the pairs 9 to 16.
    let cut: String = games.split_inclusive('\n').take(25).collect();
    scratch.write("many/games.csv", &cut);
    fs::create_dir(scratch.path("many/parts")).unwrap();
    fs::rename(scratch.path("kept/2"), scratch.path("many/parts/2")).unwrap();
    scratch.done("resume many --quiet");
    assert_same(&scratch, "many");
    // parts.csv had the results of part 2 already.
    let parts = scratch.read("many/parts.csv");
    let numbers = parts.lines().skip(1).map(|row| row.split(',').next().unwrap());
    assert_eq!(numbers.collect::<Vec<_>>(), ["1", "2", "3", "4"]);
}

#[test]
fn ctrl_c_waits_for_the_parts_and_a_second_one_ends_them() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &match_of(80));
    let slow = format!("sh -c 'sleep 1; exec {}'", local_executor());
    scratch.done("run t.toml --quiet --out alone");
    let words = [
        "run",
        "t.toml",
        "--quiet",
        "--threads",
        "2",
        "--out",
        "many",
        "--executor",
        &slow,
    ];
    for signals in [1, 2] {
        let mut coordinator = scratch.background(&words).spawn().unwrap();
        wait_until(|| scratch.path("many/parts/2/output.txt").exists());
        for _ in 0..signals {
            let pid = coordinator.id().to_string();
            assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
            std::thread::sleep(std::time::Duration::from_millis(200));
        }
        assert_eq!(coordinator.wait().unwrap().code(), Some(130));
        assert!(workers(&parts(&scratch, "many")).is_empty());
        let lines = scratch.line_count("many/games.csv");
        assert_eq!(lines > 1, signals == 1, "{lines} lines of games.csv");
        scratch.done("resume many --quiet");
        assert_same(&scratch, "many");
        fs::remove_dir_all(scratch.path("many")).unwrap();
    }
}

/// A program that is called as ssh is, and plays here.
fn fake_ssh(scratch: &Scratch) -> String {
    let kept = scratch.path("kept");
    let script = format!(
        r#"#!/bin/sh
host=$1
shift
for folder; do :; done
export LMRLAB_HOST=$host
case $host in
    fails) echo warming up; echo 'ssh: connect to host fails port 22: No route to host' >&2; exit 255 ;;
esac
"$@" || exit
case $host in
    other) sed -i 's/^bench = .*/bench = 7/' "$folder/completion.toml" ;;
    mixes) cp '{kept}'/* "$folder" ;;
    good) mkdir -p '{kept}' && cp "$folder"/*.toml "$folder"/*.csv '{kept}' ;;
esac
"#,
        kept = kept.display()
    );
    scratch.write("fake-ssh", &script);
    format!("sh {}", scratch.path("fake-ssh").display())
}

#[test]
fn hosts_fail_and_return_other_parts() {
    let scratch = Scratch::new();
    let ssh = fake_ssh(&scratch);
    let program = env!("CARGO_BIN_EXE_lmrlab");
    scratch.write("t.toml", &match_of(24));
    scratch.done("run t.toml --quiet --out alone");
    for (bad, why) in [
        (
            "fails",
            "(attempt 1 at its pairs); on fails it exited with status 255: warming up / ssh: connect to host fails port 22: No \
             route to host",
        ),
        (
            "other",
            "with the bench fingerprint 7, and the run asks for lmrlab 1.0.0 with",
        ),
        ("mixes", "of another part"),
    ] {
        let settings = format!(
            "command = '{ssh} {{host}} {program} resume {{folder}}'\nhosts = {{ good = 1, {bad} = 1 }}\npairs = 8\n"
        );
        scratch.write("hosts.toml", &settings);
        let run = ["run", "t.toml", "--out", bad, "--executor", "hosts.toml", "--quiet"];
        let said = scratch.warned(&run);
        assert_same(&scratch, bad);
        assert!(said.contains(why), "{said}");
        let rows = scratch.read(&format!("{bad}/parts.csv"));
        let has = |host: &str, outcome: &str| rows.lines().any(|row| row.contains(&format!(",{host},{outcome},")));
        // What it copies may be its own part.
        assert!(has("good", "done") && (bad == "mixes" || !has(bad, "done")), "{rows}");
        assert!(has(bad, "failed"), "{rows}");
    }
}

#[test]
fn mistakes_are_shown_before_anything_is_written() {
    let scratch = Scratch::new();
    scratch.write("t.toml", &match_of(24));
    scratch.write("old.toml", "kind = 'slurm'\nslots = 200\n");
    for (executor, said) in [
        ("slurm", "does not name the folder of a part"),
        ("missing.toml", "missing.toml"),
        ("old.toml", "docs/many-machines.md"),
    ] {
        let message = scratch.refused(&["run", "t.toml", "--out", "many", "--executor", executor]);
        assert!(message.contains(said), "{message}");
    }
}
