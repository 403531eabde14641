//! `--tb`, `tb` and what remembers them: games that end with the result that Syzygy tablebases know.

use std::fs;
use std::path::Path;

use cozy_chess::{BoardBuilder, Color, File, GameStatus, Piece, Rank, Square};
use lmrlab_engine::position::Position;
use lmrlab_stats::GameOutcome;
use rand_pcg::Pcg64;
use rand_pcg::rand_core::Rng;

use crate::scratch::Scratch;
use crate::three_men;
use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_runner::game::tablebases::{TablebaseRules, Tablebases};

/// The side to move takes a piece that hangs: then three men are on the board. With a queen it wins, with a rook it would, and with
/// a bishop it draws.
const OPENINGS: &str =
    "8/8/8/3r4/8/5k2/3Q4/K7 w - - 5 1\n8/8/8/3n4/8/5k2/3R4/K7 w - - 5 1\n8/8/8/3N4/2b5/5K2/8/k7 b - - 5 1\n";

/// A project with the tables of three men in `tables`, and those openings.
fn project() -> Scratch {
    let scratch = Scratch::new();
    fs::create_dir(scratch.path("tables")).unwrap();
    three_men::write(&scratch.path("tables"));
    scratch.write("end.epd", OPENINGS);
    scratch
}

/// A match of three pairs with these tables, and more words.
fn words(more: &str) -> String {
    format!(
        "match house none --nodes 300 --threads 1 --hash 1 --quiet --openings end.epd --order sequential --pairs 3 {more}"
    )
}

/// How the games of a run ended: opening, result, reason, plies.
fn endings(scratch: &Scratch, folder: &str) -> Vec<String> {
    let games = scratch.journal(&format!("{folder}/games.csv"));
    games
        .iter()
        .map(|game| {
            let (result, reason) = (game.result.pgn(), game.termination.name());
            format!("{} {result} {reason} {}", game.opening, game.plies)
        })
        .collect()
}

/// The endings with the tables of three men.
const ENDED: [&str; 6] = [
    "1 1-0 tablebase 1",
    "1 1-0 tablebase 1",
    "2 1/2-1/2 tablebase 1",
    "2 1/2-1/2 tablebase 1",
    "3 1/2-1/2 insufficient_material 1",
    "3 1/2-1/2 insufficient_material 1",
];

#[test]
fn a_game_ends_where_a_table_knows_the_result() {
    let scratch = project();
    scratch.done(&words("--tb tables --out out"));
    assert_eq!(endings(&scratch, "out"), ENDED);
    let pgn = scratch.read("out/games.pgn");
    assert_eq!(pgn.matches("[Termination \"adjudication\"]").count(), 4, "{pgn}");
    for comment in ["White wins by adjudication: SyzygyTB", "Draw by adjudication: SyzygyTB"] {
        assert_eq!(pgn.matches(comment).count(), 2, "{pgn}");
    }
    // The number of men is settled when the run begins.
    let manifest = scratch.read("out/manifest.toml");
    assert!(
        manifest.contains("[tournament.adjudication]\ntb = \"tables\"\ntb_pieces = 3\n"),
        "{manifest}"
    );

    scratch.done(&words("--tb tables --tb-ignore50 --tb-pieces 3 --out ignored"));
    assert_eq!(endings(&scratch, "ignored")[2], "2 1-0 tablebase 1");
    assert!(scratch.read("ignored/manifest.toml").contains("tb_ignore50 = true\n"));
}

