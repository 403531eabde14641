//! `lmrlab record`: ideas and reports of a made-up record, its cells, interruptions and refusals.

use crate::scratch::Scratch;

const PLAIN: &str = r#"
name = "plain"
when = "depth >= 2 and moves_searched >= 2 and quiet"
reduce = "1"
"#;

const MORE: &str = r#"
name    = "more"
extends = "plain.toml"
[[rule]]
name = "late"
when = "moves_searched >= 4"
add  = "1"
"#;

const LATE: &str = r#"
idea     = "Reduces late moves by one ply more."
category = "move"
[[comparison]]
on      = "plain"
with    = "../policies/more.toml"
against = "../policies/plain.toml"
[[comparison]]
on      = "none"
with    = "../policies/more.toml@-late"
against = "none"
"#;

const CHECK: &str = r#"
idea     = "Reduces moves that give check less."
category = "move"
[[comparison]]
on      = "house"
with    = "house"
against = "house@-gives-check"
"#;

const REPORTS: &str = "\
idea,kind,engine,year,stage,tc,elo,elo_error_95,games,counts,bounds,outcome,url
late,add,one,2020,STC,8+0.08,5.19,3.87,12986,\"[244, 1582, 2716, 1638, 313]\",\"[0,5]\",passed,https://example.org/1
late,remove,two,2021,LTC,40+0.4,-2.0,1.5,40000,,\"[-3,1]\",failed,https://example.org/2
late,form,two,2021,LTC,40+0.4,80.0,1.5,40000,,,,https://example.org/3
check,add,one,2020,STC,8+0.08,,,,W/L/D 300/310/500,,,https://example.org/4
other,add,one,2020,STC,8+0.08,3.0,1.0,,,,,https://example.org/5
";

/// A file of cells that has none.
const NO_CELLS: &str = "idea,on,surrounding,match_nodes,seed,digest,n_ll,n_ld,n_dd_wl,n_wd,n_ww\n";

const CONDITIONS: [&str; 13] = [
    "record",
    "--record",
    "rec",
    "--presets",
    "minimal,fruit-2005@-killers,standard@hash=2",
    "--nodes",
    "60",
    "--openings",
    "positions/openings.epd",
    "--hash",
    "1",
    "--quiet",
    "--force",
];

fn project() -> Scratch {
    let scratch = Scratch::new();
    for (name, text) in [
        ("policies/plain.toml", PLAIN),
        ("policies/more.toml", MORE),
        ("ideas/late.toml", LATE),
        ("ideas/check.toml", CHECK),
        ("reports.csv", REPORTS),
        ("none.csv", NO_CELLS),
    ] {
        scratch.write(&format!("rec/{name}"), text);
    }
    scratch
}

fn with<'w>(more: &[&'w str]) -> Vec<&'w str> {
    [&CONDITIONS[..], more].concat()
}

/// Without the published cells: they grow, and these figures stay.
fn alone<'w>(more: &[&'w str]) -> Vec<&'w str> {
    with(&[&["--borrow", "rec/none.csv"], more].concat())
}

fn rows(csv: &str) -> Vec<Vec<String>> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows = reader
        .records()
        .map(|row| row.unwrap().iter().map(str::to_owned).collect());
    rows.collect()
}

