//! Runs whose parts are played by other processes: whatever happens to them and to the coordinator, the files are those of
//! one process.

#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::scratch::{Scratch, kill, wait_until};
use lmrlab_cluster::coordinator::parts_csv;
use lmrlab_results::parts::PartEnd;

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

const MATCH: &str = "
    name = 'match'
    format = 'match'
    pairs = 24
    openings = { file = 'positions/openings.epd' }
    limit = { nodes = 60 }
    hash_mib = 1
    adjudication = { max_moves = 12 }
    [[engine]]
    policy = 'house'
    [[engine]]
    policy = 'none'
";

const RACE: &str = "
    name = 'race'
    format = 'race'
    pairs = 13
    race = { goal = 'best', elo = 150.0, alpha = 0.3 }
    openings = { file = 'positions/openings.epd' }
    limit = { nodes = 60 }
    hash_mib = 1
    adjudication = { max_moves = 20 }
    [[engine]]
    policy = 'house'
    [[engine]]
    policy = 'none'
    [[engine]]
    policy = 'logarithm'
";

const TUNING: &str = "
    name = 'tuning'
    pairs = 24
    openings = { file = 'positions/openings.epd' }
    limit = { nodes = 60 }
    hash_mib = 1
    adjudication = { max_moves = 20 }
    gate = { play = false }
    engine = { policy = 'logarithm' }
";

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

#[test]
fn coordinators_and_workers_are_killed() {
    for (text, command) in [(RACE, "run"), (TUNING, "tune")] {
        let scratch = Scratch::new();
        scratch.write("t.toml", text);
        scratch.write("two.toml", "kind = 'local'\nslots = 2\npairs = 12\n");
        scratch.done(&[command, "t.toml", "--quiet", "--out", "alone"]);
        let begin = [command, "t.toml", "--quiet", "--out", "many", "--executor", "two.toml"];
        let go_on = ["resume", "many", "--quiet"];
        let parts = scratch.path("many/parts");
        let parts = fs::canonicalize(scratch.path("."))
            .unwrap()
            .join(parts.strip_prefix(scratch.path("")).unwrap());
        for turn in 0..2 {
            let coordinator = scratch
                .background(if turn == 0 { &begin } else { &go_on })
                .spawn()
                .unwrap();
            wait_until(|| !workers(&parts).is_empty());
            let victim = workers(&parts).pop();
            if let Some(victim) = victim {
                let _ = Command::new("kill").args(["-KILL", &victim]).status();
            }
            kill(coordinator);
        }
        scratch.done(&go_on);
        assert_same(&scratch, "many");
        wait_until(|| workers(&parts).is_empty());
    }
}

/// A program that is called as ssh is, and plays here.
fn fake_ssh(scratch: &Scratch) -> String {
    let kept = scratch.path("kept");
    let script = format!(
        r#"#!/bin/sh
host=$1
shift
folder=$3
export LMRLAB_HOST=$host
case $host in
    fails) echo 'ssh: connect to host fails port 22: No route to host' >&2; exit 255 ;;
esac
"$@" || exit
case $host in
    cuts) head -c 700 "$folder/results.csv" > "$folder/cut" && mv "$folder/cut" "$folder/results.csv" ;;
    mixes) cp '{kept}'/* "$folder" ;;
    good) mkdir -p '{kept}' && cp "$folder"/*.toml "$folder"/*.csv '{kept}' ;;
esac
"#,
        kept = kept.display()
    );
    scratch.write("fake-ssh", &script);
    let path = scratch.path("fake-ssh");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn hosts_fail_cut_files_and_return_other_parts() {
    let scratch = Scratch::new();
    let ssh = fake_ssh(&scratch);
    let program = env!("CARGO_BIN_EXE_lmrlab");
    scratch.write("t.toml", MATCH);
    scratch.done(&["run", "t.toml", "--quiet", "--out", "alone"]);
    for (bad, why) in [
        ("fails", "No route to host"),
        ("cuts", "its SHA-256 differs"),
        ("mixes", "of another part"),
    ] {
        let settings = format!(
            "kind = 'command'\npairs = 8\nhosts = ['good', '{bad}']\n\
             play = '{ssh} {{host}} {program} resume {{folder}} --trust --quiet'\n"
        );
        scratch.write("hosts.toml", &settings);
        let run = ["run", "t.toml", "--out", bad, "--executor", "hosts.toml", "--quiet"];
        let output = scratch.lmrlab(&run).assert().success().get_output().clone();
        assert_same(&scratch, bad);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert!(stderr.contains(why), "{stderr}");
        let rows = parts_csv::read(&scratch.path(bad).join("parts.csv")).unwrap();
        let done = |host: &str| rows.iter().any(|row| row.outcome == PartEnd::Done && row.host == host);
        // What it copies may be its own part.
        assert!(done("good") && (bad == "mixes" || !done(bad)), "{rows:?}");
        let stdout = String::from_utf8(output.stdout).unwrap();
        assert!(stdout.contains("\ngood: "), "{stdout}");
    }
}

#[test]
fn mistakes_are_shown_before_anything_is_written() {
    let scratch = Scratch::new();
    scratch.write("t.toml", MATCH);
    let run = |executor: &str| scratch.refused(&["run", "t.toml", "--out", "many", "--executor", executor]);
    assert!(run("slurmm").contains("slurm"), "{}", run("slurmm"));
    assert!(run("missing.toml").contains("missing.toml"));
    scratch.write(
        "hosts.toml",
        "kind = 'command'\nhosts = []\nplay = 'ssh {hots} lmrlab resume {folder} --trust'\n",
    );
    let wrong = run("hosts.toml");
    assert!(wrong.contains("hosts.toml:3"), "{wrong}");
    assert!(wrong.contains("did you mean `{host}`"), "{wrong}");
}

#[test]
fn a_run_of_a_cluster_is_resumed_here() {
    let scratch = Scratch::new();
    scratch.write("t.toml", MATCH);
    scratch.write("one.toml", "kind = 'local'\nslots = 1\npairs = 2\n");
    scratch.done(&["run", "t.toml", "--quiet", "--out", "alone"]);
    let begin = ["run", "t.toml", "--quiet", "--out", "many", "--executor", "one.toml"];
    let coordinator = scratch.background(&begin).spawn().unwrap();
    wait_until(|| scratch.line_count("many/games.csv") > 3);
    kill(coordinator);
    scratch.done(&["resume", "many", "--quiet", "--executor", "here"]);
    let read = |folder: &str| scratch.read(&format!("{folder}/games.csv"));
    assert!(read("alone") == read("many"));
}
