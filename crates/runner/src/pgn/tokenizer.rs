//! The tokens of a PGN text, and the tags that they share with the scanner of [`game_tags`](super::game_tags).

use std::ops::Range;

use memchr::{memchr, memchr2};

/// What matters in a PGN. Comments, variations, move numbers and glyphs (`$1`, `!?`) are passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A tag, with the escapes of its value; both are empty when a bracket opens no tag.
    Tag {
        /// Such as `White`.
        name: &'t str,
        /// Such as `Somebody`.
        value: &'t str,
    },
    /// A move as it is written, without its number and the marks behind it.
    Move(&'t str),
    /// A result, which ends a game.
    Result,
}

/// The tokens of a text, each with its place in bytes.
#[derive(Debug, Clone)]
pub struct Tokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Tokens<'t> {
    /// From the beginning of a text, behind its byte order mark if it has one.
    pub fn of(text: &'t str) -> Self {
        let mark = '\u{feff}';
        let at = if text.starts_with(mark) { mark.len_utf8() } else { 0 };
        Self { text, at }
    }

    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    fn skip_past(&mut self, end: char) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |index| index + 1);
    }

    /// Passes over a variation with whatever is in it.
    fn skip_variation(&mut self) {
        let mut depth = 0_u32;
        while let Some(character) = self.rest().chars().next() {
            match character {
                '{' => {
                    self.skip_past('}');
                    continue;
                }
                ';' => {
                    self.skip_past('\n');
                    continue;
                }
                '(' => depth += 1,
                ')' => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.at += character.len_utf8();
            if depth == 0 {
                return;
            }
        }
    }

    /// A tag. What is no tag is passed over up to the end of its line.
    fn tag(&mut self) -> Token<'t> {
        let rest = self.rest();
        let line = rest.lines().next().unwrap_or_default();
        let Some((name, value, behind)) = tag(line.as_bytes()) else {
            self.at += line.len();
            return Token::Tag { name: "", value: "" };
        };
        self.at += line.len() - behind.len();
        // Both stand between ASCII characters.
        let text = |bytes| std::str::from_utf8(bytes).unwrap_or_default();
        Token::Tag {
            name: text(name),
            value: text(value),
        }
    }

    /// A move or a result; `None` for numbers and marks.
    fn word(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        let length = rest
            .find(|c: char| c.is_whitespace() || "{}();[]".contains(c))
            .unwrap_or(rest.len());
        self.at += length;
        let word = &rest[..length];
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            return Some(Token::Result);
        }
        // `12.`, `12...` or `12.Nf3`.
        let behind_digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = if behind_digits.starts_with('.') || behind_digits.is_empty() {
            behind_digits.trim_start_matches('.')
        } else {
            word
        };
        let bare = bare.trim_end_matches(['+', '#', '!', '?']);
        let is_mark = bare.is_empty() || bare.starts_with('$') || matches!(bare, "e.p." | "--");
        (!is_mark).then_some(Token::Move(bare))
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (Token<'t>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let rest = self.rest();
            self.at += rest.len() - rest.trim_start().len();
            let start = self.at;
            let begins_line = start == 0 || self.text[..start].ends_with(['\n', '\u{feff}']);
            let token = match self.rest().bytes().next()? {
                b'[' => Some(self.tag()),
                b'{' => {
                    self.skip_past('}');
                    None
                }
                b';' => {
                    self.skip_past('\n');
                    None
                }
                b'%' if begins_line => {
                    self.skip_past('\n');
                    None
                }
                b'(' => {
                    self.skip_variation();
                    None
                }
                b')' | b'}' | b']' => {
                    self.at += 1;
                    None
                }
                _ => self.word(),
            };
            if let Some(token) = token {
                return Some((token, start..self.at));
            }
        }
    }
}

/// Name and value of a tag such as `[White "Somebody"]`, and what follows in its line; the value with its escapes.
pub(super) fn tag(line: &[u8]) -> Option<(&[u8], &[u8], &[u8])> {
    let inside = line.strip_prefix(b"[")?;
    let open = memchr(b'"', inside)?;
    let name = inside[..open].trim_ascii();
    if name.is_empty() || !name.iter().all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_') {
        return None;
    }
    let value = &inside[open + 1..];
    let mut at = 0;
    loop {
        at += memchr2(b'"', b'\\', &value[at..])?;
        if value[at] == b'"' {
            let rest = &value[at + 1..];
            return Some((name, &value[..at], rest.strip_prefix(b"]").unwrap_or(rest)));
        }
        // An escape; what it escapes is part of the value.
        at += 2;
        if at > value.len() {
            return None;
        }
    }
}

/// A value with its escapes resolved, as text; what is not UTF-8 is replaced.
pub fn unescaped(value: &[u8]) -> String {
    let text = String::from_utf8_lossy(value);
    if memchr(b'\\', value).is_none() {
        return text.into_owned();
    }
    let mut plain = String::with_capacity(text.len());
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            other => plain.push(other),
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> Vec<String> {
        Tokens::of(text)
            .map(|(token, _)| match token {
                Token::Tag { name, value } => format!("[{name}={value}]"),
                Token::Move(word) => word.to_owned(),
                Token::Result => "end".to_owned(),
            })
            .collect()
    }

    #[test]
    fn everything_but_tags_moves_and_results_is_passed_over() {
        let text = "[White \"A\"] [Black \"B \\\"b\\\"\"]\n[no tag]\n\n1. e4 {best} e5 2.Nf3!? (2. f4 (2... d5) {)} exf4) \
                    Nc6 $1 ; Italian\n% escaped e4\n3... O-O+ e.p. * 1-0";
        assert_eq!(
            words(text),
            [
                "[White=A]",
                "[Black=B \\\"b\\\"]",
                "[=]",
                "e4",
                "e5",
                "Nf3",
                "Nc6",
                "O-O",
                "end",
                "end"
            ]
        );
    }

    #[test]
    fn tags_and_escapes() {
        let (name, value, _) = tag(br#"[White "A \"B\" \\ C"]"#).expect("a tag");
        assert_eq!((name, unescaped(value)), (&b"White"[..], r#"A "B" \ C"#.to_owned()));
        assert_eq!(unescaped(b"caf\xe9"), "caf\u{fffd}");
        assert_eq!(tag(br#"[White "open"#), None);
        assert_eq!(tag(br#"[White "open\"#), None);
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[\\[\\]{}();%.$0-9a-hNBRQKOx+#=\" \\n*é\\\\-]{0,80}") {
            for (_, place) in Tokens::of(&text) {
                prop_assert!(text.get(place).is_some_and(|token| !token.is_empty()));
            }
        }
    }
}
