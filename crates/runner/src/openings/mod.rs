//! Opening positions from an EPD or FEN file, or from a PGN.

mod pgn;

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use cozy_chess::{Board, Color, File, Rank, Square};
use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_engine::game::{Ending, Game};
use lmrlab_engine::position::Position;

use crate::sha256;

/// The largest opening file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// So many wrong lines are shown in full; the rest is only counted.
const SHOWN_ERRORS: usize = 10;

/// The checked positions of an opening file, in its order.
#[derive(Debug, Clone)]
pub struct Openings {
    fens: Arc<[Box<str>]>,
    sha256: String,
}

impl Openings {
    /// Reads a file. One whose name ends in `.pgn` has games, and each opening is the position after the first
    /// `max_plies` plies of one, or after all; any other has one position a line, as FEN or EPD. What follows the position is not looked at; blank lines and
    /// lines that begin with `#` are skipped.
    ///
    /// The warnings say which positions occur more than once.
    ///
    /// # Errors
    /// When the file cannot be read or has no position; and for every line that is no legal position, one in which the
    /// game is already over, or one of Chess960, with its number.
    pub fn load(path: &Path, max_plies: Option<u32>) -> Result<(Self, Diagnostics), Diagnostics> {
        let name = path.display().to_string();
        let refuse = |message: String, help: &str| {
            let diagnostic = Diagnostic::error(message).help(help);
            Diagnostics::new(Source::new(name.clone(), ""), vec![diagnostic])
        };
        let metadata = std::fs::metadata(path).map_err(|error| {
            refuse(
                format!("cannot read the openings `{name}`: {error}"),
                "name a file with one FEN or EPD a line",
            )
        })?;
        if !metadata.is_file() {
            return Err(refuse(
                format!("the openings `{name}` are not a file"),
                "name a file with one FEN or EPD a line",
            ));
        }
        if metadata.len() > MAX_BYTES {
            return Err(refuse(
                format!(
                    "the openings `{name}` have {} bytes, more than the {MAX_BYTES} that are read",
                    metadata.len()
                ),
                "is this the right file?",
            ));
        }
        let bytes = std::fs::read(path).map_err(|error| {
            refuse(
                format!("cannot read the openings `{name}`: {error}"),
                "name a file with one FEN or EPD a line",
            )
        })?;
        if path
            .extension()
            .is_some_and(|extension| extension.eq_ignore_ascii_case("pgn"))
        {
            // Names of players may be in any encoding; moves are ASCII.
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let source = Source::new(name.clone(), text);
            let openings = pgn::openings(&source.text, max_plies);
            return Self::check(source, openings.into_iter(), "a PGN has games with moves");
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            refuse(
                format!(
                    "the openings `{name}` are not UTF-8 text (byte {})",
                    error.utf8_error().valid_up_to()
                ),
                "name a file with one FEN or EPD a line",
            )
        })?;
        Self::parse(Source::new(name.clone(), text))
    }

    /// Reads openings from a text; see [`Openings::load`].
    ///
    /// # Errors
    /// As [`Openings::load`].
    pub fn parse(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        let text = Arc::clone(&source.text);
        let openings = lines(&text).map(|(line, place)| (opening(line), place));
        Self::check(source, openings, "it should have one FEN or EPD a line")
    }

    fn check(
        source: Source,
        openings: impl Iterator<Item = pgn::Opening>,
        wanted: &str,
    ) -> Result<(Self, Diagnostics), Diagnostics> {
        let mut fens = Vec::new();
        let mut keys = HashSet::new();
        let mut errors = Vec::new();
        let mut wrong_lines = 0_usize;
        for (opening, place) in openings {
            match opening.and_then(playable) {
                Ok(position) => {
                    keys.insert(position.key());
                    fens.push(position.to_string().into_boxed_str());
                }
                Err(reason) => {
                    wrong_lines += 1;
                    if wrong_lines <= SHOWN_ERRORS {
                        errors.push(
                            Diagnostic::error("this opening cannot be played").at(place, reason),
                        );
                    }
                }
            }
        }
        if wrong_lines > SHOWN_ERRORS {
            errors.push(Diagnostic::error(format!(
                "{} more openings of `{}` cannot be played",
                wrong_lines - SHOWN_ERRORS,
                source.name
            )));
        }
        if fens.is_empty() && errors.is_empty() {
            errors
                .push(Diagnostic::error(format!("`{}` has no openings", source.name)).help(wanted));
        }
        if !errors.is_empty() {
            return Err(Diagnostics::new(source, errors));
        }
        let mut warnings = Vec::new();
        if keys.len() < fens.len() {
            warnings.push(Diagnostic::warning(format!(
                "{} of the {} openings in `{}` repeat an earlier one",
                fens.len() - keys.len(),
                fens.len(),
                source.name
            )));
        }
        let sha256 = sha256::sha256(&source.text);
        let openings = Self {
            fens: fens.into(),
            sha256,
        };
        Ok((openings, Diagnostics::new(source, warnings)))
    }

    /// How many there are; at least one.
    pub fn count(&self) -> usize {
        self.fens.len()
    }

    /// The position with this index (from 0), as FEN with six fields.
    pub fn fen(&self, index: usize) -> Option<&str> {
        self.fens.get(index).map(|fen| &**fen)
    }

    /// The SHA-256 of the file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Lines that say something, without the blanks around them, each with its place in the text.
