//! Single games of a run: as PGN, and on its page.

use predicates::prelude::*;

use crate::scratch::{ROUND_ROBIN, Scratch};

fn played() -> Scratch {
    let scratch = Scratch::new();
    scratch.write("t.toml", ROUND_ROBIN);
    scratch.done("run t.toml --quiet --out out");
    scratch
}

#[test]
fn a_game_is_printed_as_it_is_in_games_pgn() {
    let scratch = played();
    let all = scratch.read("out/games.pgn");
    let games: Vec<&str> = all.split_inclusive("\n\n").collect();
    // Tags and moves of a game are two paragraphs.
    assert_eq!(
        scratch.done("show out --game 3 --game 1"),
        [games[4], games[5], games[0], games[1]].concat()
    );
    let message = scratch.refused("show out --game 900");
    assert!(message.contains("`out` has no game 900"), "{message}");
    assert!(message.contains("its games have the numbers 1 to "), "{message}");
}

#[test]
fn a_game_that_is_asked_for_comes_first_on_the_page() {
    let scratch = played();
    let first = |page: &str| {
        let games = page
            .split("<script type=\"application/json\">[{\"game\":")
            .nth(1)
            .unwrap();
        games.split(',').next().unwrap().to_owned()
    };
    scratch.done("report out");
    assert_eq!(first(&scratch.read("out/report.html")), "1");
    scratch.done("report out --game 4 --out page.html");
    assert_eq!(first(&scratch.read("page.html")), "4");
    scratch
        .lmrlab(&["report", "out", "--game", "900", "--out", "other.html"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("`out` has no game 900"));
    assert!(!scratch.path("other.html").exists());
}
