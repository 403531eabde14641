//! `lmrlab fastchess`, and the words of other match runners that `lmrlab match` reads.

use crate::scratch::{Scratch, misbehaving_engine};
use lmrlab_results::rows::games::GameRow;

/// What there is to compare: all but the times.
fn played(games: &[GameRow]) -> Vec<(u64, String, String, u64, String)> {
    let row = |game: &GameRow| {
        let (white, fen) = (game.white.clone(), game.fen.clone());
        (game.opening, white, fen, game.plies, game.moves.to_string())
    };
    games.iter().map(row).collect()
}

#[test]
fn a_translated_line_and_the_command_that_it_prints_play_the_same_games() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let output = scratch
        .lmrlab(&format!(
            "fastchess --run --out translated fastchess -engine cmd={program} args='behave --ms 0' name=A -engine cmd={program} \
             args=behave name='the b' -each nodes=1000 option.Hash=1 -rounds 3 -repeat -concurrency 1 -openings \
             file=positions/openings.epd format=epd order=sequential start=3 -maxmoves 6 -recover -ratinginterval 5"
        ))
        .assert()
        .success()
        .get_output()
        .clone();
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert!(
        err.contains("note: `-ratinginterval 5`: lmrlab shows progress"),
        "{err}"
    );
    assert!(out.contains("Results are in translated"), "{out}");
    let games = scratch.journal("translated/games.csv");
    assert_eq!(
        games.iter().map(|game| game.opening).collect::<Vec<_>>(),
        [3, 3, 4, 4, 5, 5]
    );
    assert!(games.iter().all(|game| game.plies <= 12));
    assert_eq!([&*games[0].white, &*games[0].black], ["A", "the b"]);

    let printed = out.lines().next().unwrap().strip_prefix("lmrlab ").unwrap();
    assert!(scratch.refused(printed).contains("exists already"));
    scratch.done(&printed.replace("--out translated", "--out again"));
    assert_eq!(played(&scratch.journal("again/games.csv")), played(&games));
}

#[test]
fn without_recover_a_crash_stops_the_match_and_an_illegal_move_does_not() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let play = |habit: &str, more: &str, out: &str| {
        let line = format!(
            "fastchess --run --out {out} -engine cmd={program} name=bad args='{habit} --search 1' -engine cmd={program} name=good \
             args=behave -each nodes=10 option.Hash=1 -rounds 3 -maxmoves 5 {more}"
        );
        let output = scratch.lmrlab(&line).output().unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        let games = scratch.journal(&format!("{out}/games.csv")).len();
        (output.status.code(), games, complaint)
    };
    let (status, games, complaint) = play("illegal-move", "", "illegal");
    assert_eq!((status, games), (Some(0), 6), "{complaint}");
    let (status, games, complaint) = play("crash-in-search", "", "crash");
    assert_eq!((status, games), (Some(1), 2), "{complaint}");
    let expected = "`bad` has lost a game by a crash or a stall; in game 1 it";
    assert!(complaint.contains(expected), "{complaint}");
    let (status, games, complaint) = play("crash-in-search", "-recover", "recovered");
    assert_eq!((status, games), (Some(0), 6), "{complaint}");
}

#[test]
fn a_move_may_have_several_limits() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    scratch.done(&format!(
        "match 'cmd={program} args=behave name=a tc=100 depth=3' house --tc 50+0.5 --nodes 700 --pairs 1 --maxmoves 3 --quiet \
         --log a.log --out typed"
    ));
    let log = scratch.read("a.log");
    assert!(log.contains(" > go wtime 100000 btime "), "{log}");
    let mut searches = log.lines().filter(|line| line.contains(" > go "));
    assert!(searches.all(|line| line.ends_with(" depth 3")), "{log}");
    let games = scratch.journal("typed/games.csv");
    // Without the limit of nodes, a clock of 50 s gives many more.
    for nodes in [games[0].black_nodes, games[1].white_nodes] {
        assert!((1..=3 * 700).contains(&nodes), "{games:?}");
    }
}

#[test]
fn options_that_lmrlab_does_not_have_are_named() {
    let scratch = Scratch::new();
    let refused = |more: &str| scratch.refused(&format!("fastchess -engine cmd=a -engine cmd=b -each nodes=5 {more}"));
    let errors = refused("-tb tables -tbadjudicate DRAW -noswap -log file=x");
    for named in ["error: `-tbadjudicate DRAW`", "error: `-noswap`", "note: `-log "] {
        assert!(errors.contains(named), "{named} in {errors}");
    }
    // Values are read by `lmrlab match`, which need not play for that.
    let error = refused("-maxmoves 0");
    let expected = "the command is wrong:\nerror: invalid value '0' for '--maxmoves <N>'";
    assert!(error.contains(expected), "{error}");
}

