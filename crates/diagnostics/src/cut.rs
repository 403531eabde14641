//! Foreign texts on the terminal are cut: a name, a cell or a line of a file may have any length.

use std::borrow::Cow;

/// The most characters of a foreign text on the terminal.
pub const SHOWN_CHARACTERS: usize = 1_000;

/// The first characters of a text. An ellipsis shows that there are more.
pub fn cut(text: &str, most: usize) -> Cow<'_, str> {
    match text.char_indices().nth(most) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// The lines of a message, each of at most [`SHOWN_CHARACTERS`].
pub(crate) fn cut_lines(text: &str) -> String {
    let lines = text.split('\n').map(|line| cut(line, SHOWN_CHARACTERS));
    lines.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        assert_eq!(cut("äöü", 3), "äöü");
        assert_eq!(cut("äöü", 2), "äö…");
        assert_eq!(
            cut_lines(&format!("a\n{}\nb", "ä".repeat(5_000))).chars().count(),
            1_005
        );
    }
}
