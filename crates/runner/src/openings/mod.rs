//! Opening positions from EPD and FEN files, and from PGNs.

mod pgn;
mod playable;

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_engine::chess_variant::{ChessVariant, names_rook_files};
use lmrlab_engine::position::Position;

pub use self::playable::playable;
use lmrlab_results::epd;
use lmrlab_results::pgn::tokenizer::{Token, Tokens};
use lmrlab_results::sha256;
use lmrlab_results::text_file::decoded;

/// The checked positions of one or more opening files, in their order.
#[derive(Debug, Clone)]
pub struct Openings {
    fens: Arc<[Box<str>]>,
    books: Arc<[BookOfRun]>,
}

/// What a run records of an opening file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BookOfRun {
    /// How many of its positions are used; at least one.
    pub count: usize,
    /// The SHA-256 of the file, in hexadecimal.
    pub sha256: String,
}

impl Openings {
    /// Reads a file. A file that is named `.pgn`, or begins with a tag, has games: an opening is the position after the
    /// first `max_plies` plies of a game, or after all plies. Any other file has one position a line, as FEN or EPD.
    /// The text behind a position is ignored. Blank lines and lines that begin with `#` are skipped.
    ///
    /// Also returns the variant: `asked` or, when that is absent, the one that the castling rights need. The warnings
    /// say which positions occur more than once.
    ///
    /// # Errors
    /// When the file cannot be read or has no position, or `max_plies` is given for a file that is no PGN. When a line
    /// has no legal position, a position in which the game is already over, or one of another variant. The message has
    /// the numbers of these lines.
    pub fn load(
        path: &Path,
        max_plies: Option<u32>,
        asked: Option<ChessVariant>,
    ) -> Result<LoadedOpenings, Diagnostics> {
        let name = path.display().to_string();
        let bytes = epd::read_file(path, "openings")?;
        if is_pgn(path, &bytes) {
            let sha256 = sha256::sha256_of_bytes(&bytes);
            let source = Source::new(name.clone(), decoded(&bytes));
            let book = Book {
                openings: pgn::openings(&source.text, max_plies),
                source,
                sha256,
                wanted: "a PGN has games with moves",
            };
            return book.check(asked);
        }
        if max_plies.is_some() {
            let message = format!("`plies` is for openings from a PGN, and `{name}` is none");
            let diagnostic = Diagnostic::error(message)
                .help("remove it, or name a file that ends in `.pgn`; the positions of an EPD are taken as they are");
            return Err(Diagnostics::new(Source::new(name.clone(), ""), vec![diagnostic]));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let message = format!(
                "the openings `{name}` are not UTF-8 text (byte {})",
                error.utf8_error().valid_up_to()
            );
            let diagnostic = Diagnostic::error(message).help("name a file with one FEN or EPD a line");
            Diagnostics::new(Source::new(name.clone(), ""), vec![diagnostic])
        })?;
        Self::parse(Source::new(name, text), asked)
    }

    /// Reads openings from a text; see [`Openings::load`].
    ///
    /// # Errors
    /// As [`Openings::load`].
    pub fn parse(source: Source, asked: Option<ChessVariant>) -> Result<LoadedOpenings, Diagnostics> {
        let openings = epd::lines(&source.text).map(|line| Opening {
            position: line.position().map(|(position, _)| position),
            place: line.place(),
            is_called_chess960: names_rook_files(line.text),
        });
        let book = Book {
            openings: openings.collect(),
            sha256: sha256::sha256(&source.text),
            source,
            wanted: "it should have one FEN or EPD a line",
        };
        book.check(asked)
    }

    /// These openings, followed by the new ones among `more`. Two positions are the same when only their counters
    /// differ. Also returns the number of positions that are left out. `None` when no position is new.
    pub fn and(&self, more: &Self) -> Option<(Self, usize)> {
        let there: HashSet<&str> = self.fens.iter().map(|fen| without_counters(fen)).collect();
        let fresh = more.fens.iter().filter(|fen| !there.contains(without_counters(fen)));
        let fens: Arc<[Box<str>]> = self.fens.iter().chain(fresh).cloned().collect();
        let count = fens.len() - self.count();
        let sha256 = more.books.first()?.sha256.clone();
        let book = BookOfRun { count, sha256 };
        let books = self.books.iter().cloned().chain([book]).collect();
        (count > 0).then_some((Self { fens, books }, more.count() - count))
    }

    /// Some positions of books, by their indices; a part of a run needs only these. They are not checked before they
    /// are played.
    pub fn some(books: Vec<BookOfRun>, positions: impl Iterator<Item = (usize, Box<str>)>) -> Self {
        let count = books.iter().map(|book| book.count).sum();
        let mut fens = vec![Box::<str>::default(); count];
        for (index, fen) in positions {
            if let Some(place) = fens.get_mut(index) {
                *place = fen;
            }
        }
        Self {
            fens: fens.into(),
            books: books.into(),
        }
    }

    /// How many there are; at least one.
    pub fn count(&self) -> usize {
        self.fens.len()
    }

    /// The position with this index (from 0), as FEN with six fields.
    pub fn fen(&self, index: usize) -> Option<&str> {
        self.fens.get(index).map(|fen| &**fen).filter(|fen| !fen.is_empty())
    }

    /// The files.
    pub fn books(&self) -> &[BookOfRun] {
        &self.books
    }

    /// How many openings each file has.
    pub fn counts(&self) -> Vec<usize> {
        self.books.iter().map(|book| book.count).collect()
    }
}

