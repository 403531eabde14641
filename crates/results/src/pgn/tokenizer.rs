//! The tokens of a PGN text.

use std::ops::Range;

use memchr::{memchr, memchr2, memchr3, memrchr};

use super::tag::{Bracket, bracket};
use crate::text_file::decoded;
use crate::visible::is_invisible;

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The tokens of a PGN. Comments, variations, move numbers and signs (`$1`, `!?`, `+-`) are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<'t> {
    /// A tag, with the escapes of its value.
    Tag {
        /// Such as `White`.
        name: &'t [u8],
        /// Such as `Kasparov, G`.
        value: &'t [u8],
    },
    /// A bracket and the name of a tag, without a quoted value and a closing bracket. It ends with its line.
    BrokenTag {
        /// Such as `White`.
        name: &'t [u8],
    },
    /// A move as it is written, without its number and the marks behind it.
    Move(&'t [u8]),
    /// A move that passes the turn, such as `--`.
    NullMove,
    /// A result, which ends a game.
    Result(&'t [u8]),
    /// The bracket of a comment or a variation that is not closed. It ends with the text, or where the next game
    /// begins.
    Unclosed(u8),
}

/// Reads the tokens of a text, each with its place in bytes.
#[derive(Debug)]
pub struct Tokens<'t> {
    text: &'t [u8],
    at: usize,
    /// The number of open variations, and where the first of them begins.
    depth: u32,
    opened: usize,
}

impl<'t> Tokens<'t> {
    /// From the beginning of a text.
    pub fn of(text: &'t [u8]) -> Self {
        Self {
            text,
            at: 0,
            depth: 0,
            opened: 0,
        }
    }

    /// Skips moves without parsing them, up to the next tag, broken or not. Returns whether a comment was not closed.
    pub fn skip_moves(&mut self) -> bool {
        self.depth = 0;
        // Where the moves go on behind the last comment.
        let mut from = self.at;
        while let Some(found) = memchr3(b'[', b'{', b';', self.rest()) {
            self.at += found;
            if self.is_escaped(from) {
                self.skip_line();
                from = self.at;
                continue;
            }
            match self.text[self.at] {
                b'{' => {
                    if !self.skip_comment() {
                        return true;
                    }
                    from = self.at;
                }
                b';' => {
                    self.skip_line();
                    from = self.at;
                }
                _ if bracket(self.rest()).is_some() => return false,
                _ => self.at += 1,
            }
        }
        self.at = self.text.len();
        false
    }

    /// Whether this is in a line that begins with `%`. The moves before it begin at `from`, where a comment may have ended.
    fn is_escaped(&self, from: usize) -> bool {
        let moves = &self.text[from..self.at];
        let line = from + memrchr(b'\n', moves).map_or(0, |end| end + 1);
        self.text[line] == b'%' && self.begins_line(line)
    }

