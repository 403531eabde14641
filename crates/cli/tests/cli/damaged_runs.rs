//! Results folders that were moved, cut short or edited: what commands say of them.

use std::fs;
use std::path::Path;

use crate::scratch::{ROUND_ROBIN, Scratch};

/// A project with a tournament in `out`.
fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("t.toml", &ROUND_ROBIN.replace("pairs  = 3", "pairs = 1"));
    scratch.done("run t.toml --quiet --out out");
    scratch
}

/// Copies the files of a run to another folder.
fn copy(scratch: &Scratch, from: &str, to: &str) {
    fs::create_dir_all(scratch.path(to)).unwrap();
    for entry in fs::read_dir(scratch.path(from)).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), scratch.path(to).join(entry.file_name())).unwrap();
    }
}

#[track_caller]
fn says(scratch: &Scratch, command: &str, parts: &[&str]) {
    let said = scratch.refused(command);
    for part in parts {
        assert!(said.contains(part), "{command}: {part}: {said}");
    }
}

#[test]
fn a_run_that_was_moved_says_where_it_looks_for_its_files() {
    let scratch = played();
    let path = Path::new("moved/positions/openings.epd").display().to_string();
    copy(&scratch, "out", "moved/out");
    let needs = [
        "the run in `moved/out` needs `positions/openings.epd`",
        &format!("there is no file `{path}`"),
        "paths in its manifest start from `..`",
        "move it back",
    ];
    says(&scratch, "resume moved/out", &needs);
    // What is shown needs no file beside the run, and a copy of what is missing will do.
    assert!(scratch.done("show moved/out").contains("mediocre"));
    scratch.write("moved/positions/openings.epd", &scratch.read("positions/openings.epd"));
    let said = scratch.warned("resume moved/out");
    let gone = "`moved/configs/policies/none.toml`, with which the run began, cannot be read";
    assert!(said.contains(gone), "{said}");
}

#[test]
fn a_manifest_that_was_cut_short_says_where() {
    let scratch = played();
    let manifest = scratch.read("out/manifest.toml");
    let text = manifest.find("text = \"\"\"").unwrap();
    let line = manifest[..text + 100].lines().count();
    let at = |part: &str| manifest.find(part).unwrap();
    for (length, message) in [
        (0, "it is empty"),
        (at("started"), "missing field `started`"),
        (text + 100, &format!("line {line} is not valid TOML")),
        (at("[tournament]"), "it has neither `[tournament]`"),
    ] {
        scratch.write("out/manifest.toml", &manifest[..length]);
        for command in ["show out", "resume out", "rate out"] {
            let parts = ["cannot read the manifest `out/manifest.toml`", message, "cut short"];
            says(&scratch, command, &parts);
        }
    }
    for (from, to, message) in [
        (
            "format_version = 3",
            "format_version = 2",
            "are of version 2, and this program reads version 3",
        ),
        ("tournament", "tournamend", "cannot read the manifest"),
        ("name = \"mediocre\"\n", "", "this engine of a manifest has no `name`"),
    ] {
        scratch.write("out/manifest.toml", &manifest.replace(from, to));
        let said = scratch.refused("show out") + &scratch.refused("resume out");
        assert!(said.contains(message), "{said}");
    }
    scratch.write("out/manifest.toml", "[package]\nname = \"x\"\n");
    says(&scratch, "show out", &["its manifest.toml is not one of lmrlab"]);
    for (folder, reason) in [
        ("nowhere", "there is no such folder"),
        ("t.toml", "it is not a folder"),
        ("configs", "it has no manifest.toml"),
    ] {
        let parts = ["is not the results folder of a run", reason];
        for command in ["show", "resume"] {
            says(&scratch, &format!("{command} {folder}"), &parts);
        }
    }
}

#[test]
fn no_number_of_a_run_is_believed() {
    let scratch = played();
    let whole = scratch.read("out/manifest.toml");
    for positions in ["4000000000", "9000000000000000000"] {
        scratch.write(
            "out/manifest.toml",
            &whole.replace("positions = 40", &format!("positions = {positions}")),
        );
        for command in ["show", "resume"] {
            let parts = ["its `positions` are more than 67108864"];
            says(&scratch, &format!("{command} out"), &parts);
        }
    }
    scratch.write("out/manifest.toml", &whole);
    let games = scratch.read("out/games.csv");
    let (head, rows) = games.split_once('\n').unwrap();
    let nodes = head.split(',').position(|column| column == "white_nodes").unwrap();
    let most = u64::MAX.to_string();
    let rows = rows.lines().map(|row| {
        let cells = row.split(',').enumerate();
        let cells: Vec<&str> = cells
            .map(|(column, cell)| if column == nodes { &*most } else { cell })
            .collect();
        cells.join(",") + "\n"
    });
    scratch.write("out/games.csv", &format!("{head}\n{}", rows.collect::<String>()));
    assert!(scratch.done("show out").contains("Rank"));
}

#[test]
fn a_journal_with_games_of_other_engines_says_so() {
    let scratch = played();
    let games = scratch.read("out/games.csv");
    let lines: Vec<&str> = games.lines().collect();
    let columns: Vec<&str> = lines[0].split(',').collect();
    let white = columns.iter().position(|column| *column == "white").unwrap();
    for line in [1, 2] {
        let mut cells: Vec<&str> = lines[line].split(',').collect();
        cells[white] = "1e308";
        let edited = cells.join(",");
        scratch.write("out/games.csv", &games.replace(lines[line], &edited));
        for command in ["show out", "report out"] {
            says(
                &scratch,
                command,
                &["games 1 and 2 are not those", "games.csv was edited"],
            );
        }
    }
}