pub fn lines(text: &str) -> impl Iterator<Item = (&str, Range<usize>)> {
    let mut next = 0;
    text.split_inclusive('\n').filter_map(move |line| {
        let start = next + (line.len() - line.trim_start().len());
        next += line.len();
        let line = line.trim();
        (!line.is_empty() && !line.starts_with('#')).then(|| (line, start..start + line.len()))
    })
}

/// The position of one line, or why it cannot be played.
fn opening(line: &str) -> Result<Position, String> {
    position_and_rest(line).map(|(position, _)| position)
}

/// The position at the beginning of a line, and what stands behind it; or why there is none.
pub fn position_and_rest(line: &str) -> Result<(Position, &str), String> {
    let fields: Vec<&str> = line.split_ascii_whitespace().collect();
    let is_counter = |index: usize| {
        fields
            .get(index)
            .is_some_and(|field| field.bytes().all(|byte| byte.is_ascii_digit()))
    };
    // After four fields an EPD goes on with operations, which begin with a letter; a FEN goes on with two counters.
    let count = match (is_counter(4), is_counter(5)) {
        (true, true) => 6,
        (true, false) => 5,
        (false, _) => 4,
    };
    let count = count.min(fields.len());
    let position =
        Position::from_fen(&fields[..count].join(" ")).map_err(|error| error.to_string())?;
    let mut rest = line;
    for field in &fields[..count] {
        rest = rest.trim_start().strip_prefix(field).unwrap_or_default();
    }
    Ok((position, rest.trim()))
}

/// The position, if a game can begin with it.
pub fn playable(position: Position) -> Result<Position, String> {
    if is_chess960(position.board()) {
        return Err("castling from other squares than those of chess is not supported".to_owned());
    }
    match Game::new(position.clone()).ending() {
        None => Ok(position),
        Some(ending) => Err(match ending {
            Ending::Checkmate => "the game is over: checkmate",
            Ending::Stalemate => "the game is over: stalemate",
            Ending::FiftyMoves => "the game is over: drawn by the fifty-move rule",
            Ending::InsufficientMaterial => "the game is over: neither side can mate",
            Ending::Repetition => "the game is over: repetition",
        }
        .to_owned()),
    }
}

fn is_chess960(board: &Board) -> bool {
    [Color::White, Color::Black].into_iter().any(|color| {
        let rights = board.castle_rights(color);
        let home = Square::new(File::E, Rank::First.relative_to(color));
        let any = rights.short.is_some() || rights.long.is_some();
        (any && board.king(color) != home)
            || rights.short.is_some_and(|file| file != File::H)
            || rights.long.is_some_and(|file| file != File::A)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<(Openings, Diagnostics), Diagnostics> {
        Openings::parse(Source::new("openings.epd", text))
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
             7k/8/6K1/8/8/8/8/8 b - - 0 1\n\
             1rk1r3/8/8/8/8/8/8/1RK1R3 w EBeb - 0 1\n",
        )
        .unwrap_err();
        insta::assert_snapshot!(errors);
    }

    #[test]
    fn many_wrong_lines_are_counted() {
        let errors = parse(&"nonsense\n".repeat(1_000)).unwrap_err();
        assert_eq!(errors.list.len(), 11);
        assert!(errors.to_string().contains("990 more openings"));
    }

    #[test]
    fn repeated_positions_are_a_warning() {
        let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n";
        let (_, warnings) = parse(&line.repeat(3)).unwrap();
        assert_eq!(
            warnings.list[0].message,
            "2 of the 3 openings in `openings.epd` repeat an earlier one"
        );
    }

    #[test]
    fn an_empty_file_has_no_openings() {
        let errors = parse("# nothing\n").unwrap_err();
        assert!(errors.to_string().contains("has no openings"));
    }
}
