//! `lmrlab perft`, `openings` and `policy`.

use std::collections::HashSet;

use lmrlab_engine::position::Position;

use crate::scratch::{DEFAULT_OPENINGS, OPENINGS, Scratch, signal, wait_until};

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
        "openings",
        "make",
        "--count",
        "6",
        "--nodes",
        "100",
        "--move-nodes",
        "50",
        "--seed",
        "5",
        "--out",
        "made.epd",
    ];
    assert_eq!(scratch.done(&make), "6 openings in made.epd\n");
    let made = scratch.read("made.epd");
    assert_eq!(made.lines().filter(|line| !line.starts_with('#')).count(), 6);
    let refused = scratch.refused(&make);
    assert!(refused.contains("--force"), "{refused}");
    scratch.done(&[&make[..], &["--force"]].concat());
    assert_eq!(
        scratch.read("made.epd"),
        made,
        "the same recipe makes the same openings"
    );
    let text = scratch.done(&["openings", "check", "made.epd"]);
    assert_eq!(text, "made.epd: 6 openings, all playable\n");
    let nowhere = ["openings", "make", "--count", "1", "--out", "no/such/folder.epd"];
    assert!(scratch.refused(&nowhere).contains("there is no folder"));
}

#[test]
fn a_book_says_how_it_was_made() {
    let scratch = Scratch::new();
    let make = [
        "openings",
        "make",
        "--count",
        "6",
        "--nodes",
        "100",
        "--move-nodes",
        "50",
        "--out",
        "made.epd",
    ];
    scratch.done(&make);
    let made = scratch.read("made.epd");
    let head: Vec<&str> = made.lines().take_while(|line| line.starts_with('#')).collect();
    insta::assert_snapshot!("head_of_played_openings", head.join("\n"));
    // The command in the head makes the same file, on any number of threads.
    let command = head.last().unwrap().strip_prefix("# lmrlab ").unwrap();
    let mut again: Vec<&str> = command.split(' ').collect();
    again.extend(["--threads", "1", "--out", "again.epd"]);
    scratch.done(&again);
    assert_eq!(scratch.read("again.epd"), made);

    scratch.done(
        &[
            &make[..4],
            &["--nodes", "100", "--method", "random", "--out", "random.epd"],
        ]
        .concat(),
    );
    let random = scratch.read("random.epd");
    let head: Vec<&str> = random.lines().take_while(|line| line.starts_with('#')).collect();
    insta::assert_snapshot!("head_of_random_openings", head.join("\n"));
    assert_eq!(
        random
            .lines()
            .skip(head.len())
            .filter(|line| line.contains(" w "))
            .count(),
        6
    );
}