#[test]
fn words_of_other_runners_mean_what_they_mean_there() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let [a, b] = ["A", "B"].map(|name| format!("cmd={program} args=behave name={name}"));
    let match_of = |words: &str, out: &str| {
        scratch.done(&format!("match {words} --order sequential --quiet --out {out}"));
        scratch.journal(&format!("{out}/games.csv"))
    };
    let games = match_of(
        &format!("'{a}' '{b}' --nodes 1000 --pairs 2 --maxmoves 4 --threads 1"),
        "plain",
    );
    assert_eq!(games.len(), 4);
    for (index, words) in [
        "--nodes 1k --rounds 2 --games 2 --maxmoves 4 --concurrency 1",
        "--each 'nodes=1e3 option.Hash=1' --games 4 --maxmoves 4 --threads 1",
    ]
    .into_iter()
    .enumerate()
    {
        let other = match_of(&format!("'{a}' '{b}' {words}"), &format!("other-{index}"));
        assert_eq!(played(&other), played(&games), "{words}");
    }
    let manifest = scratch.read("other-1/manifest.toml");
    assert!(manifest.contains("nodes = 1000"), "{manifest}");
    assert_eq!(manifest.matches("Hash = \"1\"").count(), 2, "{manifest}");

    // An engine's own words come first, and a policy has no options.
    let own = "nodes=500 option.Hash=2 restart=on proto=uci";
    let words = format!("'{a} {own}' house --each 'nodes=30 option.Hash=1' --pairs 1 --maxmoves 2");
    match_of(&words, "mixed");
    let manifest = scratch.read("mixed/manifest.toml");
    for part in ["nodes = 500", "nodes = 30", "Hash = \"2\"", "restart = \"game\""] {
        assert!(manifest.contains(part), "{part} in {manifest}");
    }
    assert!(!manifest.contains("Hash = \"1\""), "{manifest}");

    for (words, complaint) in [
        ("--games 7", "write `--games 8` or `--pairs 4`"),
        ("--games 4 --rounds 3", "each has two games, one with each colour"),
        ("--each option.Hash=4", "no engine is a program"),
        ("--each name=x", "`name` belongs to one engine, and not into `--each`"),
        ("--each tc=1 --nodes 5", "`--each` has a limit"),
        ("--each proto=xboard", "`uci`, the only protocol"),
        ("--pairs 1.5", "a whole number is needed, as in 20000, 20k, 2e4 or 1.5M"),
        ("--order backwards", "[possible values: random, sequential]"),
    ] {
        let message = scratch.refused(&format!("match house none {words}"));
        assert!(message.contains(complaint), "{complaint} in {message}");
    }
}

#[test]
fn numbers_that_look_like_mistakes_give_a_warning() {
    let scratch = Scratch::new();
    let clock = "the clock 60000+600 has 16.7 hours and 600 s more for each move, because its numbers are seconds; if they are meant as \
                 milliseconds, write 60+0.6";
    let resign = "for 400 centipawns and 4 moves write `--resign 4,400`";
    for (words, warning) in [
        ("--resign 400,4", Some(resign)),
        ("--tc 60000+600", Some(clock)),
        ("--resign 10,0", None),
        ("--tc 1:30+0.5", None),
    ] {
        // The program is no engine, so that no game is played.
        let message = scratch.refused(&format!("match cmd=true none --pairs 5 {words}"));
        let warned = warning.map_or_else(|| !message.contains("warning"), |text| message.contains(text));
        assert!(warned, "{words}: {message}");
    }
}

#[cfg(unix)]
#[test]
fn a_program_in_the_place_of_a_policy_is_named_so() {
    use std::fs::{Permissions, create_dir, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let scratch = Scratch::new();
    scratch.write("engine", "#!/bin/sh\n");
    create_dir(scratch.path("folder")).unwrap();
    let refused = |command: &str, complaints: &[&str]| {
        let message = scratch.refused(command);
        for complaint in complaints {
            assert!(message.contains(complaint), "{complaint} in {message}");
        }
    };
    refused(
        "match cmd=./engine none",
        &["`./engine` is a file that may not be executed", "chmod +x ./engine"],
    );
    set_permissions(scratch.path("engine"), Permissions::from_mode(0o755)).unwrap();
    for command in ["match ./engine none", "bench ./engine"] {
        refused(
            command,
            &["`./engine` is a program, and no policy", "write `cmd=./engine`"],
        );
    }
    refused("match ./folder none", &["`./folder` is a directory, and no policy"]);
    refused("match cmd=./folder none", &["`./folder` is a directory, not a program"]);
    refused("match cmd=engine none", &["for the file of this name write `./engine`"]);
    // A policy that may be executed is one.
    scratch.write("mine", &scratch.read("configs/policies/none.toml"));
    set_permissions(scratch.path("mine"), Permissions::from_mode(0o755)).unwrap();
    scratch.done("policy show ./mine");
}
