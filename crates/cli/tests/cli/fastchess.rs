//! `lmrlab fastchess`, and the words of other match runners that `lmrlab match` reads.

use crate::scratch::{Scratch, misbehaving_engine};
use lmrlab_results::games::GameRow;

/// What there is to compare: all but the times.
fn played(games: &[GameRow]) -> Vec<(u64, String, String, u64, String)> {
    let row = |game: &GameRow| {
        (
            game.opening,
            game.white.clone(),
            game.fen.clone(),
            game.plies,
            game.moves.to_string(),
        )
    };
    games.iter().map(row).collect()
}

#[test]
fn a_translated_line_and_the_command_that_it_prints_play_the_same_games() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let line = format!(
        "fastchess -engine cmd={program} args='behave --ms 0' name=A -engine cmd={program} args=behave name='the b' -each nodes=1k \
         option.Hash=1 -rounds 3 -repeat -concurrency 1 -openings file=positions/openings.epd format=epd order=sequential start=3 \
         -maxmoves 6 -recover -ratinginterval 5"
    );
    let line = line.replace("1k", "1000");
    let mut words = vec!["fastchess", "--run", "--out", "translated"];
    let typed = shlex::split(&line).unwrap();
    words.extend(typed.iter().map(String::as_str));
    let output = scratch.lmrlab(&words).assert().success().get_output().clone();
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

    let printed = shlex::split(out.lines().next().unwrap()).unwrap();
    let again: Vec<&str> = printed[1..].iter().map(String::as_str).collect();
    let message = scratch.lmrlab(&again).assert().code(2).get_output().clone();
    assert!(String::from_utf8(message.stderr).unwrap().contains("exists already"));
    let again: Vec<&str> = again
        .iter()
        .map(|word| if *word == "translated" { "again" } else { word })
        .collect();
    scratch.lmrlab(&again).assert().success();
    assert_eq!(played(&scratch.journal("again/games.csv")), played(&games));
}

#[test]
fn without_recover_a_crash_stops_the_match_and_an_illegal_move_does_not() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let play = |habit: &str, more: &[&str], out: &str| {
        let output = scratch
            .lmrlab(&[
                "fastchess",
                "--run",
                "--out",
                out,
                "-engine",
                &format!("cmd={program}"),
                "name=bad",
            ])
            .arg(format!("args={habit} --search 1"))
            .args([
                "-engine",
                &format!("cmd={program}"),
                "name=good",
                "args=behave",
                "-each",
                "nodes=10",
            ])
            .args(["option.Hash=1", "-rounds", "3", "-maxmoves", "5"])
            .args(more)
            .output()
            .unwrap();
        let complaint = String::from_utf8(output.stderr).unwrap();
        (
            output.status.code(),
            complaint,
            scratch.journal(&format!("{out}/games.csv")).len(),
        )
    };
    for (habit, out) in [("illegal-move", "illegal"), ("null-move", "none")] {
        let (status, complaint, games) = play(habit, &[], out);
        assert_eq!((status, games), (Some(0), 6), "{complaint}");
    }
    let (status, complaint, games) = play("crash-in-search", &[], "crash");
    assert_eq!((status, games), (Some(1), 2), "{complaint}");
    let expected = "`bad` has lost a game by a crash or a stall; in game 1 it";
    assert!(complaint.contains(expected), "{complaint}");
    let (status, complaint, games) = play("crash-in-search", &["-recover"], "recovered");
    assert_eq!((status, games), (Some(0), 6), "{complaint}");
}

#[test]
fn a_move_may_have_several_limits() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let engine = format!("cmd={program} args=behave name=a tc=100 depth=3");
    let words = [
        "--tc",
        "50+0.5",
        "--nodes",
        "700",
        "--pairs",
        "1",
        "--maxmoves",
        "3",
        "--quiet",
    ];
    let played = |command: &[&str], out: &str| {
        scratch
            .lmrlab(command)
            .args(["--log", &format!("{out}.log"), "--out", out])
            .assert()
            .success();
        scratch.read(&format!("{out}.log"))
    };
    let log = played(&[&["match", &engine, "house"], &words[..]].concat(), "typed");
    assert!(log.contains(" > go wtime 100000 btime "), "{log}");
    assert!(
        log.lines()
            .filter(|line| line.contains(" > go "))
            .all(|line| line.ends_with(" depth 3")),
        "{log}"
    );
    let manifest = scratch.read("typed/manifest.toml");
    for part in ["nodes = 700", "tc = \"50+0.5\"", "tc = \"100\"", "depth = 3"] {
        assert!(manifest.contains(part), "{part} in {manifest}");
    }
    // The reader of a tournament file reads the same keys.
    let file = format!(
        "name = \"t\"\nformat = \"match\"\npairs = 1\n[limit]\ntc = \"50+0.5\"\nnodes = 700\n[adjudication]\nmax_moves = 3\n[[engine]]\n\
         name = \"a\"\ncommand = '{program}'\nargs = [\"behave\"]\nlimit = {{ tc = \"100\", depth = 3 }}\n[[engine]]\npolicy = \"house\"\n"
    );
    scratch.write("t.toml", &file);
    let log = played(&["run", "t.toml", "--quiet"], "read");
    assert!(
        log.lines()
            .filter(|line| line.contains(" > go "))
            .all(|line| line.ends_with(" depth 3")),
        "{log}"
    );
    for out in ["typed", "read"] {
        let games = scratch.journal(&format!("{out}/games.csv"));
        let [first, second] = &games[..] else {
            panic!("{games:?}")
        };
        // Without the limit of nodes, a clock of 50 s gives many more.
        for nodes in [first.black_nodes, second.white_nodes] {
            assert!((1..=3 * 700).contains(&nodes), "{games:?}");
        }
    }
}

