//! EPD and FEN lines: a position, and what an EPD says about it.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, section 16.2.

use std::collections::HashSet;
use std::io;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source, built_in, cut};
use lmrlab_engine::position::Position;
use lmrlab_engine::whole_number::whole_number;

use crate::{line_errors, text_file};

/// The largest file of positions or games that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// Characters that are shown of a file that has no positions.
const SHOWN_OF_ANOTHER_FILE: usize = 20;

/// A line with a position.
#[derive(Debug, Clone, Copy)]
pub struct Line<'t> {
    /// The line without the blanks around it.
    pub text: &'t str,
    /// Its number in the file, from 1.
    pub number: usize,
    /// Where its text begins in the file, in bytes.
    start: usize,
}

/// An operation of an EPD line, such as `bm Nf3 Nd5;`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Operation {
    /// Its code, such as `bm`.
    pub code: String,
    /// What follows the code. Quotes around all of it are removed.
    pub operands: String,
}

/// The lines of a text without blank lines and comments. Comments begin with `#`. A byte order mark is skipped.
pub fn lines(text: &str) -> impl Iterator<Item = Line<'_>> {
    let lines = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut next = text.len() - lines.len();
    let lines = lines.split_inclusive('\n').enumerate();
    lines.filter_map(move |(index, line)| {
        let start = next + (line.len() - line.trim_start().len());
        next += line.len();
        let text = line.trim();
        (!text.is_empty() && !text.starts_with('#')).then_some(Line {
            text,
            number: index + 1,
            start,
        })
    })
}

impl<'t> Line<'t> {
    /// Where the line stands in its file, in bytes.
    pub fn place(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }

    /// The position at the beginning of the line, and the operations behind it. Two operations are part of the position
    /// and are not returned: `hmvc` is the halfmove clock, `fmvn` the move number. They override the counters of a FEN
    /// on the same line. When one occurs several times, the last one counts, as in python-chess.
    ///
    /// # Errors
    /// Why the line has no legal position.
    pub fn position(&self) -> Result<(Position, Vec<Operation>), String> {
        if let Some(control) = self.text.chars().find(|c| c.is_control() && *c != '\t') {
            return Err(format!(
                "the line has the control character U+{:04X}",
                u32::from(control)
            ));
        }
        let before_operations = self.text.split(';').next().unwrap_or_default();
        let fields: Vec<&str> = before_operations.split_ascii_whitespace().collect();
        let is_counter = |index: usize| {
            let field = fields.get(index);
            field.is_some_and(|field| *field == "-" || whole_number(field).is_some())
        };
        // After four fields an EPD has operations, which begin with a letter; a FEN has two counters.
        let count = match (is_counter(4), is_counter(5)) {
            (true, true) => 6,
            (true, false) => 5,
            (false, _) => 4,
        };
        let fields = &fields[..count.min(fields.len())];
        let position = Position::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?;
        let mut rest = self.text;
        for field in fields {
            rest = rest.trim_start().strip_prefix(field).unwrap_or_default();
        }
        let rest = rest.trim();
        check_operations(rest)?;
        let (mut clock, mut number) = (None, None);
        let mut others = operations(rest);
        let mut wrong = None;
        others.retain(|operation| {
            let counter = match operation.code.as_str() {
                "hmvc" => &mut clock,
                "fmvn" => &mut number,
                _ => return true,
            };
            *counter = whole_number(&operation.operands);
            if counter.is_none() {
                let text = format!("{} {}", operation.code, operation.operands);
                wrong = Some(format!(
                    "`{}` should have a whole number, as in `{} 0;`",
                    text.trim(),
                    operation.code
                ));
            }
            false
        });
        match wrong {
            Some(wrong) => Err(wrong),
            None => Ok((position.with_counters(clock, number), others)),
        }
    }
}

/// The operations of the standard, besides those with a number: `c0`, `v0` and, in perft suites, `D1`. Programs have
/// more of their own.
const STANDARD_OPERATIONS: &str = "acd acn acs am bm ce dm draw_accept draw_claim draw_offer draw_reject eco fmvn hmvc id nic noop pm \
                                    pv rc resign sv tcgs tcri tcsi";