#[test]
fn options_of_openings_that_contradict_each_other() {
    let scratch = Scratch::new();
    for (options, message) in [
        (&["--min-score", "50"][..], "--min-score 50 is above --max-score 40"),
        (
            &["--method", "random", "--margin", "9"],
            "--margin has no effect on random moves",
        ),
        (
            &["--method", "random", "--move-nodes", "9"],
            "--move-nodes has no effect on random moves",
        ),
        (
            &["--plies", "10-8"],
            "expected a number from 1 to 40, or two such as 8-10",
        ),
        (&["--plies", "0"], "expected a number from 1 to 40"),
        (&["--plies", "8-41"], "expected a number from 1 to 40"),
    ] {
        let text = scratch.refused(&[&["openings", "make", "--out", "made.epd"], options].concat());
        assert!(text.contains(message), "{options:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_openings_leave_no_file() {
    let scratch = Scratch::new();
    let before = scratch.files();
    let make = ["openings", "make", "--count", "100000", "--out", "made.epd"];
    let mut child = scratch.background(&make).spawn().unwrap();
    let is_begun = |file: &std::path::PathBuf| file.to_string_lossy().contains(".lmrlab-");
    wait_until(|| scratch.files().iter().any(is_begun));
    // The handler is set right after the file is begun.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(signal(&child, "INT"));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(scratch.files(), before);
}

#[test]
fn a_match_without_openings_takes_the_default_book() {
    let scratch = Scratch::new();
    let game = [
        "match",
        "none",
        "micromax-4",
        "--pairs",
        "1",
        "--nodes",
        "50",
        "--quiet",
        "--out",
        "out",
    ];
    scratch.lmrlab(&game).assert().success();
    let manifest: toml::Table = scratch.read("out/manifest.toml").parse().unwrap();
    let used = manifest["tournament"]["openings"]["file"].as_str();
    assert_eq!(used, Some(DEFAULT_OPENINGS));
}

#[test]
fn the_shipped_book_is_what_its_head_says() {
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/book.epd");
    let scratch = Scratch::new();
    let text = scratch.done(&["openings", "check", book]);
    assert_eq!(text, format!("{book}: 5000 openings, all playable\n"));
    let book = std::fs::read_to_string(book).unwrap();
    assert!(book.starts_with("# 5000 openings"), "{}", &book[..80]);
    let mut keys = HashSet::new();
    let mut black = 0;
    for line in book.lines().filter(|line| !line.starts_with('#')) {
        let position = Position::from_fen(line).unwrap();
        assert!(!position.in_check(), "{line}");
        assert!(keys.insert(position.key()), "{line} comes twice");
        black += usize::from(line.contains(" b "));
    }
    assert!((2_000..=3_000).contains(&black), "{black} of 5000 with Black to move");
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
        "-",
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

/// The published table of Stockfish 1.7 is in half-plies and has no limit by depth.
#[test]
fn a_policy_is_shown_in_half_plies_and_in_real_numbers() {
    let scratch = Scratch::new();
    let cells = |words: &[&str]| -> Vec<(f64, f64, f64)> {
        let csv = scratch.done(
            &[
                &["policy", "show", "--csv", "-", "--depths", "32", "--moves", "60"],
                words,
            ]
            .concat(),
        );
        let lines = csv.lines().skip(1).map(|line| {
            let cells: Vec<f64> = line.split(',').map(|cell| cell.parse().unwrap()).collect();
            (cells[0], cells[1] + 1.0, cells[2])
        });
        lines.collect()
    };
    let formula = |depth: f64, number: f64| 0.5 + depth.ln() * number.ln() / 3.0;
    let half_plies = cells(&["stockfish-1.7", "--unit", "half-ply"]);
    assert_eq!(half_plies.len(), 32 * 61);
    for (depth, number, found) in half_plies {
        let plies = formula(depth, number);
        let expected = if depth >= 3.0 && plies >= 1.0 {
            (2.0 * plies).floor()
        } else {
            0.0
        };
        assert_eq!(found, expected, "depth {depth}, move {number}");
    }
    // Without a cut to the remaining depth, what is shown is the real number without its fraction.
    let plies = cells(&["logarithm@finish.floor=-256"]);
    for ((depth, number, whole), (.., real)) in plies.iter().zip(cells(&["logarithm", "--real"])) {
        assert_eq!(*whole, real.trunc(), "depth {depth}, move {number}");
    }
    let usual = cells(&["logarithm"]);
    let cut: Vec<_> = usual
        .iter()
        .zip(&plies)
        .filter(|(usual, plies)| usual != plies)
        .collect();
    assert!(!cut.is_empty());
    for ((depth, number, usual), (.., plies)) in cut {
        assert!(*usual == depth - 2.0 && plies > usual, "depth {depth}, move {number}");
    }

    let show = |words: &[&str]| scratch.done(&[&["policy", "show", "--depths", "5", "--moves", "12"], words].concat());
    insta::assert_snapshot!("half_plies", show(&["stockfish-1.7", "--unit", "half-ply"]));
    insta::assert_snapshot!("real_numbers", show(&["logarithm", "--real"]));
    insta::assert_snapshot!(
        "difference_in_half_plies",
        show(&["stockfish-1.7", "--unit", "half-ply", "--diff", "stockfish-1.8"])
    );
    let csv = scratch.done(&[
        "policy",
        "show",
        "logarithm",
        "--unit",
        "1024th",
        "--real",
        "--csv",
        "-",
        "--diff",
        "none",
    ]);
    assert!(
        csv.starts_with("depth,moves_searched,ply_1024ths,other_ply_1024ths\n"),
        "{csv}"
    );
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
