//! Positions and files of tables.

use std::fs;
use std::sync::OnceLock;

use tempfile::TempDir;

use super::*;

/// The tables of three men.
fn made() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    made::three_men(folder.path(), |content| checksum::checksum(content).unwrap());
    folder
}

fn rules(folder: &Path, ignore_50: bool) -> TablebaseRules {
    TablebaseRules {
        folders: vec![folder.to_owned()],
        pieces: None,
        ignore_50,
    }
}

/// The tables of this process: it can open one set.
fn open(ignore_50: bool) -> Tablebases {
    static FOLDER: OnceLock<TempDir> = OnceLock::new();
    let folder = FOLDER.get_or_init(made).path();
    Tablebases::open(&rules(folder, ignore_50), Path::new("")).unwrap()
}

fn decided(tables: &Tablebases, fen: &str) -> Option<&'static str> {
    let position = Position::from_fen(fen).unwrap();
    let (result, termination) = tables.decision(&position).unwrap()?;
    assert_eq!(termination, Termination::Tablebase);
    Some(result.pgn())
}

#[test]
fn a_table_ends_a_game_with_its_value() {
    let tables = open(false);
    assert_eq!(tables.pieces(), 3);
    for (fen, result) in [
        ("6k1/8/8/8/8/8/1Q6/K7 w - - 0 1", "1-0"),
        ("6k1/8/8/8/8/8/Q7/K7 b - - 0 1", "1-0"),
        ("6k1/8/8/8/8/8/1q6/K7 w - - 0 1", "1/2-1/2"),
        ("6k1/8/8/8/8/8/q6K/8 w - - 0 1", "0-1"),
        ("6k1/8/8/8/8/8/1q6/7K b - - 0 1", "0-1"),
        ("6k1/8/8/8/8/8/1B6/K7 w - - 0 1", "1/2-1/2"),
        ("6k1/8/8/8/8/8/1R6/K7 w - - 0 1", "1/2-1/2"),
        ("6k1/8/8/8/8/8/1P6/K7 b - - 0 1", "1/2-1/2"),
    ] {
        assert_eq!(decided(&tables, fen), Some(result), "{fen}");
    }
}

#[test]
fn a_win_counts_where_the_fifty_move_rule_is_ignored() {
    let tables = open(true);
    for (fen, result) in [
        ("6k1/8/8/8/8/8/1R6/K7 w - - 0 1", "1-0"),
        ("6k1/8/8/8/8/8/1r6/7K b - - 0 1", "0-1"),
        ("6k1/p7/8/8/8/8/8/K7 w - - 0 1", "0-1"),
        ("6k1/8/8/8/8/8/1N6/K7 w - - 0 1", "1/2-1/2"),
    ] {
        assert_eq!(decided(&tables, fen), Some(result), "{fen}");
    }
}

#[test]
fn a_game_goes_on_where_no_table_has_its_value() {
    let tables = open(false);
    // One man too many, castling rights, and a halfmove clock that is not zero.
    for fen in [
        "6k1/8/8/8/8/8/1QN5/K7 w - - 0 1",
        "6k1/8/8/8/8/8/8/4K2R w K - 0 1",
        "6k1/8/8/8/8/8/1Q6/K7 w - - 1 1",
    ] {
        assert_eq!(decided(&tables, fen), None, "{fen}");
    }
}

#[test]
fn a_process_reads_one_set_of_tables() {
    open(false);
    let other = made();
    let refused = Tablebases::open(&rules(other.path(), false), Path::new("")).unwrap_err();
    assert!(refused.list[0].message.starts_with("tablebases are read from `"));
}

/// What [`Tablebases::open`] says of a folder.
fn refused(folder: &Path) -> String {
    Tablebases::open(&rules(folder, false), Path::new(""))
        .unwrap_err()
        .render(false)
        .replace(&folder.display().to_string(), "DIR")
}

#[test]
fn a_file_that_is_no_table_is_refused() {
    let folder = made();
    let queen = folder.path().join("KQvK.rtbw");
    let whole = fs::read(&queen).unwrap();
    let message = |content: &[u8]| {
        fs::write(&queen, content).unwrap();
        refused(folder.path())
    };
    let cut = message(&whole[..70]);
    assert!(
        cut.contains("`DIR/KQvK.rtbw` was cut short: no table has 70 bytes"),
        "{cut}"
    );
    assert!(message(b"").contains("no table has 0 bytes"));
    let mut other = whole.clone();
    other[0] ^= 1;
    assert!(message(&other).contains("`DIR/KQvK.rtbw` is no win-draw-loss table: it begins with other bytes"));
    fs::remove_file(&queen).unwrap();
    insta::assert_snapshot!(refused(folder.path()), @r"
    error: 1 of the 5 tables of up to 3 men are not in `DIR`: KQvK.rtbw
    help: add them: a position needs the tables of all that captures lead to
    ");
    fs::write(folder.path().join("KQvKR.rtbw"), &whole).unwrap();
    fs::write(&queen, &whole).unwrap();
    insta::assert_snapshot!(refused(folder.path()), @r"
    error: 29 of the 35 tables of up to 4 men are not in `DIR`: KQQvK.rtbw, KQRvK.rtbw, KQBvK.rtbw, KQNvK.rtbw, KQPvK.rtbw, KRRvK.rtbw, KRBvK.rtbw, KRNvK.rtbw, and 21 more
    help: add them, or set the limit of pieces (`tb_pieces`) to 3: all tables of up to 3 men are there
    ");
    // The reader opens this kind of table, too.
    fs::write(folder.path().join("KQvKR.rtbz"), &whole[..70]).unwrap();
    assert!(refused(folder.path()).contains("`DIR/KQvKR.rtbz` was cut short"));
}

#[test]
fn a_folder_without_tables_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    insta::assert_snapshot!(refused(folder.path()), @r"
    error: no tablebases can be read from `DIR`: it has no win-draw-loss table (NAME.rtbw)
    help: name a folder with Syzygy tables, files such as KQvK.rtbw
    ");
    fs::write(folder.path().join("KQvK.rtbz"), [0; 80]).unwrap();
    assert!(refused(folder.path()).contains("it has no win-draw-loss table (NAME.rtbw)"));
    let gone = refused(&folder.path().join("gone"));
    assert!(gone.contains("no tablebases can be read from `DIR`: "), "{gone}");
}

#[test]
fn a_changed_byte_is_found_before_a_table_is_read() {
    let folder = made();
    let queen = folder.path().join("KQvK.rtbw");
    let whole = fs::read(&queen).unwrap();
    for at in 4..whole.len() {
        let mut content = whole.clone();
        content[at] ^= 0x10;
        fs::write(&queen, content).unwrap();
        let files = TableFiles::find(&[folder.path().to_owned()]).unwrap();
        let wrong = files.check(&"KQvK".to_owned()).unwrap_err().to_string();
        assert!(
            wrong.contains("is damaged: its content is not that of its checksum"),
            "{wrong}"
        );
        assert_eq!(files.check(&"KRvK".to_owned()), Ok(()));
    }
    fs::write(&queen, whole).unwrap();
    let files = TableFiles::find(&[folder.path().to_owned()]).unwrap();
    assert_eq!(files.check(&"KQvK".to_owned()), Ok(()));
}