#[test]
fn a_run_remembers_its_tables() {
    let scratch = project();
    let file = "name = 'file'\nformat = 'match'\npairs = 3\nhash_mib = 1\nlimit = { nodes = 300 }\n\
                openings = { file = 'end.epd', order = 'sequential' }\nadjudication = { tb = ['tables', 'more'] }\n\
                [[engine]]\npolicy = 'house'\n[[engine]]\npolicy = 'none'\n";
    scratch.write("file.toml", file);
    // Tables in two folders, of which none is enough.
    fs::create_dir(scratch.path("more")).unwrap();
    fs::rename(scratch.path("tables/KQvK.rtbw"), scratch.path("more/KQvK.rtbw")).unwrap();
    scratch.done("run file.toml --quiet --out whole");
    assert_eq!(endings(&scratch, "whole"), ENDED);

    // As if it was killed after a pair; resumed from another folder.
    let games = scratch.read("whole/games.csv");
    let cut: Vec<&str> = games.split_inclusive('\n').take(3).collect();
    scratch.write("whole/games.csv", &cut.concat());
    let elsewhere = tempfile::tempdir().unwrap();
    let folder = scratch.path("whole");
    let resume = || {
        let mut command = scratch.lmrlab(&["resume", folder.to_str().unwrap(), "--quiet"]);
        command.current_dir(elsewhere.path());
        command
    };
    fs::rename(scratch.path("more"), scratch.path("gone")).unwrap();
    let output = resume().assert().code(2).get_output().clone();
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("error: no tablebases can be read from `"), "{said}");
    assert!(said.contains("more`: "), "{said}");
    fs::rename(scratch.path("gone"), scratch.path("more")).unwrap();
    resume().assert().success();
    assert_eq!(scratch.read("whole/games.csv"), games);
    // A reader needs no tables.
    fs::remove_dir_all(scratch.path("tables")).unwrap();
    assert!(scratch.done("show whole").contains("house"));
}

#[test]
fn parts_of_a_run_and_a_tuning_run_use_its_tables() {
    let scratch = project();
    // One part of games with other rules is no part of them.
    scratch.done(&words("--tb tables --part 1/2 --out part-1"));
    scratch.done(&words("--tb tables --tb-ignore50 --part 2/2 --out other"));
    let said = scratch.refused("merge part-1 other --out both");
    assert!(said.contains("is of another run"), "{said}");

    let tuning = "name = 'tuning'\ngate = { play = false }\npairs = 3\nhash_mib = 1\nlimit = { nodes = 100 }\n\
                  openings = { file = 'end.epd' }\nadjudication = { tb = 'tables' }\nengine = { policy = 'logarithm' }\n";
    scratch.write("tuning.toml", tuning);
    scratch.done("tune tuning.toml --quiet --out tuning");
    assert!(scratch.read("tuning/manifest.toml").contains("tb_pieces = 3\n"));
    assert!(
        endings(&scratch, "tuning")
            .iter()
            .any(|ending| ending.contains(" tablebase 1"))
    );
}

#[test]
fn openings_that_the_tables_know_are_reported() {
    let scratch = project();
    scratch.write(
        "end.epd",
        "8/8/8/8/8/5k2/8/K2Q4 b - - 0 1\n8/8/8/3n4/8/5k2/3R4/K7 w - - 5 1\n",
    );
    let output = scratch.lmrlab(&words("--tb tables --out out")).assert().success();
    let said = String::from_utf8_lossy(&output.get_output().stderr).into_owned();
    let warning = "1 of the 2 openings are in the tablebases: their games end without a move, so they decide nothing";
    assert!(said.contains(warning), "{said}");
    assert_eq!(
        endings(&scratch, "out")[..2],
        ["1 1-0 tablebase 0", "1 1-0 tablebase 0"]
    );
}

