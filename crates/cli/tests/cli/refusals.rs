//! What is refused rather than done wrong: files that would be lost, output that goes nowhere, numbers that say nothing.

use std::fs::{self, File};
use std::process::Stdio;

use crate::scratch::{Arguments, Scratch};

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";

fn game(white: &str, black: &str, result: &str) -> String {
    format!("[Event \"e\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
}

fn league() -> String {
    [
        game("Ann", "Ben", "1-0"),
        game("Ben", "Ann", "1-0"),
        game("Ann", "Ben", "1/2-1/2"),
    ]
    .concat()
}

#[track_caller]
fn assert_refused(arguments: impl Arguments, message: &str) {
    let scratch = Scratch::new();
    let said = scratch.refused(arguments);
    assert!(said.contains(message), "{said}");
}

/// Commands that print.
const PRINTING: [&str; 11] = [
    "--help",
    "--version",
    "perft 1",
    "policy list",
    "policy show none",
    "sprt --wdl 1,2,3 --bounds 0,5",
    "sprt --wdl 1,2,3 --bounds 0,5 --json",
    "sprt plan --pairs 100 --draws 0.5",
    "bench none --depth 1",
    "match none mediocre-2007 --pairs 1 --nodes 50 --force --out r --quiet",
    "match none mediocre-2007 --pairs 1 --nodes 50 --force --out r --json-lines",
];

#[test]
fn a_full_standard_output_is_an_error_and_a_reader_that_goes_away_is_none() {
    let scratch = Scratch::new();
    for arguments in PRINTING {
        let mut child = scratch
            .background(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        drop(child.stdout.take());
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {said}");
        assert!(!said.contains("standard output"), "{arguments:?}: {said}");
        // A device that is always full.
        let Ok(full) = File::options().write(true).open("/dev/full") else {
            continue;
        };
        let output = scratch
            .background(arguments)
            .stdout(full)
            .stderr(Stdio::piped())
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        let is_named = said.contains("cannot write to standard output");
        assert!(is_named, "{arguments:?}: {said}");
    }
}

#[test]
fn nothing_is_said_twice() {
    for (words, what) in [
        ("rebel-starter@bad=-300,bad=-400", "bad"),
        ("house@research.ladder=full,research.ladder=full", "research.ladder"),
        ("rebel-starter@-bad-history,+bad-history", "bad-history"),
        ("mediocre-2007 --preset standard@-killers,+killers", "killers"),
    ] {
        let message = format!("`{what}` is overridden twice");
        assert_refused(&format!("match none {words}"), &message);
    }
}

#[test]
fn openings_with_junk_behind_the_position() {
    let scratch = Scratch::new();
    for (behind, wrong) in [
        ("junk", "`junk` behind the position"),
        ("0 1.5", "`1.5` behind the position"),
        ("0 1\0", "U+0000"),
    ] {
        scratch.write("book.epd", &format!("{START} 0 1\n{START} {behind}\n"));
        let said = scratch.refused("openings check book.epd");
        let binary = wrong == "U+0000" && said.contains("is NUL");
        assert!(
            binary || (said.contains(wrong) && said.contains("book.epd:2")),
            "{said}"
        );
    }
}

#[test]
fn a_byte_order_mark_is_accepted_everywhere() {
    let scratch = Scratch::new();
    let mark = "\u{feff}";
    scratch.write("book.epd", &format!("{mark}{START} 0 1\n"));
    scratch.done("openings check book.epd");
    scratch.done("bench none --depth 1 --positions book.epd");
    scratch.write("games.pgn", &format!("{mark}{}", league()));
    assert!(scratch.done("rate games.pgn").contains("Ann"));
    scratch.write("book.pgn", &format!("{mark}[Event \"e\"]\n\n1. e4 e5 *\n"));
    scratch.done("openings check book.pgn");
    scratch.write(
        "none.toml",
        &format!("{mark}{}", scratch.read("configs/policies/none.toml")),
    );
    scratch.done("policy check none.toml");
    // A journal and a manifest that an editor has saved.
    scratch.done("match none mediocre-2007 --pairs 1 --nodes 50 --out r");
    for file in ["r/games.csv", "r/manifest.toml"] {
        scratch.write(file, &format!("{mark}{}", scratch.read(file)));
    }
    scratch.done("show r");
}

#[cfg(unix)]
#[test]
fn a_gigabyte_of_zeros_or_a_device_is_no_file_of_any_kind() {
    let scratch = Scratch::new();
    for name in ["zeros.epd", "zeros.pgn", "zeros.toml", "zeros.csv"] {
        let file = File::create(scratch.path(name)).unwrap();
        file.set_len(1 << 30).unwrap();
    }
    fs::create_dir(scratch.path("run")).unwrap();
    fs::rename(scratch.path("zeros.toml"), scratch.path("run/manifest.toml")).unwrap();
    let file = File::create(scratch.path("zeros.toml")).unwrap();
    file.set_len(1 << 30).unwrap();
    for arguments in [
        "openings check zeros.epd",
        "openings check zeros.pgn",
        "bench none --positions zeros.epd",
        "suite zeros.epd none",
        "rate zeros.pgn",
        "policy check zeros.toml",
        "run zeros.toml",
        "tune zeros.toml",
        "show run",
        "resume run",
        "openings check /dev/zero",
        "bench none --positions /dev/zero",
        "rate /dev/zero",
        "policy check /dev/zero",
        "run /dev/zero",
        "tune /dev/zero",
    ] {
        let said = scratch.refused(arguments);
        assert!(!said.is_empty() && said.len() < 2_000, "{arguments:?}: {said}");
        let device = arguments.contains("/dev/zero");
        assert!(!device || said.contains("/dev/zero"), "{arguments:?}: {said}");
    }
}

#[test]
fn every_reader_of_a_position_gives_the_particular_reason() {
    let scratch = Scratch::new();
    for (fen, reason) in [
        ("7k/8/8/8/8/8/8/KK6 w - - 0 1", "White has 2 kings"),
        ("8/8/8/8/8/8/8/8/K6k w - - 0 1", "it has 9 ranks"),
    ] {
        scratch.write("wrong.epd", &format!("{fen}\n"));
        scratch.write("wrong.pgn", &format!("[FEN \"{fen}\"]\n\n1. Ka2 *\n"));
        scratch.write("suite.epd", &format!("{fen} ;bm Ka2;\n"));
        for command in [
            &*format!("perft 1 --fen '{fen}'"),
            &*format!("explain --policy none '{fen}'"),
            "openings check wrong.epd",
            "openings check wrong.pgn",
            "suite suite.epd none",
            "bench none --positions wrong.epd",
        ] {
            let said = scratch.refused(command);
            assert!(said.contains(reason), "{command}: {said}");
        }
    }
}

#[test]
fn an_ambiguous_move_is_named_with_the_moves_that_it_may_be() {
    let scratch = Scratch::new();
    let fen = "4k3/8/8/8/8/8/4K3/R4R2 w - -";
    scratch.write("suite.epd", &format!("{fen} bm Rd1;\n"));
    scratch.write("points.epd", &format!("{fen} c0 \"Rfd1=10, Rd1=5\";\n"));
    scratch.write("games.pgn", &format!("[FEN \"{fen} 0 1\"]\n\n1. Rd1 *\n"));
    for arguments in [
        "suite suite.epd none",
        "suite points.epd none",
        "openings check games.pgn",
    ] {
        let said = scratch.refused(arguments);
        assert!(
            said.contains("`Rd1` is ambiguous here: it may be Rad1 or Rfd1"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn names_are_no_formulas_in_csv_files() {
    let scratch = Scratch::new();
    let name = "=1+1";
    scratch.write("a.pgn", &[game(name, "Ben", "1-0"), game("Ben", name, "1-0")].concat());
    scratch.done("rate a.pgn --out r --anchor =1+1=2000");
    for file in ["r/ratings.csv", "r/los.csv"] {
        assert!(scratch.read(file).contains(",'=1+1,"), "{}", scratch.read(file));
    }
}

#[test]
fn tags_and_comments_that_are_not_closed_are_named() {
    let scratch = Scratch::new();
    let games = format!("{}[Site \"x]\n{}", game("Ann", "Ben", "1-0"), game("Ben", "Ann", "1-0"));
    scratch.write("a.pgn", &games);
    let run = scratch.lmrlab("rate a.pgn").assert().success();
    let said = String::from_utf8_lossy(&run.get_output().stderr).into_owned();
    assert!(said.contains("the tag `Site` in line 8 cannot be read"), "{said}");
    scratch.write("book.txt", "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    let said = scratch.refused("openings check book.txt");
    assert!(said.contains("book.txt:3:16") && said.contains("`plies`"), "{said}");
    fs::write(scratch.path("a.pgn.gz"), b"\x1f\x8b\x08\x00\x00").unwrap();
    for arguments in ["rate a.pgn.gz", "openings check a.pgn.gz"] {
        let said = scratch.refused(arguments);
        assert!(said.contains("it is compressed (gzip): decompress it first"), "{said}");
    }
}

#[test]
fn names_in_iso_8859_1_are_read() {
    let scratch = Scratch::new();
    let games = [
        game("Bj\u{f6}rn", "Bj\u{e5}rn", "1-0"),
        game("Bj\u{e5}rn", "Bj\u{f6}rn", "1-0"),
    ]
    .concat();
    let latin: Vec<u8> = games.chars().map(|letter| letter as u8).collect();
    fs::write(scratch.path("latin.pgn"), latin).unwrap();
    scratch.write("utf8.pgn", &games);
    let anchor = ["--anchor", "Bj\u{f6}rn=2000"];
    let rated = |file: &str| scratch.done(&[&["rate", file], &anchor[..]].concat());
    assert!(rated("latin.pgn").contains("Bj\u{e5}rn"));
    assert_eq!(rated("latin.pgn"), rated("utf8.pgn"));
}

#[test]
fn escape_codes_in_names_reach_no_terminal() {
    let scratch = Scratch::new();
    let name = "Ann\u{1b}[2J\u{7}";
    let games = [game(name, "Ben", "1-0"), game("Ben", name, "1-0")].concat();
    scratch.write("a.pgn", &games);
    let terminal = |arguments: &[&str]| {
        // As on a terminal, escape codes are not taken out at the end.
        let run = scratch.lmrlab(arguments).env("CLICOLOR_FORCE", "1").assert().success();
        String::from_utf8(run.get_output().stdout.clone()).unwrap()
    };
    let said = terminal(&["rate", "a.pgn", "--out", "r"]);
    assert!(
        said.contains("Ann␛[2J␇") && !said.contains(['\u{1b}', '\u{7}']),
        "{said}"
    );
    let csv = scratch.read("r/ratings.csv");
    assert!(csv.contains("Ann␛[2J␇,"), "{csv}");
    scratch.write(
        "configs/policies/odd.toml",
        "name = 'odd'\ndescription = \"a\\u001b[2Jb\"\nwhen = 'quiet and move_number > 4'\nreduce = '1'\n",
    );
    for arguments in [&["policy", "show", "odd"][..], &["policy", "list"]] {
        let said = terminal(arguments);
        assert!(said.contains("a␛[2Jb"), "{said}");
    }
}

#[test]
fn keys_that_are_missing_are_one_error() {
    let scratch = Scratch::new();
    scratch.write("empty.toml", "");
    let said = scratch.refused("run empty.toml");
    assert!(
        said.starts_with("error: `name`, `format`, `pairs` and `limit` are missing"),
        "{said}"
    );
    assert_eq!(said.matches("missing").count(), 1, "{said}");
    scratch.write("t.toml", "[tournament]\nname = 'x'\npairs = 3\n");
    scratch.write("tuned.toml", "[tuning]\nname = 'x'\n");
    for (command, heading) in [("run", "[tournament]"), ("tune", "[tuning]")] {
        let file = if command == "run" { "t.toml" } else { "tuned.toml" };
        let said = scratch.refused(&[command, file]);
        assert!(
            said.contains(&format!("only the manifest of a run has `{heading}`")),
            "{said}"
        );
        assert_eq!(said.matches("error:").count(), 1, "{said}");
    }
}

#[test]
fn an_output_that_cannot_be_written_is_refused_before_the_work() {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("folder")).unwrap();
    scratch.write("file", "mine");
    scratch.write("a.pgn", &league());
    for (arguments, message) in [
        ("rate a.pgn --out file", "`file` is not a folder"),
        ("ablate house --measures nodes --out file", "`file` is not a folder"),
        ("audit none --out file", "`file` is not a folder"),
        ("audit none --out file/below", "cannot write into `file/below`"),
        ("man file", "`file` is not a folder"),
        ("init file", "`file` is not a folder"),
    ] {
        let said = scratch.refused(arguments);
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
    assert_eq!(scratch.read("file"), "mine");
}

#[test]
fn the_counters_of_an_epd_are_played_and_searched() {
    let scratch = Scratch::new();
    let position = "7k/8/5K2/8/8/8/8/R7 w - -";
    scratch.write("epd.epd", &format!("{position} hmvc 98; fmvn 80;\n"));
    scratch.done("match none house --nodes 1 --pairs 1 --maxmoves 4 --threads 1 --quiet --openings epd.epd --out run");
    for game in scratch.journal("run/games.csv") {
        assert_eq!(game.fen, format!("{position} 98 80"));
        assert_eq!((game.termination.name(), game.plies), ("fifty_moves", 2));
    }
    let pgn = fs::read_to_string(scratch.path("run/games.pgn")).unwrap();
    assert!(pgn.contains("\n80. "), "{pgn}");
    scratch.write("suite.epd", &format!("{position} bm Ra8+; hmvc 97; fmvn 80;\n"));
    scratch.done("suite suite.epd none --nodes 100 --out suite");
    let suite = fs::read_to_string(scratch.path("suite/answers.csv")).unwrap();
    assert!(suite.contains(&format!("{position} 97 80")), "{suite}");
    scratch.done(&["explain", &format!("{position} hmvc 97;"), "--policy", "none"]);
    scratch.write("clock.epd", &format!("{position} hmvc many;\n"));
    let said = scratch.refused("openings check clock.epd");
    assert!(
        said.contains("`hmvc many` should have a whole number") && said.contains("clock.epd:1"),
        "{said}"
    );
}
