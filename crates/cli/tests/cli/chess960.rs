//! Chess960 and double Chess960, from the openings to the pages.

use std::fs;
use std::path::Path;

use lmrlab_results::rows::games::GameRow;

use crate::scratch::{DEFAULT_OPENINGS, Scratch, misbehaving_engine};

/// Positions of Chess960 and double Chess960 in which castling is near, in X-FEN and in Shredder-FEN.
const BOOKS: [&str; 2] = [
    "rkb1bnrn/pppppppp/8/8/8/8/PPPPPPPP/R2KN1BR w KQkq - 0 1\n\
     1rk3r1/1p4p1/8/8/8/8/1P4P1/1RK3R1 w KQkq - 0 1\n\
     r4kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 b KQkq - 0 1\n\
     rkr5/pppppppp/8/8/8/8/PPPPPPPP/4R1KR w KQkq - 0 1\n\
     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n\
     r3k2r/pppppppp/8/8/8/8/PPPPPPP1/2R1KRR1 w FCkq - 0 1\n",
    "rkb1bnrn/pppppppp/8/8/8/8/PPPPPPPP/R2KN1BR w HAga - 0 1\n\
     1rk3r1/1p4p1/8/8/8/8/1P4P1/1RK3R1 w GBgb - 0 1\n\
     r4kr1/pppppppp/8/8/8/8/PPPPPPPP/1R3KR1 b GBga - 0 1\n\
     rkr5/pppppppp/8/8/8/8/PPPPPPPP/4R1KR w HEca - 0 1\n\
     rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1\n\
     r3k2r/pppppppp/8/8/8/8/PPPPPPP1/2R1KRR1 w FCha - 0 1\n",
];

/// A match of the engine that castles whenever it can; `more` are other words.
fn play(engine: &str, more: &str) -> String {
    format!("match none '{engine}' --nodes 40 --maxmoves 12 --hash 1 --threads 2 --quiet {more}")
}

fn castler() -> String {
    format!("cmd={} name=castler args=\"behave --chess960\"", misbehaving_engine())
}

/// The castling moves of a game, which the journal writes as the king that takes its own rook.
fn castlings(row: &GameRow) -> usize {
    row.san().unwrap().iter().filter(|mv| mv.starts_with("O-O")).count()
}

fn shredder_fens() -> impl Iterator<Item = &'static str> {
    BOOKS[1].lines()
}

#[test]
fn castling_is_played_recorded_and_read_again() {
    let scratch = Scratch::new();
    let castler = castler();
    for (number, book) in BOOKS.into_iter().enumerate() {
        let (file, out) = (format!("{number}.epd"), format!("out-{number}"));
        scratch.write(&file, book);
        scratch.done(&play(&castler, &format!("--openings {file} --pairs 6 --out {out}")));
    }
    let games = scratch.read("out-0/games.csv");
    let other = scratch.read("out-1/games.csv");
    assert_eq!(games, other, "both notations are the same book");
    let rows = scratch.journal("out-0/games.csv");
    assert_eq!(rows.len(), 12);
    assert!(rows.iter().all(|row| row.fault.is_empty()), "{games}");
    assert!(
        rows.iter().all(|row| shredder_fens().any(|fen| fen == row.fen)),
        "{games}"
    );
    let castled: usize = rows.iter().map(castlings).sum();
    assert!(castled >= 12, "{castled} castling moves");
    // A step of the king to a square where its rook stands is castling.
    let first = rows.iter().find(|row| row.moves.0[0] == "g1h1").unwrap();
    assert_eq!(first.san().unwrap()[0], "O-O");
    let is_recorded = |folder: &str| {
        let manifest = scratch.read(&format!("{folder}/manifest.toml"));
        assert!(manifest.contains("\nvariant = \"chess960\"\n"), "{manifest}");
    };
    is_recorded("out-0");
    let pgn = scratch.read("out-0/games.pgn");
    assert_eq!(pgn.matches("[Variant \"Chess960\"]").count(), 12);
    assert_eq!(pgn.matches("[SetUp \"1\"]").count(), 12);
    assert_eq!(pgn.matches("O-O").count(), castled);

    assert!(scratch.done("show out-0").contains("The games are of Chess960."));
    assert!(scratch.done("show out-0 --game 1").contains("[Variant \"Chess960\"]"));
    scratch.done("report out-0");
    let page = scratch.read("out-0/report.html");
    assert!(page.contains("<dt>Variant</dt><dd>Chess960</dd>"));
    assert!(page.contains("Each of the 12 games can be replayed."));

    // As a kill leaves it.
    let begun: Vec<&str> = other.split_inclusive('\n').take(5).collect();
    scratch.write("out-1/games.csv", &begun.concat());
    scratch.done("resume out-1 --quiet");
    assert_eq!(scratch.read("out-1/games.csv"), games);
    is_recorded("out-1");

    // Its games as openings.
    fs::copy(scratch.path("out-0/games.pgn"), scratch.path("book.pgn")).unwrap();
    scratch.done("match none house --openings book.pgn --plies 9 --pairs 12 --nodes 20 --maxmoves 2 --hash 1 --quiet --out again");
    let positions: Vec<String> = rows
        .iter()
        .map(|row| {
            let first = GameRow {
                moves: lmrlab_results::fixed::Spaced(row.moves.0.iter().take(9).cloned().collect()),
                ..row.clone()
            };
            let pieces = first.replay().unwrap().position().to_string();
            pieces.split(' ').next().unwrap().to_owned()
        })
        .collect();
    for row in scratch.journal("again/games.csv") {
        let pieces = row.fen.split(' ').next().unwrap().to_owned();
        assert!(positions.contains(&pieces), "{}", row.fen);
    }
    is_recorded("again");
}

