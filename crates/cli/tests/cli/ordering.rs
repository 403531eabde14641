//! `ordering`: who orders quiet moves, in matches, tournament files and runs that go on.

use lmrlab_engine::preset::QuietOrdering;
use lmrlab_results::manifest::Invocation;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::entrant::Entrant;

use crate::scratch::{ROUND_ROBIN, Scratch, signal, wait_until};

/// A short match into `out`, with what it says on standard error.
fn play(scratch: &Scratch, more: &[&str]) -> String {
    let output = scratch
        .lmrlab(&["match", "madchess-2.0", "none", "--nodes", "60", "--maxmoves", "30"])
        .args(["--pairs", "2", "--quiet", "--force", "--out", "out"])
        .args(more)
        .assert()
        .success()
        .get_output()
        .clone();
    String::from_utf8(output.stderr).unwrap()
}

/// What orders quiet moves for each engine of a run that is resumed.
fn resumed(scratch: &Scratch, folder: &str) -> Vec<Option<QuietOrdering>> {
    let run = Run::open(&scratch.path(folder)).unwrap();
    let invocation = Invocation {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: None,
        bench: 1,
        command: Vec::new(),
        report: false,
    };
    let (tournament, _) = run.tournament(|_| (), &invocation).unwrap();
    let own = tournament.engines.iter().filter_map(Entrant::own);
    own.map(|own| own.ordering).collect()
}

#[test]
fn the_preset_decides_unless_the_user_does() {
    let scratch = Scratch::new();
    let preset = [Some(QuietOrdering::Preset), None];
    let own = [Some(QuietOrdering::Own), None];
    for (more, ordering) in [
        (&[][..], preset),
        (&["--ordering", "own"], own),
        (&["--preset", "madchess-2015"], own),
        (&["--preset", "madchess-2015", "--ordering", "preset"], preset),
        (&["--preset", "standard@-null_move"], preset),
    ] {
        let said = play(&scratch, more);
        assert_eq!(
            said.contains("these engines order moves differently"),
            ordering == own,
            "{more:?}: {said}"
        );
        assert_eq!(resumed(&scratch, "out"), ordering, "{more:?}");
        let manifest = scratch.read("out/manifest.toml");
        let written = format!(
            "policy = \"madchess-2.0\"\nordering = \"{}\"\n",
            ordering[0].unwrap().name()
        );
        assert!(manifest.contains(&written), "{manifest}");
    }
    // What has no history that orders moves is written as before.
    let said = play(&scratch, &["--ordering", "own"]);
    insta::assert_snapshot!(said);
    let shown = scratch.done("show out");
    let printed: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.starts_with("The sides"))
        .take(2)
        .collect();
    insta::assert_snapshot!(printed.join("\n"));
    scratch.done("report out");
    let page = scratch.read("out/report.html");
    assert!(
        page.contains("The sides differ in: reductions, ordering."),
        "no contrast"
    );
    assert!(page.contains("Note: these engines order moves differently"), "no note");
    assert!(
        page.contains("quiet moves ordered by the policy&#39;s own history")
            || page.contains("quiet moves ordered by the policy's own history")
    );
}

#[test]
fn an_engine_may_have_an_ordering_of_its_own() {
    let scratch = Scratch::new();
    let sides = [
        "policy=madchess-2.0 ordering=own name=own",
        "policy=madchess-2.0 ordering=preset name=preset",
    ];
    let said = scratch
        .lmrlab(&[
            "match",
            sides[0],
            sides[1],
            "--nodes",
            "60",
            "--maxmoves",
            "30",
            "--pairs",
            "1",
            "--out",
            "out",
        ])
        .assert()
        .success()
        .get_output()
        .clone();
    let said = String::from_utf8(said.stderr).unwrap();
    assert!(
        said.contains("own by the policy's own history in `standard`; preset as the preset"),
        "{said}"
    );
    assert!(
        scratch
            .done(&["show", "out"])
            .contains("\nThe sides differ in: ordering.\n")
    );
    // The games differ, or there would be nothing to say.
    let file = |lines: &str| {
        let engines = "[[engine]]\npolicy = \"madchess-2.0\"\n[[engine]]\npolicy = \"none\"\n";
        let head = ROUND_ROBIN.split("[[engine]]").next().unwrap();
        format!("{lines}\n{head}\n{engines}")
    };
    let mut games = Vec::new();
    for ordering in ["ordering = \"own\"", "ordering = \"preset\"", ""] {
        scratch.write("t.toml", &file(ordering));
        scratch.done("run t.toml --quiet --force --out run");
        games.push(scratch.read("run/games.csv"));
    }
    assert_ne!(games[0], games[1]);
    assert_eq!(games[1], games[2]);
}