#[test]
fn a_seed_has_64_bits() {
    const SEED: &str = "18446744073709551615";
    let scratch = Scratch::new();
    let words = ["--nodes", "5", "--pairs", "3", "--maxmoves", "1", "--quiet", "--out"];
    let openings = |command: &[&str], out: &str| {
        scratch.lmrlab(command).arg(out).assert().success();
        let games = scratch.journal(&format!("{out}/games.csv"));
        games.iter().map(|game| game.opening).collect::<Vec<_>>()
    };
    let typed = openings(
        &[&["match", "house", "none", "--seed", SEED], &words[..]].concat(),
        "typed",
    );
    let other = openings(
        &[&["match", "house", "none", "--seed", "9223372036854775807"], &words[..]].concat(),
        "other",
    );
    assert_ne!(typed, other);
    assert!(
        scratch
            .read("typed/manifest.toml")
            .contains(&format!("seed = \"{SEED}\""))
    );
    // The manifest is read again.
    scratch.lmrlab("show typed").assert().success();
    scratch.lmrlab("resume typed --quiet").assert().success();
    let file = |seed: &str| {
        let text = "name = \"t\"\nformat = \"match\"\npairs = 3\nadjudication = { max_moves = 1 }\nlimit = { nodes = 5 }\nopenings = { file = \
                    \"positions/book.epd\" }\n[[engine]]\npolicy = \"house\"\n[[engine]]\npolicy = \"none\"\n";
        scratch.write("t.toml", &format!("seed = {seed}\n{text}"));
    };
    file(&format!("\"{SEED}\""));
    assert_eq!(openings(&["run", "t.toml", "--quiet", "--out"], "read"), typed);
    for seed in ["-1", "1.5", "\"many\"", "\"18446744073709551616\""] {
        file(seed);
        let message = scratch.refused("run t.toml");
        assert!(
            message.contains("a whole number from 0 to 18446744073709551615"),
            "{message}"
        );
    }
}

#[test]
fn options_that_lmrlab_does_not_have_are_named() {
    let scratch = Scratch::new();
    let engines = ["fastchess", "-engine", "cmd=a", "-engine", "cmd=b", "-each", "nodes=5"];
    let refused = |more: &[&str]| scratch.refused(&[&engines[..], more].concat());
    let errors = refused(&["-tb", "tables", "-tbadjudicate", "DRAW", "-noswap", "-log", "file=x"]);
    assert!(errors.contains("error: `-tbadjudicate DRAW`"), "{errors}");
    assert!(errors.contains("error: `-noswap`"), "{errors}");
    assert!(errors.contains("note: `-log`"), "{errors}");
    // Values are read by `lmrlab match`, which need not play for that.
    let output = scratch
        .lmrlab(&engines)
        .args(["-maxmoves", "0"])
        .assert()
        .code(2)
        .get_output()
        .clone();
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(
        error.contains("the command is wrong: invalid value '0' for '--maxmoves <N>'"),
        "{error}"
    );
}

