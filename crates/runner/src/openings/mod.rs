//! Opening positions from an EPD or FEN file, or from a PGN.

mod games;
mod playable;

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};

use self::playable::is_chess960;
pub use self::playable::playable;
use crate::epd::{self, Errors, SHOWN_ERRORS};
use crate::pgn::tokenizer::{Token, Tokens};
use crate::sha256;
use crate::text_file::decoded;

/// The checked positions of an opening file, in its order.
#[derive(Debug, Clone)]
pub struct Openings {
    fens: Arc<[Box<str>]>,
    sha256: String,
}

impl Openings {
    /// Reads a file. One that is called `.pgn`, or begins with a tag, has games, and each opening is the position after the first
    /// `max_plies` plies of one, or after all; any other has one position a line, as FEN or EPD. What follows the position
    /// is not looked at. Blank lines and lines that begin with `#` are skipped.
    ///
    /// The warnings say which positions occur more than once.
    ///
    /// # Errors
    /// When the file cannot be read or has no position; when `max_plies` is given for another file than a PGN; and for every line that is no legal position, one in which the
    /// game is already over, or one of Chess960, with its number.
    pub fn load(path: &Path, max_plies: Option<u32>) -> Result<(Self, Diagnostics), Diagnostics> {
        let name = path.display().to_string();
        let bytes = epd::read_file(path, "openings")?;
        if is_pgn(path, &bytes) {
            let sha256 = sha256::sha256_of_bytes(&bytes);
            let source = Source::new(name.clone(), decoded(&bytes));
            let (openings, broken_tags) = games::openings(&source.text, max_plies);
            let broken = |place: Range<usize>| {
                let warning = Diagnostic::warning("a tag that cannot be read");
                warning.at(place, "it should be a name, and a value in quotes before a bracket")
            };
            let warnings = broken_tags.into_iter().take(SHOWN_ERRORS).map(broken).collect();
            return Self::check(
                source,
                sha256,
                openings.into_iter(),
                "a PGN has games with moves",
                warnings,
            );
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
        Self::parse(Source::new(name, text))
    }

    /// Reads openings from a text; see [`Openings::load`].
    ///
    /// # Errors
    /// As [`Openings::load`].
    pub fn parse(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        let text = Arc::clone(&source.text);
        let openings = epd::lines(&text).map(|line| {
            let position = line.position().map(|(position, _)| position);
            (position, line.place())
        });
        let sha256 = sha256::sha256(&text);
        Self::check(
            source,
            sha256,
            openings,
            "it should have one FEN or EPD a line",
            Vec::new(),
        )
    }

    fn check(
        source: Source,
        sha256: String,
        openings: impl Iterator<Item = games::Opening>,
        wanted: &str,
        mut warnings: Vec<Diagnostic>,
    ) -> Result<(Self, Diagnostics), Diagnostics> {
        let mut fens = Vec::new();
        let mut keys = HashSet::new();
        let mut errors = Errors::new("this opening cannot be played");
        for (opening, place) in openings {
            match opening.and_then(playable) {
                Ok(position) => {
                    keys.insert(position.key());
                    fens.push(position.to_string().into_boxed_str());
                }
                Err(reason) => errors.push(place, reason),
            }
        }
        if !errors.is_empty() {
            return Err(errors.finish(source, "openings that cannot be played"));
        }
        if fens.is_empty() {
            let error = Diagnostic::error(format!("`{}` has no openings", source.name)).help(wanted);
            return Err(Diagnostics::new(source, vec![error]));
        }
        if keys.len() < fens.len() {
            warnings.push(Diagnostic::warning(format!(
                "{} of the {} openings in `{}` repeat an earlier one",
                fens.len() - keys.len(),
                fens.len(),
                source.name
            )));
        }
        let openings = Self {
            fens: fens.into(),
            sha256,
        };
        Ok((openings, Diagnostics::new(source, warnings)))
    }

    /// Some positions of a file, by their indices, with the number of all its positions and its SHA-256. A part of a run needs
    /// no more. Errors of a position show when it is played.
    pub fn some(count: usize, sha256: &str, positions: impl Iterator<Item = (usize, Box<str>)>) -> Self {
        let mut fens = vec![Box::<str>::default(); count];
        for (index, fen) in positions {
            if let Some(place) = fens.get_mut(index) {
                *place = fen;
            }
        }
        Self {
            fens: fens.into(),
            sha256: sha256.to_owned(),
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

    /// The SHA-256 of the file, in hexadecimal.
    pub fn sha256(&self) -> &str {
        &self.sha256
    }
}

/// Whether a file is a PGN: by its name, or because it begins with a tag.
fn is_pgn(path: &Path, bytes: &[u8]) -> bool {
    let named = path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pgn"));
    named || matches!(Tokens::of(bytes).next_token(), Ok(Some((Token::Tag { .. }, _))))
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