/// A FEN without its last two fields.
fn without_counters(fen: &str) -> &str {
    fen.rsplitn(3, ' ').nth(2).unwrap_or(fen)
}

/// The openings of a file, their variant, and warnings about them.
pub type LoadedOpenings = (Openings, ChessVariant, Diagnostics);

/// An opening as its file has it.
#[derive(Debug)]
struct Opening {
    /// The position, or why there is none.
    position: Result<Position, String>,
    place: Range<usize>,
    /// Whether the file calls it one of Chess960: it names the files of rooks, or has the tag `Variant`.
    is_called_chess960: bool,
}

/// Whether castling is possible that standard chess does not have.
fn needs_chess960(position: &Position) -> bool {
    ChessVariant::of(position.board()) == ChessVariant::Chess960
}

/// The position, if it can be played in the variant that is asked for.
fn fitting(position: Position, asked: Option<ChessVariant>) -> Result<Position, String> {
    match asked == Some(ChessVariant::Standard) && needs_chess960(&position) {
        true => {
            Err("castling from these squares is that of Chess960: leave the variant out, or say `chess960`".to_owned())
        }
        false => Ok(position),
    }
}

/// A file of openings that is being read.
struct Book {
    source: Source,
    sha256: String,
    openings: Vec<Opening>,
    /// What the file should have.
    wanted: &'static str,
}

impl Book {
    fn check(self, asked: Option<ChessVariant>) -> Result<LoadedOpenings, Diagnostics> {
        let is_called_chess960 = self.openings.iter().any(|opening| opening.is_called_chess960);
        let read = self.openings.into_iter().map(|opening| {
            let position = opening.position.and_then(playable);
            (opening.place, position.and_then(|position| fitting(position, asked)))
        });
        let (message, more) = ("this opening cannot be played", "openings that cannot be played");
        let positions = epd::all(&self.source, read, message, more)?;
        let warnings = epd::check_distinct(&self.source, positions.iter(), "openings", self.wanted)?;
        // Chess960 can be played from every position of standard chess.
        let variant = asked.unwrap_or(match is_called_chess960 || positions.iter().any(needs_chess960) {
            true => ChessVariant::Chess960,
            false => ChessVariant::Standard,
        });
        let book = BookOfRun {
            count: positions.len(),
            sha256: self.sha256,
        };
        let openings = Openings {
            fens: positions
                .iter()
                .map(|position| variant.fen(position.board()).into())
                .collect(),
            books: Arc::new([book]),
        };
        Ok((openings, variant, warnings))
    }
}

