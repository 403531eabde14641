//! `lmrlab perft`, `openings` and `policy`.

use crate::scratch::{OPENINGS, Scratch};

#[test]
fn perft_counts_by_first_move() {
    let scratch = Scratch::new();
    let text = scratch.done(&["perft", "3"]);
    assert_eq!(text.lines().count(), 21);
    assert!(text.contains("\ng1f3: 440\n"), "{text}");
    assert!(text.ends_with("total: 8902\n"), "{text}");
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let text = scratch.done(&["perft", "1", "--fen", fen]);
    assert!(text.contains("e1g1: 1\n") && text.contains("e1c1: 1\n"), "{text}");
    assert!(text.ends_with("total: 26\n"), "{text}");
    assert_eq!(scratch.done(&["perft", "0"]), "total: 1\n");
}

#[test]
fn a_perft_suite_passes_or_names_what_does_not() {
    let scratch = Scratch::new();
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    scratch.write("good.epd", &format!("{start} ;D1 20 ;D2 400 ;D3 8902 ;D6 119060324\n"));
    let text = scratch.done(&["perft", "--epd", "good.epd", "--max-nodes", "10000"]);
    assert_eq!(text, "3 passed, 0 failed, 1 skipped\n");

    scratch.write("bad.epd", &format!("{start} ;D1 20 ;D2 401\n"));
    let run = scratch
        .lmrlab(&["perft", "--epd", "bad.epd"])
        .assert()
        .code(1)
        .get_output()
        .clone();
    let text = String::from_utf8(run.stdout).unwrap();
    assert_eq!(
        text,
        format!("bad.epd:1: depth 2: counted 400, expected 401: {start}\n1 passed, 1 failed\n")
    );
}

#[test]
fn wrong_perft_input() {
    let scratch = Scratch::new();
    scratch.write("suite.epd", "nonsense ;D1 20\n");
    insta::assert_snapshot!("perft_suite", scratch.refused(&["perft", "--epd", "suite.epd"]));
    insta::assert_snapshot!("perft_fen", scratch.refused(&["perft", "2", "--fen", "8/8/8 w - -"]));
    scratch.refused(&["perft"]);
    scratch.refused(&["perft", "--epd", "missing.epd"]);
}

#[test]
fn openings_are_made_checked_and_not_overwritten() {
    let scratch = Scratch::new();
    let make = [
        "openings", "make", "--count", "12", "--nodes", "300", "--seed", "5", "--out", "made.epd",
    ];
    assert_eq!(scratch.done(&make), "12 openings in made.epd\n");
    let made = scratch.read("made.epd");
    assert_eq!(made.lines().count(), 12);
    let refused = scratch.refused(&make);
    assert!(refused.contains("--force"), "{refused}");
    scratch.done(&[&make[..], &["--force"]].concat());
    assert_eq!(
        scratch.read("made.epd"),
        made,
        "the same recipe makes the same openings"
    );
    let text = scratch.done(&["openings", "check", "made.epd"]);
    assert_eq!(text, "made.epd: 12 openings, all playable\n");
    let nowhere = ["openings", "make", "--count", "1", "--out", "no/such/folder.epd"];
    assert!(scratch.refused(&nowhere).contains("there is no folder"));
}

#[test]
fn a_policy_is_shown_as_a_table_and_as_csv() {
    let scratch = Scratch::new();
    insta::assert_snapshot!(scratch.done(&["policy", "show", "rebel-starter", "--depths", "6"]));
    let csv = scratch.done(&[
        "policy",
        "show",
        "madchess-2.0",
        "--csv",
        "--depths",
        "4",
        "--moves",
        "20",
    ]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("depth,moves_searched,plies"));
    assert_eq!(lines.clone().count(), 4 * 21);
    // The fifteenth quiet move, with depth to spare.
    assert!(lines.any(|line| line == "4,14,3"), "{csv}");
}

#[test]
fn policies_are_checked_together() {
    let scratch = Scratch::new();
    let text = scratch.done(&[
        "policy",
        "check",
        "none",
        "configs/policies/micromax-4.toml",
        "rebel-starter@bad=-400",
    ]);
    assert_eq!(
        text,
        "none: none is fine\n\
         configs/policies/micromax-4.toml: micromax-4 is fine\n\
         rebel-starter@bad=-400: rebel-starter is fine\n"
    );
    scratch.write(
        "wrong.toml",
        "name = \"wrong\"\nwhen = \"depht >= 3 and quiet\"\nreduce = \"1 +\"\n[param]\nx = 3\n",
    );
    insta::assert_snapshot!(scratch.refused(&["policy", "check", "wrong.toml"]));
    let both = scratch.refused(&["policy", "check", "wrong.toml", "mediocre-2008"]);
    assert!(both.contains("nothing is called `depht`"), "{both}");
    assert!(both.contains("did you mean `mediocre-2007`?"), "{both}");
}

#[test]
fn the_project_lists_its_policies_and_facts() {
    let scratch = Scratch::new();
    let list = scratch.done(&["policy", "list"]);
    for name in ["none", "mediocre-2007", "micromax-4", "rebel-starter", "madchess-2.0"] {
        assert!(list.contains(name), "{list}");
    }
    let facts = scratch.done(&["policy", "facts"]);
    assert!(facts.contains("moves_searched"), "{facts}");
}

#[test]
fn every_command_explains_itself() {
    let scratch = Scratch::new();
    for command in [
        &["run"][..],
        &["match"],
        &["perft"],
        &["openings", "make"],
        &["openings", "check"],
        &["policy", "check"],
        &["policy", "show"],
    ] {
        let text = scratch.done(&[command, &["--help"]].concat());
        assert!(text.contains("Example"), "{command:?} has no example:\n{text}");
    }
    assert!(scratch.path(OPENINGS).is_file());
}