/// Checks the text directly behind a position: it is empty, begins with a semicolon, or begins with an operation. An
/// operation outside the standard has to end with a semicolon. Other text is taken for a mistake.
fn check_operations(text: &str) -> Result<(), String> {
    let (first, ended) = text.split_once(';').map_or((text, false), |(first, _)| (first, true));
    let code = first.split_ascii_whitespace().next().unwrap_or_default();
    let is_code = code.starts_with(|c: char| c.is_ascii_alphabetic())
        && code
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-'));
    let is_known = || {
        let numbered = code.strip_prefix(['c', 'v', 'D', 'd']);
        STANDARD_OPERATIONS.split(' ').any(|known| known == code)
            || numbered.is_some_and(|number| number.parse::<u8>().is_ok())
    };
    if code.is_empty() || (is_code && (ended || is_known())) {
        return Ok(());
    }
    Err(format!(
        "`{code}` behind the position is neither a counter of a FEN nor an operation of an EPD, such as `bm Nf3;`"
    ))
}

/// Reads a position: a FEN, or an EPD with or without operations.
///
/// # Errors
/// Why it is no legal position.
pub fn read_position(text: &str) -> Result<Position, String> {
    let line = Line {
        text: text.trim(),
        number: 1,
        start: 0,
    };
    line.position().map(|(position, _)| position)
}

/// The operations behind a position: a code and operands each, up to a semicolon outside quotes.
fn operations(text: &str) -> Vec<Operation> {
    let mut quoted = false;
    text.split(|c: char| {
        quoted ^= c == '"';
        c == ';' && !quoted
    })
    .filter_map(|operation| {
        let operation = operation.trim();
        let (code, operands) = operation
            .split_once(|c: char| c.is_ascii_whitespace())
            .unwrap_or((operation, ""));
        let operands = operands.trim();
        let bare = operands
            .strip_prefix('"')
            .and_then(|rest| rest.strip_suffix('"'))
            .filter(|bare| !bare.contains('"'));
        (!code.is_empty()).then(|| Operation {
            code: code.to_owned(),
            operands: bare.unwrap_or(operands).to_owned(),
        })
    })
    .collect()
}

/// A position as EPD: a FEN without its counters.
pub fn epd(position: &Position) -> String {
    let fen = position.to_string();
    fen.split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// Reads a file of positions or games, from the disk or built in. Messages call it `the {what}`.
///
/// # Errors
/// When the file cannot be read, is no text or is longer than 1 GiB.
pub fn read_file(path: &Path, what: &str) -> Result<Vec<u8>, Diagnostics> {
    if let Some(text) = built_in::text(path) {
        return Ok(text.into());
    }
    text_file::read(path, MAX_BYTES).map_err(|error| {
        let name = path.display();
        let mut diagnostic = Diagnostic::error(format!("cannot read the {what} `{name}`: {error}"));
        // The message about another format says what to do.
        if error.kind() != io::ErrorKind::InvalidData {
            diagnostic = diagnostic.help("name a file with one FEN or EPD a line");
        }
        Diagnostics::new(Source::new(name.to_string(), ""), vec![diagnostic])
    })
}

/// The positions of a file, as [`line_errors::all`] has them. A file that begins with something else has an error of its own.
///
/// # Errors
/// When one of them is wrong.
pub fn all<T>(
    source: &Source,
    read: impl IntoIterator<Item = (Range<usize>, Result<T, String>)>,
    message: &str,
    more: &str,
) -> Result<Vec<T>, Diagnostics> {
    let mut read = read.into_iter().peekable();
    if let Some((place, Err(_))) = read.peek()
        && let Some(error) = another_file(source, place.start)
    {
        return Err(error);
    }
    line_errors::all(source, read, message, more)
}

/// Warns when some of the positions of a file are the same. They are `what` to the user.
///
/// # Errors
/// When there are none. The file should have what `wanted` says.
pub fn check_distinct<'p>(
    source: &Source,
    positions: impl Iterator<Item = &'p Position>,
    what: &str,
    wanted: &str,
) -> Result<Diagnostics, Diagnostics> {
    let (mut count, mut keys, name) = (0, HashSet::new(), &source.name);
    for position in positions {
        count += 1;
        keys.insert(position.key());
    }
    if count == 0 {
        let error = Diagnostic::error(format!("`{name}` has no {what}")).help(wanted);
        return Err(Diagnostics::new(source.clone(), vec![error]));
    }
    let repeated = count - keys.len();
    let warning = || {
        Diagnostic::warning(format!(
            "{repeated} of the {count} {what} in `{name}` repeat an earlier one"
        ))
    };
    let warnings = (repeated > 0).then(warning).into_iter().collect();
    Ok(Diagnostics::new(source.clone(), warnings))
}