#[test]
fn words_of_other_runners_mean_what_they_mean_there() {
    let scratch = Scratch::new();
    let program = misbehaving_engine();
    let [a, b] = ["A", "B"].map(|name| format!("cmd={program} args=behave name={name}"));
    let plain = ["--nodes", "1000", "--pairs", "2", "--maxmoves", "4", "--threads", "1"];
    let common = ["--order", "sequential", "--quiet", "--out"];
    let match_of = |engines: [&str; 2], words: &[&str], out: &str| {
        scratch
            .lmrlab(&["match"])
            .args(engines)
            .args(words)
            .args(common)
            .arg(out)
            .assert()
            .success();
        scratch.journal(&format!("{out}/games.csv"))
    };
    let games = match_of([&a, &b], &plain, "plain");
    assert_eq!(games.len(), 4);
    for (index, words) in [
        &[
            "--nodes",
            "1k",
            "--rounds",
            "2",
            "--games",
            "2",
            "--maxmoves",
            "4",
            "--concurrency",
            "1",
        ][..],
        &[
            "--each",
            "nodes=1e3 option.Hash=1",
            "--games",
            "4",
            "--maxmoves",
            "4",
            "--threads",
            "1",
        ],
    ]
    .into_iter()
    .enumerate()
    {
        let other = match_of([&a, &b], words, &format!("other-{index}"));
        assert_eq!(played(&other), played(&games), "{words:?}");
    }
    let manifest = scratch.read("other-1/manifest.toml");
    assert!(manifest.contains("nodes = 1000"), "{manifest}");
    assert_eq!(manifest.matches("Hash = \"1\"").count(), 2, "{manifest}");

    // An engine's own words come first, and a policy has no options.
    let own = format!("{a} nodes=500 option.Hash=2 restart=on proto=uci");
    match_of(
        [&own, "house"],
        &["--each", "nodes=30 option.Hash=1", "--pairs", "1", "--maxmoves", "2"],
        "mixed",
    );
    let manifest = scratch.read("mixed/manifest.toml");
    for part in ["nodes = 500", "nodes = 30", "Hash = \"2\"", "restart = \"game\""] {
        assert!(manifest.contains(part), "{part} in {manifest}");
    }
    assert!(!manifest.contains("Hash = \"1\""), "{manifest}");

    for (words, complaint) in [
        (&["--games", "7"][..], "write `--games 8` or `--pairs 4`"),
        (
            &["--games", "4", "--rounds", "3"],
            "each has two games, one with each colour",
        ),
        (&["--each", "option.Hash=4"], "no engine is a program"),
        (&["--each", "name=x"], "`name` belongs to one engine"),
        (&["--each", "tc=1", "--nodes", "5"], "`--each` has a limit"),
        (&["--each", "proto=xboard"], "`uci`, the only protocol"),
        (
            &["--pairs", "1.5"],
            "a whole number is needed, as in 20000, 20k, 2e4 or 1.5M",
        ),
        (&["--order", "backwards"], "[possible values: random, sequential]"),
    ] {
        let message = scratch.refused(&[&["match", "house", "none"], words].concat());
        assert!(message.contains(complaint), "{complaint} in {message}");
    }
}

#[test]
fn numbers_that_look_like_mistakes_give_a_warning() {
    let scratch = Scratch::new();
    // The program is no engine, so that no game is played.
    let warned = |words: &[&str]| scratch.refused(&[&["match", "cmd=true", "none", "--pairs", "5"], words].concat());
    let warning = warned(&["--resign", "400,4"]);
    assert!(
        warning.contains("for 400 centipawns and 4 moves write `--resign 4,400`"),
        "{warning}"
    );
    let warning = warned(&["--tc", "60000+600"]);
    let expected = "the clock 60000+600 has 16.7 hours and 600 s more for each move, because its numbers are seconds; if they are meant as \
                    milliseconds, write 60+0.6";
    assert!(warning.contains(expected), "{warning}");
    for words in [
        &["--resign", "4,400"],
        &["--resign", "10,0"],
        &["--tc", "5400+30"],
        &["--tc", "1:30+0.5"],
    ] {
        let message = warned(words);
        assert!(!message.contains("warning"), "{message}");
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
    let message = scratch.refused("match cmd=./engine none");
    assert!(
        message.contains("`./engine` is a file that may not be executed"),
        "{message}"
    );
    assert!(message.contains("chmod +x ./engine"), "{message}");
    set_permissions(scratch.path("engine"), Permissions::from_mode(0o755)).unwrap();
    for command in [&["match", "./engine", "none"][..], &["bench", "./engine"]] {
        let message = scratch.refused(command);
        assert!(message.contains("`./engine` is a program, and no policy"), "{message}");
        assert!(message.contains("write `cmd=./engine`"), "{message}");
    }
    for (words, complaint) in [
        (["./folder", "none"], "`./folder` is a directory, and no policy"),
        (["cmd=./folder", "none"], "`./folder` is a directory, not a program"),
        (["cmd=engine", "none"], "for the file of this name write `./engine`"),
    ] {
        let message = scratch.refused(&[&["match"], &words[..]].concat());
        assert!(message.contains(complaint), "{complaint} in {message}");
    }
    // A policy that may be executed is one.
    let policy = scratch.read("configs/policies/none.toml");
    scratch.write("mine", &policy);
    set_permissions(scratch.path("mine"), Permissions::from_mode(0o755)).unwrap();
    scratch.lmrlab("policy show ./mine").assert().success();
}
