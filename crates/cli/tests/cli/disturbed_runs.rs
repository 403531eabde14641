//! Files of a run that another process cuts, replaces or removes while the run writes to them.

#![cfg(unix)]

use std::fs;
use std::path::Path;
use std::process::Stdio;

use crate::scratch::{ROUND_ROBIN, Scratch, kill, signal, wait_until};

/// A tournament that takes long, and its first pair.
fn project() -> Scratch {
    let scratch = Scratch::new();
    scratch.write(
        "t.toml",
        &ROUND_ROBIN
            .replace("pairs  = 3", "pairs = 100000")
            .replace("nodes = 100", "nodes = 20"),
    );
    scratch
}

/// Starts a command, changes the folder of its run once `journal` has a line, and returns what the command says: it ends by
/// itself, with exit status 1.
fn disturbed(scratch: &Scratch, arguments: &str, journal: &str, change: impl FnOnce()) -> String {
    let run = scratch.background(arguments).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| scratch.line_count(journal) > 2);
    change();
    let output = run.wait_with_output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(!said.contains("are saved"), "{said}");
    said
}

fn cut(path: &Path) {
    let length = fs::metadata(path).unwrap().len();
    fs::File::options()
        .write(true)
        .open(path)
        .unwrap()
        .set_len(length / 2)
        .unwrap();
}

fn replace(path: &Path) {
    let beside = path.with_extension("copy");
    fs::copy(path, &beside).unwrap();
    fs::rename(beside, path).unwrap();
}

fn remove(path: &Path) {
    fs::remove_file(path).unwrap();
}

#[test]
fn a_run_whose_files_are_changed_stops_and_names_the_file() {
    let scratch = project();
    for (file, change, what) in [
        ("games.csv", cut as fn(&Path), "it was changed during the run"),
        ("games.pgn", remove, "is gone"),
        ("timings.csv", cut, "it was changed during the run"),
        ("journal.sha256", replace, "it was replaced during the run"),
        ("manifest.toml", remove, "is gone"),
    ] {
        let path = scratch.path(&format!("out/{file}"));
        let begin = "run t.toml --threads 2 --quiet --force --out out";
        let said = disturbed(&scratch, begin, "out/games.csv", || change(&path));
        for part in [&format!("`out/{file}`"), what, "resume the run"] {
            assert!(said.contains(part), "{file}: {said}");
        }
        if file == "manifest.toml" {
            continue;
        }
        // The advice is good: what is missing is made again.
        let before = scratch.line_count("out/games.csv");
        let resumed = scratch.background("resume out --quiet").spawn().unwrap();
        wait_until(|| scratch.line_count("out/games.csv") > before + 2);
        assert!(signal(&resumed, "INT"));
        assert_eq!(resumed.wait_with_output().unwrap().status.code(), Some(130), "{file}");
        scratch.done("show out");
        fs::remove_dir_all(scratch.path("out")).unwrap();
    }
}

#[test]
fn a_run_whose_folder_is_removed_or_renamed_says_so() {
    let scratch = project();
    let run = "run t.toml --threads 2 --quiet --out out";
    let moved = |to: &str| fs::rename(scratch.path("out"), scratch.path(to)).unwrap();
    // The rename comes first because a removal takes one file after another: a run that writes in between names a file.
    for is_removed in [false, true] {
        let said = disturbed(&scratch, run, "out/games.csv", || {
            moved("elsewhere");
            if is_removed {
                fs::remove_dir_all(scratch.path("elsewhere")).unwrap();
            }
        });
        let named = said.contains("the folder `out` is gone") && said.contains("if it was renamed");
        assert!(named, "{said}");
        if !is_removed {
            scratch.done("show elsewhere");
            fs::remove_dir_all(scratch.path("elsewhere")).unwrap();
        }
    }
}

/// Runs a command that can create files and write nothing into them, as on a full disk. Without `warned` the system kills it at
/// its first write.
fn on_a_full_disk(scratch: &Scratch, arguments: &str, warned: bool) -> std::process::Output {
    let trap = if warned { "trap '' XFSZ; " } else { "" };
    let script = format!("{trap}ulimit -f 0; exec \"$0\" \"$@\"");
    std::process::Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_lmrlab")])
        .args(shlex::split(arguments).unwrap())
        .current_dir(scratch.path(""))
        .output()
        .unwrap()
}

#[test]
fn a_run_that_cannot_begin_leaves_nothing_in_the_way() {
    let scratch = project();
    scratch.write("short.toml", &ROUND_ROBIN.replace("pairs  = 3", "pairs = 1"));
    let commands = [
        "run short.toml",
        "sweep house --over divisor=2:3:1 --hash 1 --pairs 1 --match-nodes 20 --measures elo",
    ];
    let before = scratch.files();
    for command in commands {
        let command = format!("{command} --out deep/out --quiet --threads 1");
        let failed = on_a_full_disk(&scratch, &command, true);
        let said = String::from_utf8(failed.stderr).unwrap();
        assert_eq!(failed.status.code(), Some(1), "{command:?}: {said}");
        assert!(said.contains("manifest.toml"), "{command:?}: {said}");
        assert!(!said.contains("resume"), "{command:?}: {said}");
        assert_eq!(scratch.files(), before, "{command:?}");
        assert!(!scratch.path("deep").exists(), "{command:?}");
        let killed = on_a_full_disk(&scratch, &command, false);
        assert_eq!(killed.status.code(), None, "{command:?}");
        assert_ne!(scratch.files(), before, "{command:?}");
        scratch.done(&command);
        let _ = fs::remove_dir_all(scratch.path("deep"));
        assert_eq!(scratch.files(), before, "{command:?}");
    }
}

#[test]
fn a_page_follows_a_run_until_no_process_plays_it() {
    let scratch = project();
    let mut run = scratch.background("run t.toml --threads 1 --quiet --out out");
    let run = run.spawn().unwrap();
    wait_until(|| scratch.line_count("out/games.csv") > 2);
    let follow = "report out --follow";
    let mut followed = scratch.background(follow).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(|| scratch.path("out/report.html").is_file());
    assert!(followed.try_wait().unwrap().is_none(), "the run is still played");
    kill(run);
    let followed = followed.wait_with_output().unwrap();
    let said = String::from_utf8(followed.stderr).unwrap();
    assert_eq!(followed.status.code(), Some(1), "{said}");
    assert!(said.contains("the run in `out` has stopped before its end"), "{said}");
    assert!(said.contains("`lmrlab resume out`"), "{said}");
    assert!(
        scratch
            .read("out/report.html")
            .contains("The run was interrupted after")
    );
    scratch.lmrlab(follow).assert().code(1);
    assert!(
        scratch
            .refused("report nowhere --follow")
            .contains("`nowhere` does not exist")
    );
}