    fn rest(&self) -> &'t [u8] {
        &self.text[self.at..]
    }

    fn take_tag(&mut self, tag: Bracket) -> Token<'t> {
        let text = self.rest();
        self.at += tag.length;
        let name = &text[tag.name];
        match tag.value {
            Some(value) => Token::Tag {
                name,
                value: &text[value],
            },
            None => Token::BrokenTag { name },
        }
    }

    /// Reports once that a variation is not closed, where a tag follows or the text ends.
    fn unclosed_variation(&mut self) -> Option<(Token<'t>, Range<usize>)> {
        let is_open = std::mem::take(&mut self.depth) > 0;
        is_open.then_some((Token::Unclosed(b'('), self.opened..self.opened + 1))
    }

    /// Skips a comment in braces. Returns whether it is closed.
    fn skip_comment(&mut self) -> bool {
        self.at += 1;
        while let Some(found) = memchr2(b'}', b'[', self.rest()) {
            self.at += found;
            let is_end = self.text[self.at] == b'}';
            if !is_end && self.begins_game() {
                return false;
            }
            self.at += 1;
            if is_end {
                return true;
            }
        }
        self.at = self.text.len();
        false
    }

    /// Whether this bracket inside a comment begins a line and is an `Event` tag. Lines in a comment may look like
    /// other tags. But a game that was cut off inside a comment must not swallow the games behind it.
    fn begins_game(&self) -> bool {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let blanks = self.text[..self.at].iter().rev().take_while(is_blank).count();
        let is_event = |tag: Bracket| tag.value.is_some() && &self.rest()[tag.name] == b"Event";
        self.begins_line(self.at - blanks) && bracket(self.rest()).is_some_and(is_event)
    }

    fn begins_line(&self, here: usize) -> bool {
        let before = &self.text[..here];
        before.is_empty() || before.ends_with(b"\n") || before == BYTE_ORDER_MARK
    }

    /// Skips the rest of a line.
    fn skip_line(&mut self) {
        self.at += memchr(b'\n', self.rest()).unwrap_or(self.rest().len());
    }

    /// Skips a word. `None` for numbers and signs.
    fn word(&mut self) -> Option<Token<'t>> {
        let rest = self.rest();
        let ends = |at: &usize| separator(&rest[*at..]) > 0 || is_punctuation(rest[*at]);
        let length = (1..rest.len()).find(ends).unwrap_or(rest.len());
        let (word, behind) = rest.split_at(length);
        // `$0000` is a mark, not a null move.
        let is_mark = self.text[..self.at].ends_with(b"$") && word == b"0000";
        self.at += length;
        match word.strip_suffix(b"e") {
            Some(before) if behind.starts_with(b".p") => {
                self.at += 2;
                meaning(before)
            }
            _ => meaning(word).filter(|_| !is_mark),
        }
    }
}

impl<'t> Iterator for Tokens<'t> {
    type Item = (Token<'t>, Range<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let start = self.at;
            let Some(&first) = self.text.get(start) else {
                return self.unclosed_variation();
            };
            match first {
                b'[' => match bracket(self.rest()) {
                    None => self.at += no_tag(self.rest()),
                    Some(tag) => {
                        let unclosed = self.unclosed_variation();
                        return unclosed.or_else(|| Some((self.take_tag(tag), start..self.at)));
                    }
                },
                b'{' => {
                    if !self.skip_comment() {
                        return Some((Token::Unclosed(b'{'), start..start + 1));
                    }
                }
                b';' => self.skip_line(),
                b'%' if self.begins_line(start) => self.skip_line(),
                b'(' => {
                    if self.depth == 0 {
                        self.opened = start;
                    }
                    self.depth = self.depth.saturating_add(1);
                    self.at += 1;
                }
                b')' => {
                    self.depth = self.depth.saturating_sub(1);
                    self.at += 1;
                }
                b']' | b'}' | b'.' | b',' | b'!' | b'?' | b'$' => self.at += 1,
                _ => match separator(self.rest()) {
                    0 => {
                        if let Some(found) = self.word()
                            && self.depth == 0
                        {
                            return Some((found, start..self.at));
                        }
                    }
                    length => self.at += length,
                },
            }
        }
    }
}

/// How many bytes to skip at a bracket that begins no tag: a command such as `[%clk 0:01:00]` as a whole.
fn no_tag(text: &[u8]) -> usize {
    match text[1..].iter().position(|byte| b"]\n{};[".contains(byte)) {
        Some(end) if text[1 + end] == b']' => end + 2,
        _ => 1,
    }
}

/// Characters that end a word without being part of one. White space and invisible characters are found by
/// [`separator`].
fn is_punctuation(byte: u8) -> bool {
    b"[](){};.,!?$*".contains(&byte)
}

/// Length of the white space, the invisible character or the ellipsis at the beginning of a text; 0 for anything else.
fn separator(text: &[u8]) -> usize {
    match text.first() {
        Some(byte) if byte.is_ascii() => usize::from(byte.is_ascii_whitespace() || *byte == b'\x0b'),
        Some(_) => {
            let character = text[..text.len().min(4)].utf8_chunks().next();
            let character = character.and_then(|chunk| chunk.valid().chars().next());
            character
                .filter(|&c| c.is_whitespace() || is_invisible(c) || c == '…')
                .map_or(0, char::len_utf8)
        }
        None => 0,
    }
}

