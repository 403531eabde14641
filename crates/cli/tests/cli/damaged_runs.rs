//! Results folders that were moved, cut short or edited: what commands say of them.

use std::fs;
use std::path::Path;

use crate::scratch::{ROUND_ROBIN, Scratch};

const TUNING: &str = r#"
name = "tuned"
pairs = 8
hash_mib = 1
openings = { file = "positions/openings.epd" }
limit = { nodes = 50 }
gate = { play = false }
[engine]
policy = "logarithm@base=1.0"
"#;

/// A project with a tournament in `out` and, when asked for, a tuning run in `tuned`.
fn played(tuning: bool) -> Scratch {
    let scratch = Scratch::new();
    scratch.write("t.toml", &ROUND_ROBIN.replace("pairs  = 3", "pairs = 1"));
    scratch.done("run t.toml --quiet --out out");
    if tuning {
        scratch.write("tuned.toml", TUNING);
        scratch.done("tune tuned.toml --quiet --out tuned");
    }
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
fn says(scratch: &Scratch, arguments: &[&str], parts: &[&str]) {
    let said = scratch.refused(arguments);
    for part in parts {
        assert!(said.contains(part), "{arguments:?}: {part}: {said}");
    }
}

#[test]
fn a_run_that_was_moved_says_where_it_looks_for_its_files() {
    let scratch = played(true);
    let needs = |folder: &str| {
        let path = Path::new("moved/positions/openings.epd");
        [
            format!("the run in `{folder}` needs `positions/openings.epd`"),
            format!("there is no file `{}`", path.display()),
            "paths in its manifest start from `..`".to_owned(),
            "move it back".to_owned(),
        ]
    };
    for (from, to, commands) in [
        ("out", "moved/out", &[&["resume"][..]][..]),
        (
            "tuned",
            "moved/tuned",
            &[&["resume"][..], &["show"], &["tune", "--analyse"]],
        ),
    ] {
        copy(&scratch, from, to);
        let needs = needs(to);
        for command in commands {
            says(
                &scratch,
                &[command, &[to][..]].concat(),
                &needs.each_ref().map(String::as_str),
            );
        }
    }
    // What is shown needs no file beside the run, and a copy of what is missing will do.
    assert!(scratch.done("show moved/out").contains("mediocre"));
    scratch.write("moved/positions/openings.epd", &scratch.read("positions/openings.epd"));
    let resumed = scratch.lmrlab("resume moved/out").assert().success();
    let said = String::from_utf8_lossy(&resumed.get_output().stderr).into_owned();
    assert!(
        said.contains("`moved/configs/policies/none.toml`, with which the run began, cannot be read"),
        "{said}"
    );
}

#[test]
fn a_manifest_that_was_cut_short_says_where() {
    let scratch = played(false);
    let manifest = scratch.read("out/manifest.toml");
    let part = |length: usize| manifest[..length].to_owned();
    let text = manifest.find("text = \"\"\"").unwrap();
    let line = manifest[..text + 100].lines().count();
    for (text, message) in [
        (String::new(), "it is empty".to_owned()),
        (
            part(manifest.find("started").unwrap()),
            "missing field `started`".to_owned(),
        ),
        (part(text + 100), format!("line {line} is not valid TOML")),
        (
            part(manifest.find("[tournament]").unwrap()),
            "it has neither `[tournament]`".to_owned(),
        ),
    ] {
        scratch.write("out/manifest.toml", &text);
        for command in [&["show"][..], &["resume"], &["rate"], &["tune", "--analyse"]] {
            let arguments = [command, &["out"]].concat();
            says(
                &scratch,
                &arguments,
                &["cannot read the manifest `out/manifest.toml`", &message, "cut short"],
            );
        }
    }
    scratch.write("out/manifest.toml", "[package]\nname = \"x\"\n");
    says(&scratch, &["show", "out"], &["its manifest.toml is not one of lmrlab"]);
    for (folder, reason) in [
        ("nowhere", "there is no such folder"),
        ("t.toml", "it is not a folder"),
        ("configs", "it has no manifest.toml"),
    ] {
        says(
            &scratch,
            &["show", folder],
            &["is not the results folder of a run", reason],
        );
    }
}

#[test]
fn no_number_of_a_run_is_believed() {
    let scratch = played(false);
    let whole = scratch.read("out/manifest.toml");
    for positions in ["4000000000", "9000000000000000000"] {
        scratch.write(
            "out/manifest.toml",
            &whole.replace("positions = 40", &format!("positions = {positions}")),
        );
        for command in ["show", "resume"] {
            says(&scratch, &[command, "out"], &["its `positions` are more than 67108864"]);
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
fn a_run_of_the_other_kind_says_which_command_reads_it() {
    let scratch = played(true);
    says(
        &scratch,
        &["tune", "--analyse", "out"],
        &[
            "`out` holds a tournament, and this command reads a tuning run",
            "`lmrlab show out`",
        ],
    );
}

#[test]
fn a_journal_with_games_of_other_engines_says_so() {
    let scratch = played(false);
    let games = scratch.read("out/games.csv");
    let lines: Vec<&str> = games.lines().collect();
    let columns: Vec<&str> = lines[0].split(',').collect();
    let white = columns.iter().position(|column| *column == "white").unwrap();
    for (line, wanted) in [(1, "games 1 and 2 are not those"), (2, "no engine is called `1e308`")] {
        let mut cells: Vec<&str> = lines[line].split(',').collect();
        cells[white] = "1e308";
        let edited = cells.join(",");
        scratch.write("out/games.csv", &games.replace(lines[line], &edited));
        says(&scratch, &["show", "out"], &[wanted, "games.csv was edited"]);
        says(&scratch, &["report", "out"], &[wanted, "games.csv was edited"]);
    }
}

#[test]
fn a_journal_that_is_no_text_says_so() {
    let scratch = played(true);
    let journal = fs::read(scratch.path("tuned/games.csv")).unwrap();
    let second_line = 1 + journal.iter().position(|byte| *byte == b'\n').unwrap();
    let third_line = [&journal[..second_line], b"1,\xff\xfe\n", &journal[second_line..]].concat();
    for (bytes, line) in [([0, 255, 254, b'\n'].repeat(50), 1), (third_line, 2)] {
        fs::write(scratch.path("tuned/games.csv"), bytes).unwrap();
        for command in [&["show"][..], &["resume"], &["tune", "--analyse"]] {
            let arguments = [command, &["tuned"]].concat();
            says(
                &scratch,
                &arguments,
                &[&format!("line {line} of `tuned/games.csv` is not UTF-8 text")],
            );
        }
    }
}

#[test]
fn a_journal_with_the_line_ends_of_windows_says_so() {
    let scratch = played(true);
    for (journal, commands) in [
        ("out/games.csv", &["show", "resume", "rate"][..]),
        ("tuned/games.csv", &["show", "resume"]),
    ] {
        let text = scratch.read(journal);
        scratch.write(journal, &text.replace('\n', "\r\n"));
        let (folder, _) = journal.split_once('/').unwrap();
        for command in commands {
            says(
                &scratch,
                &[command, folder],
                &[&format!("the lines of `{journal}` end with CR LF"), "change them back"],
            );
        }
        scratch.write(journal, &text);
        scratch.done(&["show", folder]);
    }
}

#[test]
fn rate_warns_of_an_edited_run_as_show_does() {
    let scratch = played(false);
    let games = scratch.read("out/games.csv");
    let turned = match games.contains(",1-0,") {
        true => games.replacen(",1-0,", ",0-1,", 1),
        false => games.replacen(",0-1,", ",1-0,", 1),
    };
    assert_ne!(turned, games);
    scratch.write("out/games.csv", &turned);
    let warning = |command: &str| {
        let run = scratch.lmrlab(&[command, "out"]).assert().success();
        String::from_utf8(run.get_output().stderr.clone()).unwrap()
    };
    let said = warning("rate");
    assert!(said.contains("of `out/games.csv` was edited"), "{said}");
    assert_eq!(said, warning("show"));
}