/// Whether a file is a PGN: by its name, or because it begins with a tag. The name of a tag begins with a capital
/// letter; that of a section in a file of settings rarely does.
fn is_pgn(path: &Path, bytes: &[u8]) -> bool {
    let named = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pgn"));
    let is_tag = |token: &Token<'_>| matches!(token, Token::Tag { name, .. } if name.first().is_some_and(u8::is_ascii_uppercase));
    named || Tokens::of(bytes).next().is_some_and(|(token, _)| is_tag(&token))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::BoardBuilder;

    fn parse(text: &str) -> Result<(Openings, Diagnostics), Diagnostics> {
        let (openings, variant, warnings) = Openings::parse(Source::new("openings.epd", text), None)?;
        assert_eq!(variant, ChessVariant::Standard);
        Ok((openings, warnings))
    }

    #[test]
    fn fen_and_epd_with_what_may_stand_around_them() {
        let (openings, warnings) = parse(
            "# a comment\n\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
             \t rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - hmvc 0; id \"d4\";\r\n\
             rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq - 0 1 ; c4\n\
             rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1",
        )
        .unwrap();
        assert_eq!(openings.count(), 4);
        assert!(warnings.list.is_empty());
        assert_eq!(
            openings.fen(3),
            Some("rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1")
        );
        assert_eq!(openings.fen(4), None);
    }

    #[test]
    fn every_wrong_line_is_shown_with_its_number() {
        let errors = parse(
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
             rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e4 0 1\n\
             not a position\n\
             7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n\
             7k/7Q/6K1/8/8/8/8/8 b - - 0 1\n\
             7k/8/6K1/8/8/8/8/8 b - - 0 1\n",
        )
        .unwrap_err();
        insta::assert_snapshot!(errors);
    }

    const X_FEN: &str = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9\n";
    const SHREDDER: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/NRKBBRNQ w FBha -\n";
    const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
    const KINGS_PAWN: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n";
    const NO_RIGHTS: &str = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\n";

    #[test]
    fn castling_rights_decide_the_variant_unless_it_is_asked_for() {
        let (standard, chess960) = (Some(ChessVariant::Standard), Some(ChessVariant::Chess960));
        let shredder = |fen: &str| fen.replace("KQkq", "HAha");
        let (initial, pawn) = (&shredder(INITIAL), &shredder(KINGS_PAWN));
        let (x_fen, with_counters) = (&X_FEN.replace("KQkq", "HFhf"), &SHREDDER.replace(" -\n", " - 0 1\n"));
        for (lines, asked, found, second_fen) in [
            ([KINGS_PAWN, INITIAL], None, standard, INITIAL),
            ([NO_RIGHTS, NO_RIGHTS], None, standard, NO_RIGHTS),
            ([X_FEN, NO_RIGHTS], None, chess960, NO_RIGHTS),
            // The initial position of chess is position 518 of Chess960.
            ([X_FEN, INITIAL], None, chess960, initial),
            ([INITIAL, X_FEN], None, chess960, x_fen),
            ([INITIAL, SHREDDER], None, chess960, with_counters),
            ([X_FEN, KINGS_PAWN], chess960, chess960, pawn),
            ([X_FEN, KINGS_PAWN], None, chess960, pawn),
            ([INITIAL, initial], None, chess960, initial),
            ([INITIAL, pawn], standard, standard, KINGS_PAWN),
        ] {
            let source = Source::new("openings.epd", lines.concat());
            let (openings, variant, _) = Openings::parse(source, asked).unwrap();
            assert_eq!(Some(variant), found, "{lines:?}");
            assert_eq!(openings.fen(1).unwrap(), second_fen.trim(), "{lines:?}");
        }
        let source = Source::new("openings.epd", [X_FEN, KINGS_PAWN, SHREDDER].concat());
        assert_eq!(Openings::parse(source, standard).unwrap_err().list.len(), 2);
    }

    #[test]
    fn the_default_openings_of_chess960_are_its_960_start_positions() {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../positions/chess960.epd");
        let (openings, variant, warnings) = Openings::load(Path::new(file), None, None).unwrap();
        assert_eq!((openings.count(), variant), (960, ChessVariant::Chess960));
        assert!(warnings.list.is_empty(), "no two are equal");
        for number in 0..960 {
            let board = BoardBuilder::chess960_startpos(number).build().unwrap();
            assert_eq!(openings.fen(number as usize), Some(&*format!("{board:#}")), "{number}");
        }
    }

    #[test]
    fn of_another_file_only_the_beginning_of_a_line_is_shown() {
        for text in [
            "# users\nroot:x:0:0:the secret:/root:/bin/sh\nuser:x:1:1:\n",
            "[url \"https://user:the secret@host/\"]\n",
            "password = the secret",
        ] {
            let errors = parse(text).unwrap_err();
            assert_eq!(errors.list.len(), 1, "{errors}");
            assert!(!errors.to_string().contains("secret"), "{errors}");
        }
        let line = format!("root:x{}", "\x1b".repeat(1_000));
        let shown = parse(&line).unwrap_err().to_string();
        assert!(shown.contains("its line 1 begins with `root:x␛␛"), "{shown}");
        let other = "[url \"https://host/\"]\n\tinsteadOf = x\n";
        assert!(!is_pgn(Path::new("config"), other.as_bytes()));
        assert!(is_pgn(Path::new("games"), b"[Event \"x\"]\n"));
    }

    #[test]
    fn many_wrong_lines_are_counted_and_repeated_positions_are_a_warning() {
        let errors = parse(&"8/8/8/8/8/8/8/8 w - -\n".repeat(1_000)).unwrap_err();
        assert_eq!(errors.list.len(), 11);
        assert!(errors.to_string().contains("990 more openings"));
        let (_, warnings) = parse(&KINGS_PAWN.repeat(3)).unwrap();
        let warning = &warnings.list[0].message;
        assert_eq!(warning, "2 of the 3 openings in `openings.epd` repeat an earlier one");
        let errors = parse("# nothing\n").unwrap_err();
        assert!(errors.to_string().contains("has no openings"));
    }
}