/// What a word means. A word that might be a move is never skipped.
fn meaning(word: &[u8]) -> Option<Token<'_>> {
    match word {
        b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*" => return Some(Token::Result(word)),
        b"--" | b"Z0" | b"0000" | b"@@@@" => return Some(Token::NullMove),
        b"ep" | b"" => return None,
        _ => {}
    }
    // A number without a dot: `12`, or `12Nf3`. Castling may begin with a zero.
    let digits = word.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = match word.get(digits) {
        None => return None,
        Some(letter) if letter.is_ascii_alphabetic() => digits,
        Some(_) => 0,
    };
    let text = decoded(word);
    let bare = text.trim_end_matches(|c: char| !c.is_alphanumeric());
    let signs = &text[bare.len()..];
    let is_dash = |c: char| matches!(c, '-' | '\u{2010}'..='\u{2015}' | '\u{2212}');
    if signs.contains("--") || (bare.is_empty() && signs.chars().all(is_dash)) {
        return Some(Token::Move(&word[start..]));
    }
    if bare.is_empty() {
        return None;
    }
    // The signs are as many bytes in the word, unless it is no UTF-8.
    let end = word.len().saturating_sub(signs.len()).max(start + 1);
    let end = if word[..end].ends_with(b"ep") && end > start + 2 {
        end - 2
    } else {
        end
    };
    Some(Token::Move(&word[start..end]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn shown(token: Token<'_>) -> String {
        match token {
            Token::Tag { name, value } => format!("[{}={}]", decoded(name), decoded(value)),
            Token::BrokenTag { name } => format!("[{}", decoded(name)),
            Token::Move(word) => decoded(word),
            Token::NullMove => "null".to_owned(),
            Token::Result(word) => format!("end {}", decoded(word)),
            Token::Unclosed(bracket) => format!("unclosed {}", char::from(bracket)),
        }
    }

    fn all(text: &[u8]) -> Vec<(String, Range<usize>)> {
        Tokens::of(text).map(|(token, place)| (shown(token), place)).collect()
    }

    /// The tags of a text, and unclosed brackets. The moves are read or skipped.
    fn tags(text: &[u8], skip: bool) -> Vec<String> {
        let mut tokens = Tokens::of(text);
        let mut found = Vec::new();
        while let Some((token, _)) = tokens.next() {
            match token {
                Token::Unclosed(b'(') => {}
                Token::Move(_) | Token::NullMove | Token::Result(_) if skip => {
                    if tokens.skip_moves() {
                        found.push("unclosed {".to_owned());
                    }
                }
                Token::Move(_) | Token::NullMove | Token::Result(_) => {}
                other => found.push(shown(other)),
            }
        }
        found
    }

    fn words(text: &str) -> Vec<String> {
        all(text.as_bytes()).into_iter().map(|(word, _)| word).collect()
    }

    #[track_caller]
    fn assert_words(text: &str, expected: &str) {
        assert_eq!(words(text).join(" "), expected, "{text:?}");
    }

    #[test]
    fn everything_but_tags_moves_and_results_is_passed_over() {
        assert_words(
            "[White \"A\"] [Black \"B \\\"b\\\"\"]\n[%cmd x] [] \n\n1. e4 {best} e5 2.Nf3!? (2. f4 (2... d5) {)} exf4) \
             Nc6 $1 ; Italian\n% escaped e4\n3... O-O+ e.p. * 1-0",
            "[White=A] [Black=B \\\"b\\\"] e4 e5 Nf3 Nc6 O-O end * end 1-0",
        );
    }

    #[test]
    fn words_end_at_punctuation() {
        for (text, expected) in [
            ("1. e4 e5 2. f3$4 Nc6", "e4 e5 f3 Nc6"),
            ("1. d4 d5 2. c4....e6 3.Nc3", "d4 d5 c4 e6 Nc3"),
            ("1...e5$1$14 e5!?", "e5 e5"),
            ("e4 $0000 e5 0000 $ 0000", "e4 e5 null null"),
            ("e4, e5,Nf3", "e4 e5 Nf3"),
            ("1e4 e5 2Nf3 2 Nc6", "e4 e5 Nf3 Nc6"),
            ("1… e5 2…Nc6…", "e5 Nc6"),
            ("exd6e.p. exd6 e.p. exd6 e.p exd6ep exd6 ep", "exd6 exd6 exd6 exd6 exd6"),
            ("e4* e4(e5)Nf3{x}Nc6;", "e4 end * e4 Nf3 Nc6"),
            ("e4=1/2-1/2", "e4=1/2-1/2"),
            ("0-0 0-0-0 e8=Q", "0-0 0-0-0 e8=Q"),
        ] {
            assert_words(text, expected);
        }
    }

    #[test]
    fn signs_are_no_moves_and_moves_are_no_signs() {
        for (text, expected) in [
            (
                "e4 ± e5 ∞ Nf3 = Nc6 +- Bb5 -+ a6 +/- Ba4 ⩲ Nf6 □",
                "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6",
            ),
            ("e4± e5= Nf3+- Nc6+/= Bb5++ a6#", "e4 e5 Nf3 Nc6 Bb5 a6"),
            ("e4 -- Z0 0000 1.-- 1...@@@@", "e4 null null null null null"),
            ("e4-- – — - ---", "e4-- – — - ---"),
            ("Кf3 ♘f3 zzz null", "Кf3 ♘f3 zzz null"),
        ] {
            assert_words(text, expected);
        }
    }

    #[test]
    fn what_cannot_be_seen_separates_words() {
        assert_words(
            "\u{feff}1.\u{a0}e4\u{200b}e5 \u{200b}2. Nf3\u{feff} Nc6\u{ad}\u{2060}3. Bb5",
            "e4 e5 Nf3 Nc6 Bb5",
        );
    }

    #[test]
    fn tags_stand_anywhere() {
        for (text, expected) in [
            (
                " [White \"A\"]\n\t[ Black\t\"B\" ]\n1. e4 1-0 [White \"C\"]",
                "[White=A] [Black=B] e4 end 1-0 [White=C]",
            ),
            ("[White\n\"A\"\n]\n[Site\n[Black \"B\"]", "[White=A] [Site [Black=B]"),
            ("[White \"A]\n[Black B]\n[no tag] 1. e4\ne5", "[White [Black [no e5"),
        ] {
            assert_words(text, expected);
        }
    }

    #[test]
    fn what_is_not_closed_is_said() {
        for (text, expected) in [
            ("e4 {best e5", "e4 unclosed {"),
            (
                "e4 {best\n[White \"A\"]\n [Event \"x\"]\nd4",
                "e4 unclosed { [Event=x] d4",
            ),
            (
                "e4 (d4 (c4) {)} b4\n[White \"A\"]\ne5 (",
                "e4 unclosed ( [White=A] e5 unclosed (",
            ),
            ("e4 ; {\n% {\ne5 {a\n% } Nf3", "e4 e5 Nf3"),
            ("[~ e4] e5", "e5"),
        ] {
            assert_words(text, expected);
        }
        let text = "e4 (d4 {x";
        let places: Vec<_> = all(text.as_bytes()).into_iter().map(|(_, place)| place.start).collect();
        assert_eq!(places, [0, 7, 3]);
    }

    proptest! {
        #[test]
        fn moves_are_skipped_up_to_the_next_tag(
            text in "([\\[\\]{}();.,$\"\\\\%ae40 \r…\u{200b}]|\n|\n\\[White \"|\"\\]\n|1-0|\n \\[Event \"|\\[%c|\n%){0,60}",
        ) {
            prop_assert_eq!(tags(text.as_bytes(), true), tags(text.as_bytes(), false));
            for (_, place) in all(text.as_bytes()) {
                prop_assert!(text.get(place).is_some_and(|token| !token.is_empty()));
            }
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            prop_assert_eq!(tags(&bytes, true), tags(&bytes, false));
        }
    }
}
