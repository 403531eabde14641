//! Texts of foreign origin on a terminal and in CSV files, such as names in PGN files and descriptions of policies.
//! Escape codes in them could change colours, the window's title or the text above. A cell of a CSV file could be a
//! formula.

use std::borrow::Cow;
use std::fmt::Write as _;

use lmrlab_diagnostics::{SHOWN_CHARACTERS, cut};

/// The text without invisible characters. A control character becomes a visible sign such as `␛`. Any other invisible
/// character becomes its number, such as `<U+200B>`.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_unprintable) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::new();
    for c in text.chars() {
        match c {
            '\0'..='\x1f' => shown.extend(char::from_u32(0x2400 + u32::from(c))),
            '\x7f' => shown.push('␡'),
            c if is_unprintable(c) => {
                let _ = write!(shown, "<U+{:04X}>", u32::from(c));
            }
            c => shown.push(c),
        }
    }
    Cow::Owned(shown)
}

/// A text of foreign origin on the terminal: [`visible`], and at most [`SHOWN_CHARACTERS`] of it.
#[must_use]
pub fn shown(text: &str) -> String {
    cut(&visible(text), SHOWN_CHARACTERS).into_owned()
}

/// A text of foreign origin as a cell of a CSV file: [`visible`], with an apostrophe in front of anything that a
/// spreadsheet would take for a formula.
#[must_use]
pub fn cell(text: &str) -> Cow<'_, str> {
    let shown = visible(text);
    if begins_formula(shown.trim_start()) {
        return Cow::Owned(format!("'{shown}"));
    }
    shown
}

/// Whether spreadsheets take a cell with this text for a formula.
#[must_use]
pub fn begins_formula(text: &str) -> bool {
    text.starts_with(['=', '+', '-', '@'])
}

/// Whether a character is a control character, or [invisible](is_invisible).
#[must_use]
pub fn is_unprintable(c: char) -> bool {
    c.is_control() || is_invisible(c)
}

/// Whether a character has no width, or changes the direction of the text. With it, one name could look like another.
#[must_use]
pub fn is_invisible(c: char) -> bool {
    matches!(
        c,
        '\u{ad}'
            | '\u{61c}'
            | '\u{180e}'
            | '\u{200b}'..='\u{200f}'
            | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{feff}'
            | '\u{fffe}'..='\u{ffff}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_cell_is_a_formula() {
        for (text, expected) in [
            ("=1+1", "'=1+1"),
            ("-x", "'-x"),
            (" @x", "' @x"),
            ("\t+1", "␉+1"),
            ("a=b", "a=b"),
            ("a\x1b", "a␛"),
            ("", ""),
        ] {
            assert_eq!(cell(text), expected);
        }
    }

    #[test]
    fn a_long_text_is_cut() {
        assert_eq!(
            shown(&"\x1b".repeat(5_000)),
            format!("{}…", "␛".repeat(SHOWN_CHARACTERS))
        );
    }

    #[test]
    fn no_control_character_is_left() {
        assert_eq!(visible("Älpha ♔ 1.0"), "Älpha ♔ 1.0");
        assert_eq!(visible("a\x1b[31mb\x07\x7f\n"), "a␛[31mb␇␡␊");
        assert_eq!(visible("\u{9b}2J\u{202e}x"), "<U+009B>2J<U+202E>x");
        assert_eq!(visible("a\u{200b}b\u{ad}\u{feff}"), "a<U+200B>b<U+00AD><U+FEFF>");
    }
}
