//! What is refused rather than done wrong: files that would be lost, output that goes nowhere, numbers that say nothing.

use std::fs::{self, File};
use std::process::Stdio;

use crate::scratch::Scratch;

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
fn names_are_no_formulas_in_csv_files() {
    let scratch = Scratch::new();
    let name = "=1+1";
    scratch.write("a.pgn", &[game(name, "Ben", "1-0"), game("Ben", name, "1-0")].concat());
    scratch.done("rate a.pgn --out r --anchor =1+1=2000");
    for file in ["r/ratings.csv", "r/los.csv"] {
        assert!(scratch.read(file).contains(",'=1+1,"), "{}", scratch.read(file));
    }
}

/// Files that are wrong.
const FILES: [(&str, &str); 14] = [
    (
        "junk.epd",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n8/8/8/8/8/4k3/8/4K3 w - - junk\n",
    ),
    ("half.epd", "8/8/8/8/8/4k3/8/4K3 w - - 0 1.5\n"),
    ("clock.epd", "8/8/8/8/8/4k3/8/4K3 w - - hmvc many;\n"),
    ("kings.epd", "7k/8/8/8/8/8/8/KK6 w - - bm Ka2;\n"),
    ("kings.pgn", "[FEN \"7k/8/8/8/8/8/8/KK6 w - - 0 1\"]\n\n1. Ka2 *\n"),
    ("rooks.epd", "4k3/8/8/8/8/8/4K3/R4R2 w - - bm Rd1;\n"),
    ("points.epd", "4k3/8/8/8/8/8/4K3/R4R2 w - - c0 \"Rfd1=10, Rd1=5\";\n"),
    ("rooks.pgn", "[FEN \"4k3/8/8/8/8/8/4K3/R4R2 w - - 0 1\"]\n\n1. Rd1 *\n"),
    ("king.pgn", "1. e4 e5 2. Ke3 *\n"),
    ("mate.pgn", "[Event \"x\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n"),
    ("zip.pgn", "\u{1f}\u{8b}"),
    ("empty.toml", ""),
    ("t.toml", "[tournament]\nname = 'x'\npairs = 3\n"),
    ("tuned.toml", "[tuning]\nname = 'x'\n"),
];

/// Commands, and what they say.
const REFUSED: &str = "
match none rebel-starter@bad=-300,bad=-400 | `bad` is overridden twice
match none house@research.ladder=full,research.ladder=full | `research.ladder` is overridden twice
match none rebel-starter@-bad-history,+bad-history | `bad-history` is overridden twice
match none mediocre-2007 --preset standard@-killers,+killers | `killers` is overridden twice
policy show house --facts histroy | --> facts:1:1
policy show house@x= | --> policy reference:1:7
openings check junk.epd | junk.epd:2
openings check half.epd | `1.5` behind the position
openings check clock.epd | `hmvc many` should have a whole number
perft 1 --fen '7k/8/8/8/8/8/8/KK6 w - - 0 1' | each side has one king
explain --policy none '7k/8/8/8/8/8/8/KK6 w - - 0 1' | each side has one king
openings check kings.epd | each side has one king
openings check kings.pgn | each side has one king
suite kings.epd none | each side has one king
bench none --positions kings.epd | each side has one king
suite rooks.epd none | `Rd1` is ambiguous here: it may be Rad1 or Rfd1
suite points.epd none | `Rd1` is ambiguous here: it may be Rad1 or Rfd1
openings check rooks.pgn | `Rd1` is ambiguous here: it may be Rad1 or Rfd1
match none none --openings king.pgn | king.pgn:1:13
openings check mate.pgn | mate.pgn:3:16
rate zip.pgn | it is compressed (gzip): decompress it first
openings check zip.pgn | it is compressed (gzip): decompress it first
run empty.toml | error: `name`, `format`, `pairs` and `limit` are missing
run t.toml | only the manifest of a run has `[tournament]`
tune tuned.toml | only the manifest of a run has `[tuning]`
rate league.pgn --out empty.toml | `empty.toml` is not a folder
ablate house --measures nodes --out empty.toml | `empty.toml` is not a folder
audit none --out empty.toml/below | cannot write into `empty.toml/below`
man empty.toml | `empty.toml` is not a folder
init empty.toml | `empty.toml` is not a folder
";

#[test]
fn wrong_input_is_named_once_and_nothing_is_written() {
    let scratch = Scratch::new();
    for (name, text) in FILES {
        // Each letter is a byte.
        let bytes: Vec<u8> = text.chars().map(|letter| letter as u8).collect();
        fs::write(scratch.path(name), bytes).unwrap();
    }
    scratch.write("league.pgn", &league());
    for case in REFUSED.trim().lines() {
        let (command, message) = case.split_once(" | ").unwrap();
        let said = scratch.refused(command);
        assert!(said.contains(message), "{command}: {said}");
        // An empty file has no engines, either.
        let errors = 1 + usize::from(command == "run empty.toml");
        assert_eq!(said.matches("error:").count(), errors, "{command}: {said}");
    }
}

#[test]
fn tags_that_are_not_closed_are_named() {
    let scratch = Scratch::new();
    let games = format!("{}[Site \"x]\n{}", game("Ann", "Ben", "1-0"), game("Ben", "Ann", "1-0"));
    scratch.write("a.pgn", &games);
    let said = scratch.warned("rate a.pgn");
    assert!(said.contains("the tag `Site` in line 8 cannot be read"), "{said}");
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
}