#[test]
fn a_measurement_goes_on_from_its_cells_and_its_games_are_those_of_matches() {
    let scratch = project();
    let output = scratch
        .lmrlab(&alone(&["--pairs", "28", "--csv", "ideas.csv", "--report"]))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
    let note = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        note,
        "note: no file expresses these ideas of the reports: other\nThe page is ideas.html\n"
    );
    let page = scratch.read("ideas.html");
    for text in [
        "3 of 3 engines' results (100.0%) lie in the interval",
        "record-all",
        "late: here ",
    ] {
        assert!(page.contains(text), "{text}");
    }
    let cells = scratch.read("rec/cells.csv");
    let pairs = |row: &[String]| row[6..].iter().map(|count| count.parse::<u64>().unwrap()).sum::<u64>();
    let of = |idea: &str| {
        rows(&cells)
            .iter()
            .filter(|row| row[0] == idea)
            .map(|row| pairs(row))
            .sum::<u64>()
    };
    assert_eq!((of("late"), of("check")), (28, 28));

    // What is published is built in, and tells how large ideas are.
    let said = scratch.done(&with(&["--no-play", "--cells", "rec/cells.csv"]));
    let common = said.lines().find(|line| line.starts_with("Common to ")).unwrap();
    assert!(!common.starts_with("Common to 2 ideas"), "{common}");

    // In parts, on other threads, and idea by idea.
    let elsewhere = |more: &[&str]| {
        let threads = ["--cells", "other.csv", "--threads", "3"];
        scratch.done(&[&alone(&threads)[..], more].concat())
    };
    elsewhere(&["late", "--pairs", "12"]);
    elsewhere(&["--pairs", "20"]);
    let shown = elsewhere(&["--pairs", "28"]);
    assert_eq!(scratch.read("other.csv"), cells);
    assert_eq!(elsewhere(&["--no-play"]), shown);

    let row = rows(&cells)
        .into_iter()
        .find(|row| row[0] == "late" && row[1] == "none" && row[2] == "standard@hash=2")
        .unwrap();
    let played = pairs(&row).to_string();
    scratch.done(&[
        "match",
        "rec/policies/more.toml@-late",
        "none",
        "--preset",
        "standard",
        "--hash",
        "2",
        "--nodes",
        &row[3],
        "--pairs",
        &played,
        "--seed",
        &row[4],
        "--openings",
        "positions/openings.epd",
        "--out",
        "match",
        "--quiet",
    ]);
    let counts = rows(&scratch.read("match/pairs.csv")).pop().unwrap();
    assert!(
        counts.windows(5).any(|window| window == &row[6..]),
        "{counts:?} {row:?}"
    );

    // Cells of another policy are not mixed with these.
    scratch.write(
        "rec/policies/plain.toml",
        &format!("# A comment alone changes nothing.\n{PLAIN}"),
    );
    elsewhere(&["--pairs", "28"]);
    scratch.write("rec/policies/plain.toml", &PLAIN.replace("depth >= 2", "depth >= 3"));
    let complaint = scratch.refused(&alone(&["--pairs", "28"]));
    assert!(
        complaint.contains("the first of them: late on plain in minimal at "),
        "{complaint}"
    );
    scratch.done(&alone(&["--no-play"]));
    assert_eq!(scratch.read("rec/cells.csv"), cells);
    scratch.done(&alone(&["--pairs", "28", "--replay"]));
    let again = scratch.read("rec/cells.csv");
    assert_ne!(again, cells);
    let others = |cells: &str| {
        rows(cells)
            .into_iter()
            .filter(|row| row[0] == "check")
            .collect::<Vec<_>>()
    };
    assert_eq!(others(&again), others(&cells));
}

#[test]
fn wrong_input_is_named_before_a_game_is_played() {
    let mut said = String::new();
    let mut refuse = |scratch: &Scratch, more: &[&str]| {
        let complaint = scratch.refused(&with(more));
        said += &format!("$ lmrlab record {}\n{complaint}\n", more.join(" "));
        assert!(!scratch.path("rec/cells.csv").exists());
    };
    let scratch = project();
    refuse(&scratch, &["lat"]);
    refuse(&scratch, &["late", "late"]);
    refuse(&scratch, &["--nodes", "60,60"]);
    refuse(&scratch, &["--borrow", "nothing.csv"]);
    scratch.write("cells.csv", "idea,on\n");
    refuse(&scratch, &["--cells", "cells.csv"]);
    for (file, from, to) in [
        ("ideas/late.toml", "category", "categry"),
        ("ideas/late.toml", "../policies/more.toml\"", "../policies/mor.toml\""),
        ("ideas/late.toml", "\"none\"\nwith", "\"plain\"\nwith"),
        ("ideas/late.toml", "more.toml\"", "plain.toml\""),
        ("ideas/check.toml", "house@-gives-check", "house@-gives-chek"),
        ("ideas/check.toml", "\"house\"\nagainst", "\"hose\"\nagainst"),
        ("policies/more.toml", "moves_searched", "moves_seached"),
        ("reports.csv", "https://example.org/2", ""),
    ] {
        let scratch = project();
        let name = format!("rec/{file}");
        scratch.write(&name, &scratch.read(&name).replacen(from, to, 1));
        refuse(&scratch, &[]);
    }
    let scratch = Scratch::new();
    refuse(&scratch, &[]);
    insta::assert_snapshot!(said);
}