/// The error of a file that begins with neither a position nor a tag of a PGN, when its first error is at this place. Such a file is
/// probably another one than was meant. It may be secret, so only the beginning of that line is shown.
fn another_file(source: &Source, first_error: usize) -> Option<Diagnostics> {
    let line = lines(&source.text).next()?;
    let board = line.text.split_ascii_whitespace().next().unwrap_or_default();
    let is_board = board.contains('/') && board.chars().all(|c| "pnbrqkPNBRQK12345678/".contains(c));
    let is_expected = is_board || ["[fen", "[variant"].contains(&&*board.to_ascii_lowercase());
    if is_expected || first_error != line.start {
        return None;
    }
    let error = Diagnostic::error(format!(
        "`{}` has no positions: its line {} begins with `{}`",
        source.name,
        line.number,
        cut(line.text, SHOWN_OF_ANOTHER_FILE)
    ));
    let source = Source::new(source.name.clone(), "");
    let error = error.help("it should have one FEN or EPD a line");
    Some(Diagnostics::new(source, vec![error]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Result<(String, Vec<Operation>), String>> {
        lines(text)
            .map(|line| {
                let (position, operations) = line.position()?;
                assert_eq!(&text[line.place()], line.text);
                Ok((epd(&position), operations))
            })
            .collect()
    }

    #[test]
    fn positions_end_where_operations_begin() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (behind, codes) in [
            ("", &[][..]),
            (" 0 1", &[]),
            (" bm Nf3;", &["bm"]),
            (" 3 bm Nf3; id \"a; b\"", &["bm", "id"]),
            (" 0 1;D1 20 ;D2 400", &["D1", "D2"]),
            (" ;D1 20", &["D1"]),
            (" bm Nf3", &["bm"]),
            (" 0 1 eval-cp 12;", &["eval-cp"]),
        ] {
            let lines = read(&format!("# comment\n\n \t{start}{behind}\r\n"));
            let (position, operations) = lines[0].as_ref().unwrap();
            assert_eq!(position, start);
            let found: Vec<&str> = operations.iter().map(|o| o.code.as_str()).collect();
            assert_eq!(found, codes, "{behind}");
        }
        assert_eq!(
            operations("id \"a; b\"; c0 x \"y\"")
                .into_iter()
                .map(|operation| operation.operands)
                .collect::<Vec<_>>(),
            ["a; b", "x \"y\""]
        );
    }

    #[test]
    fn what_is_neither_counter_nor_operation_is_an_error() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        for (behind, wrong) in [
            (" junk", "`junk`"),
            (" 0 1 2", "`2`"),
            (" 0 1 junk and more", "`junk`"),
            (" 0 1.5", "`1.5`"),
            (" hmvc x;", "`hmvc x`"),
            (" hmvc;", "`hmvc`"),
            (" hmvc 1 2;", "`hmvc 1 2`"),
            (" id \"a\"; fmvn 1.5; hmvc 3;", "`fmvn 1.5`"),
            (" ?!;", "`?!`"),
            (" 0 1\0", "U+0000"),
            (" 0 1; a\u{1b}[31m", "U+001B"),
        ] {
            let said = read(&format!("{start}{behind}")).remove(0).unwrap_err();
            assert!(said.contains(wrong), "{behind}: {said}");
        }
    }

    #[test]
    fn the_counters_of_an_epd_belong_to_its_position() {
        let start = "7k/8/5K2/8/8/8/8/R7 w - -";
        for (behind, counters) in [
            (" hmvc 98; fmvn 80;", "98 80"),
            (" fmvn 80; bm Kg6; hmvc 98", "98 80"),
            (" 5 6 hmvc 98;", "98 6"),
            (" hmvc 113; fmvn 0;", "100 1"),
            (" hmvc \"7\"; hmvc 8;", "8 1"),
            (" id \"hmvc 9;\";", "0 1"),
            (" 113 0", "100 1"),
            (" -5 -", "0 1"),
        ] {
            let position = read_position(&format!("{start}{behind}")).unwrap();
            assert_eq!(position.to_string(), format!("{start} {counters}"), "{behind}");
        }
        let (_, operations) = lines("7k/8/5K2/8/8/8/8/R7 w - - hmvc 97; bm Kg6; fmvn 80;")
            .next()
            .unwrap()
            .position()
            .unwrap();
        assert_eq!(
            operations
                .iter()
                .map(|operation| operation.code.as_str())
                .collect::<Vec<_>>(),
            ["bm"]
        );
    }

    #[test]
    fn lines_have_their_numbers() {
        let numbers: Vec<usize> = lines("a\n#\n\n b\n").map(|line| line.number).collect();
        assert_eq!(numbers, [1, 4]);
        assert!(read("nonsense ;D1 20")[0].is_err());
    }
}