#[test]
fn tables_that_cannot_be_used_are_refused_before_the_first_game() {
    let scratch = project();
    let refused = |more: &str| scratch.refused(&words(&format!("--out out {more}")));
    for (more, message) in [
        ("--tb gone", "no tablebases can be read from `gone`: "),
        (
            "--tb positions",
            "`positions`: it has no win-draw-loss table (NAME.rtbw)",
        ),
        (
            "--tb tables --tb-pieces 4",
            "30 of the 35 tables of up to 4 men are not in `tables`",
        ),
        ("--tb tables --tb-pieces 8", "8 is not in 3..=7"),
        ("--tb-ignore50", "--tb <DIR>"),
    ] {
        let said = refused(more);
        assert!(said.contains(message), "{said}");
    }
    let queen = scratch.path("tables/KQvK.rtbw");
    let whole = fs::read(&queen).unwrap();
    for (content, message) in [
        (&whole[..70], "`tables/KQvK.rtbw` was cut short: no table has 70 bytes"),
        (b"", "no table has 0 bytes"),
        (
            &[&[0], &whole[1..]].concat(),
            "`tables/KQvK.rtbw` is no win-draw-loss table: it begins with other bytes",
        ),
    ] {
        fs::write(&queen, content).unwrap();
        let said = refused("--tb tables");
        assert!(said.contains(message), "{said}");
    }
    fs::remove_file(&queen).unwrap();
    insta::assert_snapshot!(refused("--tb tables"), @r"
    error: 1 of the 5 tables of up to 3 men are not in `tables`
    help: add them: a position needs the tables of all that captures lead to
    ");
    for name in ["KQvK", "KQvKR"] {
        fs::write(scratch.path("tables").join(name).with_extension("rtbw"), &whole).unwrap();
    }
    let said = refused("--tb tables");
    assert!(
        said.contains("29 of the 35 tables of up to 4 men are not in `tables`\nhelp: add them, or set the limit of pieces (`tb_pieces`) to 3: "),
        "{said}"
    );
    // The reader opens this kind of table, too.
    fs::write(scratch.path("tables/KQvKR.rtbz"), &whole[..70]).unwrap();
    assert!(refused("--tb tables").contains("`tables/KQvKR.rtbz` was cut short"));

    let file = "name = 'file'\nformat = 'match'\nlimit = { nodes = 9 }\nopenings = { file = 'end.epd' }\n\
                [adjudication]\nRULES\n[[engine]]\npolicy = 'house'\n[[engine]]\npolicy = 'none'\n";
    for (rules, message) in [
        ("tb_pieces = 5", "`tb_pieces` goes with `tb`, which is not here"),
        ("tb = 'tables'\ntb_pieces = 2", "from 3 to 7"),
        ("tb = []", "`tb` names no folder"),
        ("tb = 3", "`adjudication.tb`"),
        ("tb = 'tables'\ntb_ignore50 = 1", "`adjudication.tb_ignore50`"),
        ("tb = 'tables'\ntb_peices = 3", "tb_pieces"),
    ] {
        scratch.write("file.toml", &file.replace("RULES", rules));
        let said = scratch.refused("run file.toml --out out");
        assert!(said.contains(message), "{said}");
        assert!(said.contains("file.toml:"), "{said}");
    }
}

#[test]
fn a_table_ends_a_game_with_its_value() {
    let folder = tempfile::tempdir().unwrap();
    three_men::write(folder.path());
    let open = |folder: &Path, ignore_50| {
        let rules = TablebaseRules {
            folders: vec![folder.to_owned()],
            pieces: None,
            ignore_50,
        };
        Tablebases::open(&rules, Path::new(""))
    };
    let (tables, ignoring) = (open(folder.path(), false).unwrap(), open(folder.path(), true).unwrap());
    let decided = |tables: &Tablebases, fen: &str| {
        let (result, termination) = tables.decision(&Position::from_fen(fen).unwrap()).unwrap()?;
        assert_eq!(termination, Termination::Tablebase);
        Some(result.pgn())
    };
    for (fen, result, ignoring_50) in [
        ("6k1/8/8/8/8/8/1Q6/K7 w - - 0 1", "1-0", "1-0"),
        ("6k1/8/8/8/8/8/Q7/K7 b - - 0 1", "1-0", "1-0"),
        ("6k1/8/8/8/8/8/1q6/K7 w - - 0 1", "1/2-1/2", "1/2-1/2"),
        ("6k1/8/8/8/8/8/q6K/8 w - - 0 1", "0-1", "0-1"),
        ("6k1/8/8/8/8/8/1q6/7K b - - 0 1", "0-1", "0-1"),
        ("6k1/8/8/8/8/8/1B6/K7 w - - 0 1", "1/2-1/2", "1/2-1/2"),
        ("6k1/8/8/8/8/8/1R6/K7 w - - 0 1", "1/2-1/2", "1-0"),
        ("6k1/8/8/8/8/8/1r6/7K b - - 0 1", "1/2-1/2", "0-1"),
        ("6k1/8/8/8/8/8/1P6/K7 b - - 0 1", "1/2-1/2", "1-0"),
        ("6k1/p7/8/8/8/8/8/K7 w - - 0 1", "1/2-1/2", "0-1"),
    ] {
        assert_eq!(decided(&tables, fen), Some(result), "{fen}");
        assert_eq!(decided(&ignoring, fen), Some(ignoring_50), "{fen}");
    }
    // One man too many, castling rights, and a halfmove clock that is not zero.
    for fen in [
        "6k1/8/8/8/8/8/1QN5/K7 w - - 0 1",
        "6k1/8/8/8/8/8/8/4K2R w K - 0 1",
        "6k1/8/8/8/8/8/1Q6/K7 w - - 1 1",
    ] {
        assert_eq!(decided(&tables, fen), None, "{fen}");
    }
    let other = tempfile::tempdir().unwrap();
    three_men::write(other.path());
    let refused = open(other.path(), false).unwrap_err();
    assert!(refused.list[0].message.starts_with("tablebases are read from `"));
}

/// The value of a position in the tables, from the side of White; the end of the game where it has ended.
fn value(tables: &Tablebases, position: &Position) -> GameResult {
    let board = position.board();
    match board.status() {
        GameStatus::Won => GameResult::won_by(Some(!board.side_to_move())),
        GameStatus::Drawn => GameResult::Draw,
        GameStatus::Ongoing => tables.decision(position).unwrap().unwrap().0,
    }
}

/// A position with the men of a table on random squares, if there is one like that.
fn placed(men: &[(Piece, Color)], random: &mut Pcg64) -> Option<Position> {
    let mut board = BoardBuilder::empty();
    for (piece, color) in men {
        let square = Square::index(random.next_u32() as usize % Square::NUM);
        if board.square(square).is_some() {
            return None;
        }
        *board.square_mut(square) = Some((*piece, *color));
    }
    if random.next_u32().is_multiple_of(2) {
        board.side_to_move = Color::Black;
    }
    // Pawns that could be taken en passant.
    let rank = Rank::Fifth.relative_to(board.side_to_move);
    let pawn = |file| board.square(Square::new(file, rank)) == Some((Piece::Pawn, !board.side_to_move));
    let file = File::ALL.into_iter().find(|file| pawn(*file));
    board.en_passant = file.map(|file| Square::new(file, Rank::Sixth.relative_to(board.side_to_move)));
    // Only the reader of a FEN refuses kings side by side.
    Position::from_fen(&board.build().ok()?.to_string()).ok()
}

/// Every table against the tables after each move: the side to move has what its best move leads to. Only where no fifty-move rule
/// counts do values follow from each other like that.
#[test]
#[ignore = "needs the tables of up to 4 men in LMRLAB_SYZYGY; .ci/run fetches them"]
fn published_tables_agree_with_each_other() {
    let folder = std::env::var_os("LMRLAB_SYZYGY").expect("LMRLAB_SYZYGY is the folder of the tables");
    let rules = TablebaseRules {
        folders: vec![folder.into()],
        pieces: Some(4),
        ignore_50: true,
    };
    let tables = Tablebases::open(&rules, Path::new("")).unwrap();
    let mut random = Pcg64::new(5, 3);
    let mut found = [0; 3];
    let mut en_passant = 0;
    let pieces = [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
    let others = pieces.iter().flat_map(|piece| Color::ALL.map(|color| (*piece, color)));
    let others: Vec<_> = others.map(Some).chain([None]).collect();
    for first in others.iter().flatten() {
        for second in &others {
            let mut men = vec![(Piece::King, Color::White), (Piece::King, Color::Black), *first];
            men.extend(second);
            // Of two pawns some can be taken en passant.
            let pawns = men.iter().filter(|(piece, _)| *piece == Piece::Pawn).count();
            let wanted = if pawns == 2 { 2_000 } else { 60 };
            let mut count = 0;
            while count < wanted {
                let Some(position) = placed(&men, &mut random) else {
                    continue;
                };
                count += 1;
                let board = position.board();
                let side = board.side_to_move();
                if board.status() != GameStatus::Ongoing {
                    continue;
                }
                let mut best = GameOutcome::Loss;
                board.generate_moves(|moves| {
                    for mv in moves {
                        en_passant += u32::from(position.is_en_passant(mv));
                        // The value of a table is that of a clock of zero.
                        let after = position.after(mv).with_counters(Some(0), None);
                        best = best.max(value(&tables, &after).outcome_for(side));
                    }
                    false
                });
                let known = value(&tables, &position).outcome_for(side);
                assert_eq!(known, best, "{position}");
                found[known as usize] += 1;
            }
        }
    }
    assert!(found.iter().all(|count| *count > 500), "{found:?}");
    assert!(en_passant > 0);
}
