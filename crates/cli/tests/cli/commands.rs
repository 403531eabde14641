//! `lmrlab perft`, `openings` and `policy`.

use std::collections::HashSet;

use lmrlab_engine::position::Position;

use crate::scratch::{Scratch, signal, wait_until};

#[test]
fn perft_counts_by_first_move() {
    let scratch = Scratch::new();
    let text = scratch.done("perft 3");
    assert_eq!(text.lines().count(), 21);
    assert!(text.contains("\ng1f3: 440\n"), "{text}");
    assert!(text.ends_with("total: 8902\n"), "{text}");
    let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    let text = scratch.done(&["perft", "1", "--fen", fen]);
    assert!(text.contains("e1g1: 1\n") && text.contains("e1c1: 1\n"), "{text}");
    assert!(text.ends_with("total: 26\n"), "{text}");
    assert_eq!(scratch.done("perft 0"), "total: 1\n");
}

#[test]
fn wrong_perft_input() {
    let scratch = Scratch::new();
    insta::assert_snapshot!("perft_fen", scratch.refused("perft 2 --fen '8/8/8 w - -'"));
    scratch.refused("perft");
}

#[test]
fn openings_are_made_checked_and_not_overwritten() {
    let scratch = Scratch::new();
    let make = "openings make --count 6 --nodes 100 --move-nodes 50 --out made.epd";
    assert_eq!(scratch.done(make), "6 openings in made.epd\n");
    let made = scratch.read("made.epd");
    let head: Vec<&str> = made.lines().take_while(|line| line.starts_with('#')).collect();
    insta::assert_snapshot!("head_of_played_openings", head.join("\n"));
    assert_eq!(made.lines().count(), head.len() + 6);
    let refused = scratch.refused(make);
    assert!(refused.contains("--force"), "{refused}");
    // The command in the head makes the same file, on any number of threads.
    let command = head.last().unwrap().strip_prefix("# lmrlab ").unwrap();
    scratch.done(&format!("{command} --threads 1 --out made.epd --force"));
    assert_eq!(scratch.read("made.epd"), made);
    let text = scratch.done("openings check made.epd");
    assert_eq!(text, "made.epd: 6 openings, all playable\n");

    scratch.done("openings make --count 6 --nodes 100 --method random --out random.epd");
    let random = scratch.read("random.epd");
    let head: Vec<&str> = random.lines().take_while(|line| line.starts_with('#')).collect();
    insta::assert_snapshot!("head_of_random_openings", head.join("\n"));
    let of_white = random.lines().skip(head.len()).filter(|line| line.contains(" w "));
    assert_eq!(of_white.count(), 6);
    let nowhere = "openings make --count 1 --out no/such/folder.epd";
    assert!(scratch.refused(nowhere).contains("there is no folder"));
}

#[test]
fn options_of_openings_that_contradict_each_other() {
    let scratch = Scratch::new();
    for (options, message) in [
        ("--min-score 50", "--min-score 50 is above --max-score 40"),
        ("--method random --margin 9", "--margin has no effect on random moves"),
        (
            "--method random --move-nodes 9",
            "--move-nodes has no effect on random moves",
        ),
        ("--plies 10-8", "expected a number from 1 to 40, or two such as 8-10"),
        ("--plies 0", "expected a number from 1 to 40"),
        ("--plies 8-41", "expected a number from 1 to 40"),
    ] {
        let text = scratch.refused(&format!("openings make --out made.epd {options}"));
        assert!(text.contains(message), "{options:?}: {text}");
    }
}

#[cfg(unix)]
#[test]
fn interrupted_openings_leave_no_file() {
    let scratch = Scratch::new();
    let before = scratch.files();
    let make = "openings make --count 100000 --out made.epd";
    let mut child = scratch.background(make).spawn().unwrap();
    let is_begun = |file: &std::path::PathBuf| file.to_string_lossy().contains(".lmrlab-");
    wait_until(|| scratch.files().iter().any(is_begun));
    // The handler is set right after the file is begun.
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(signal(&child, "INT"));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert_eq!(scratch.files(), before);
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
    insta::assert_snapshot!(scratch.done("policy show rebel-starter --depths 6"));
    scratch.done("policy show madchess-2.0 --out shown --report --depths 4 --moves 20");
    let csv = scratch.read("shown/reductions.csv");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("depth,moves_searched,plies,other_plies"));
    assert_eq!(lines.clone().count(), 4 * 21);
    assert!(scratch.read("shown/report.html").contains("Plies of reduction"));
    assert!(scratch.done("show shown").contains("Plies of reduction"));
    // The fifteenth quiet move, with depth to spare.
    assert!(lines.any(|line| line == "4,14,3,"), "{csv}");
}

#[test]
fn policies_are_checked_together() {
    let scratch = Scratch::new();
    let text = scratch.done("policy check none configs/policies/micromax-4.toml rebel-starter@bad=-400");
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
    insta::assert_snapshot!(scratch.refused("policy check wrong.toml"));
    let both = scratch.refused("policy check wrong.toml mediocre-2008");
    assert!(both.contains("nothing is called `depht`"), "{both}");
    assert!(both.contains("did you mean `mediocre-2007`?"), "{both}");
}

#[test]
fn the_project_lists_its_policies_and_facts() {
    let scratch = Scratch::new();
    let list = scratch.done("policy list");
    for name in ["none", "mediocre-2007", "micromax-4", "rebel-starter", "madchess-2.0"] {
        assert!(list.contains(name), "{list}");
    }
    let facts = scratch.done("policy facts");
    assert!(facts.contains("moves_searched"), "{facts}");
}