#[test]
fn the_engine_and_its_program_play_the_same_games() {
    let scratch = Scratch::new();
    scratch.write("book.epd", BOOKS[1]);
    let folder = Path::new(env!("CARGO_BIN_EXE_lmrlab")).parent().unwrap();
    let engine = folder.join(format!("lmrlab-engine{}", std::env::consts::EXE_SUFFIX));
    assert!(engine.is_file(), "build it first: cargo build -p lmrlab-engine");
    let words = format!("cmd={} name=outside option.Hash=1", engine.display());
    scratch.write("empty.epd", "4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1\n");
    for (openings, variant) in [("book.epd", None), ("empty.epd", Some("chess960"))] {
        let variant = variant.map_or_else(String::new, |variant| format!("--variant {variant}"));
        scratch.done(&format!(
            "match house '{words}' --openings {openings} --nodes 150 --pairs 6 --hash 1 --maxmoves 30 --quiet --force --out out \
             {variant}"
        ));
        let rows = scratch.journal("out/games.csv");
        for pair in rows.chunks(2) {
            assert_eq!(pair[0].moves.0, pair[1].moves.0, "{}", pair[0].fen);
            assert!(pair[0].fault.is_empty(), "{}", pair[0].fault);
        }
        assert!(!variant.is_empty() || rows.iter().map(castlings).sum::<usize>() > 0);
    }
}

#[test]
fn without_openings_games_begin_with_the_960_start_positions() {
    let scratch = Scratch::new();
    scratch.done("match none house --variant chess960 --out one --nodes 20 --maxmoves 2 --hash 1 --quiet --pairs 8");
    scratch.write(
        "t.toml",
        "name = 't'\nformat = 'match'\npairs = 8\nvariant = 'chess960'\nhash_mib = 1\nlimit = { nodes = 20 }\n\
         adjudication = { max_moves = 2 }\nengine = [{ policy = 'none' }, { policy = 'house' }]\n",
    );
    scratch.done("run t.toml --out two --quiet");
    assert_eq!(scratch.read("one/games.csv"), scratch.read("two/games.csv"));
    let manifest = scratch.read("one/manifest.toml");
    assert!(
        manifest.contains("file = \"built-in:positions/chess960.epd\""),
        "{manifest}"
    );
    assert!(manifest.contains("positions = 960"), "{manifest}");
    for row in scratch.journal("one/games.csv") {
        assert!(row.fen.contains("/pppppppp/8/8/8/8/PPPPPPPP/"), "{}", row.fen);
    }
    // A book that is named is that of the user.
    scratch.done(&format!(
        "match none house --variant chess960 --openings {DEFAULT_OPENINGS} --out three --pairs 1 --nodes 20 --maxmoves 2 --quiet"
    ));
    assert!(scratch.read("three/manifest.toml").contains("variant = \"chess960\""));
}

