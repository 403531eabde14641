//! Texts of foreign origin on a terminal: names in PGN files, descriptions of policies. An escape code in one of them would
//! otherwise change colours, the window's title or what stands above.

use std::borrow::Cow;

/// The text with a visible sign for every control character, such as `␛`. Files keep the text as it is.
#[must_use]
pub fn visible(text: &str) -> Cow<'_, str> {
    if text.chars().all(|c| sign(c) == c) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.chars().map(sign).collect())
    }
}

fn sign(c: char) -> char {
    match c {
        '\0'..='\x1f' => char::from_u32(0x2400 + u32::from(c)).unwrap_or(char::REPLACEMENT_CHARACTER),
        '\x7f' => '␡',
        // Those that turn the direction of the text could show a name as another one.
        '\u{80}'..='\u{9f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => char::REPLACEMENT_CHARACTER,
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_character_is_left() {
        assert_eq!(visible("Älpha ♔ 1.0"), "Älpha ♔ 1.0");
        assert_eq!(visible("a\x1b[31mb\x07\x7f\n"), "a␛[31mb␇␡␊");
        assert_eq!(visible("\u{9b}2J\u{202e}x"), "\u{fffd}2J\u{fffd}x");
    }
}