#[test]
fn what_cannot_be_asked_for() {
    let scratch = Scratch::new();
    let with = |lines: &str| {
        scratch.write("t.toml", &format!("{lines}\n{ROUND_ROBIN}"));
        scratch.refused("run t.toml --out out")
    };
    insta::assert_snapshot!(with("ordering = \"both\""));
    insta::assert_snapshot!(with("ordering = \"mine\""));
    let refused = |more: &[&str]| {
        let mut all = vec!["match"];
        all.extend(more);
        scratch.refused(&all)
    };
    let both = ["--ordering", "both"];
    let mut said = String::new();
    for more in [
        &["house", "none"][..],
        &["madchess-2.0", "none", "--sprt", "0,5"],
        &["madchess-2.0", "none", "--part", "1/2"],
        &["madchess-2.0", "none", "--json-lines"],
        &["madchess-2.0", "cmd=true"],
        &["policy=madchess-2.0 ordering=own", "none"],
    ] {
        said += &refused(&[more, &both].concat());
    }
    insta::assert_snapshot!(said);
    let said = refused(&["cmd=true ordering=own", "none"]);
    assert!(said.contains("`ordering` is for the project's own engine"), "{said}");
    let run = scratch
        .lmrlab(&[
            "match",
            "house",
            "none",
            "--ordering",
            "own",
            "--nodes",
            "50",
            "--pairs",
            "1",
            "--out",
            "x",
        ])
        .assert()
        .success()
        .get_output()
        .clone();
    let said = String::from_utf8(run.stderr).unwrap();
    assert!(
        said.contains("`ordering` changes nothing: no policy here has a history that orders moves"),
        "{said}"
    );
}

#[test]
fn the_parts_are_told_apart() {
    let scratch = Scratch::new();
    let both = [
        "match",
        "madchess-2.0",
        "none",
        "--ordering",
        "both",
        "--nodes",
        "60",
        "--maxmoves",
        "40",
    ];
    let rest = ["--pairs", "6", "--seed", "1", "--quiet", "--out", "parts"];
    let all = [&both[..], &rest].concat();
    let first = scratch.lmrlab(&all).assert().success().get_output().clone();
    assert_eq!(String::from_utf8(first.stderr).unwrap(), "");
    let text = String::from_utf8(first.stdout).unwrap();
    let table = text.split("\nParts of ").nth(1).unwrap();
    insta::assert_snapshot!(table);
    // Played already: only the table.
    let again = scratch.done(&all);
    assert_eq!(again, format!("\nParts of {table}"));
    for (folder, orders) in [
        ("reductions", [Some(QuietOrdering::Preset), None]),
        ("ordering", [Some(QuietOrdering::Own), None]),
        ("together", [Some(QuietOrdering::Own), None]),
    ] {
        assert_eq!(resumed(&scratch, &format!("parts/{folder}")), orders, "{folder}");
    }
    assert!(
        scratch
            .done(&["show", "parts/reductions"])
            .contains("\nThe sides differ in: reductions.\n")
    );
    assert!(
        scratch
            .done(&["show", "parts/ordering"])
            .contains("\nThe sides differ in: ordering.\n")
    );
    assert!(
        scratch
            .done(&["show", "parts/together"])
            .contains("\nThe sides differ in: reductions, ordering.\n")
    );
    let other = [&both[..], &["--pairs", "7", "--seed", "1", "--quiet", "--out", "parts"]].concat();
    insta::assert_snapshot!(scratch.refused(&other));
    scratch.done(&[&other[..], &["--force"]].concat());
    assert_eq!(scratch.line_count("parts/together/games.csv"), 15);
}

#[test]
#[cfg(unix)]
fn interrupted_parts_go_on_with_the_same_command() {
    let scratch = Scratch::new();
    let both = [
        "match",
        "madchess-2.0",
        "none",
        "--ordering",
        "both",
        "--nodes",
        "150",
        "--maxmoves",
        "40",
    ];
    let all = [
        &both[..],
        &["--pairs", "12", "--threads", "1", "--quiet", "--out", "parts"],
    ]
    .concat();
    let mut child = scratch.background(&all).spawn().unwrap();
    wait_until(|| scratch.line_count("parts/reductions/games.csv") > 3);
    signal(&child, "INT");
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(scratch.line_count("parts/reductions/games.csv") < 25);
    assert!(!scratch.path("parts/ordering").exists());
    let text = scratch.done(&all);
    assert!(text.contains("\nParts of madchess-2.0 vs none"), "{text}");
    assert!(text.contains("\ntogether, beyond the sum of the parts"), "{text}");
    let whole = [&both[..], &["--pairs", "12", "--quiet", "--out", "whole"]].concat();
    scratch.done(&whole);
    for part in ["reductions", "ordering", "together"] {
        let games = |folder: &str| scratch.read(&format!("{folder}/{part}/games.csv"));
        assert_eq!(games("parts"), games("whole"), "{part}");
    }
}