#[test]
fn what_cannot_be_played_is_refused_before_anything_is_written() {
    let scratch = Scratch::new();
    scratch.write("book.epd", BOOKS[0]);
    let standard = scratch.refused("match none house --pairs 1 --out out --openings book.epd --variant standard");
    insta::assert_snapshot!(standard);

    let plain = format!("cmd={} name=plain args=behave", misbehaving_engine());
    let other = scratch.refused(&play(&plain, "--openings book.epd --pairs 1 --out out"));
    assert!(
        other.contains("the engine `plain` does not play Chess960: it has no option `UCI_Chess960`"),
        "{other}"
    );
    let tuned = format!(
        "name = 't'\npairs = 2\nvariant = 'chess960'\nlimit = {{ nodes = 20 }}\nengine = {{ command = {:?}, args = ['behave'] }}\n\
         [[parameter]]\nname = 'Hash'\nmin = 1\nmax = 9\nstart = 4\n",
        misbehaving_engine()
    );
    scratch.write("tune.toml", &tuned);
    let tuning = scratch.refused("tune tune.toml --out out");
    assert!(tuning.contains("does not play Chess960"), "{tuning}");
    scratch.write("wrong.toml", &tuned.replace("chess960", "chess980"));
    let wrong = scratch.refused("tune wrong.toml --out out");
    assert!(
        wrong.contains("wrong.toml:3:11") && wrong.contains("did you mean `chess960`?"),
        "{wrong}"
    );
}

#[test]
fn tuning_and_its_gate_play_the_variant_of_their_openings() {
    let scratch = Scratch::new();
    scratch.write("book.epd", BOOKS[0]);
    // The start loses its games, so that there is a gain to prove.
    scratch.write(
        "tune.toml",
        &format!(
            "name = 't'\npairs = 30\nseed = 5\nopenings = {{ file = 'book.epd' }}\nlimit = {{ nodes = 40 }}\nhash_mib = 1\n\
             adjudication = {{ resign = {{ move_count = 1, score_cp = 400 }} }}\ngate = {{ pairs = 3 }}\n\
             engine = {{ command = {:?}, args = ['behave', '--chess960', '--needs-hash'] }}\n\
             [[parameter]]\nname = 'Hash'\nstart = 4\nmin = 1\nmax = 9\nstep = 2\n",
            misbehaving_engine()
        ),
    );
    scratch.done("tune tune.toml --out program --quiet");
    let csv = scratch.read("program/tuning.csv");
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let headers = reader.headers().unwrap().clone();
    let faults: Vec<usize> = (0..headers.len())
        .filter(|column| headers[*column].contains("faults"))
        .collect();
    assert_eq!(faults.len(), 2, "{headers:?}");
    for row in reader.records() {
        let row = row.unwrap();
        assert!(faults.iter().all(|column| &row[*column] == "0"), "{row:?}");
    }
    for manifest in ["program/manifest.toml", "program/gate-1/manifest.toml"] {
        assert!(
            scratch.read(manifest).contains("\nvariant = \"chess960\"\n"),
            "{manifest}"
        );
    }
    let rows = scratch.journal("program/gate-1/games.csv");
    assert!(
        rows.iter().all(|row| shredder_fens().any(|fen| fen == row.fen)),
        "{rows:?}"
    );
    scratch.done("show program");
}

#[test]
fn the_lab_searches_positions_of_chess960() {
    let scratch = Scratch::new();
    scratch.write(
        "suite.epd",
        "1rk3r1/1p4p1/8/8/8/8/1P4P1/1RK3R1 w KQkq - bm Kc2; id \"none\";\n\
         4rkr1/4p1p1/8/8/8/8/6PP/6KR w H - bm O-O; id \"castle\";\n\
         5k1r/8/8/8/8/8/8/R4K1R w HAh - am Rxh8+; id \"avoid\";\n",
    );
    scratch.done("suite suite.epd none --depth 4 --out suite --quiet");
    let csv = scratch.read("suite/answers.csv");
    for fen in [
        "1RK3R1 w GBgb - 0 1",
        "4rkr1/4p1p1/8/8/8/8/6PP/6KR w H - 0 1,g1h1,1,",
        "R4K1R w HAh - 0 1",
    ] {
        assert!(csv.contains(fen), "{fen} in {csv}");
    }
    scratch.done("bench none house --positions suite.epd --depth 4 --quiet");
    let explained = scratch.done(
        "explain --policy house --depth 5 '1rk3r1/1pp3p1/8/8/8/8/1PP3P1/1RK3R1 w KQkq - 0 1' --out explained --report",
    );
    assert!(explained.contains("O-O"), "{explained}");
    assert!(scratch.read("explained/report.html").contains("1RK3R1 w GBgb - 0 1"));
    let perft = scratch.done("perft 1 --fen '5k2/8/8/8/8/8/8/5K1R w K - 0 1'");
    assert!(perft.contains("f1g1: 1\n") && perft.contains("f1h1: 1\n"), "{perft}");
}
