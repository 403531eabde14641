//! The tokens of a PGN text.

use std::io::{self, Read};
use std::ops::Range;

use memchr::{memchr, memchr_iter, memchr2, memrchr};

use super::tag::{Bracket, bracket};
use crate::text_file::decoded;
use crate::visible::is_invisible;

/// Bytes read at once.
const BLOCK: usize = 1 << 18;
/// Longer words are cut, and longer tags are broken.
const LONGEST: usize = 1 << 14;
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The tokens of a PGN. Comments, variations, move numbers and signs (`$1`, `!?`, `+-`) are skipped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Token<T> {
    /// A tag, with the escapes of its value.
    Tag {
        /// Such as `White`.
        name: T,
        /// Such as `Kasparov, G`.
        value: T,
    },
    /// A bracket and the name of a tag, without a quoted value and a closing bracket. It ends with its line.
    BrokenTag {
        /// Such as `White`.
        name: T,
    },
    /// A move as it is written, without its number and the marks behind it.
    Move(T),
    /// A move that passes the turn, such as `--`.
    NullMove,
    /// A result, which ends a game.
    Result(T),
    /// The bracket of a comment or a variation that is not closed. It ends with the text, or where the next game
    /// begins.
    Unclosed(u8),
}

impl<T> Token<T> {
    /// The same token with other texts.
    fn map<U>(self, text: impl Fn(T) -> U) -> Token<U> {
        match self {
            Self::Tag { name, value } => Token::Tag {
                name: text(name),
                value: text(value),
            },
            Self::BrokenTag { name } => Token::BrokenTag { name: text(name) },
            Self::Move(word) => Token::Move(text(word)),
            Self::NullMove => Token::NullMove,
            Self::Result(word) => Token::Result(text(word)),
            Self::Unclosed(bracket) => Token::Unclosed(bracket),
        }
    }
}

/// A token by its position in the buffer.
type Found = Token<Range<usize>>;

/// A token, and its place in the text.
type Placed<T> = (Token<T>, Range<usize>);

/// Reads the tokens of a text, each with its place in bytes. Memory does not grow with the text.
#[derive(Debug)]
pub struct Tokens<R> {
    source: R,
    /// Whether the source has ended.
    ended: bool,
    /// The unread bytes are from `at` to `end`. The line before them is also in the buffer.
    buffer: Vec<u8>,
    at: usize,
    end: usize,
    /// Bytes and line breaks before the buffer.
    dropped: usize,
    lines: usize,
    /// The number of open variations, and where the first of them begins.
    depth: u32,
    opened: usize,
}

/// What kind of text a position in the moves belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Within {
    Moves,
    /// From `{` to `}`.
    Comment,
    /// From `;`, or `%` in the first column, to the end of the line.
    Line,
}

impl<R: Read> Tokens<R> {
    /// From the beginning of a text.
    pub fn of(source: R) -> Self {
        Self {
            source,
            ended: false,
            buffer: vec![0; BLOCK],
            at: 0,
            end: 0,
            dropped: 0,
            lines: 0,
            depth: 0,
            opened: 0,
        }
    }

    /// The next token.
    ///
    /// # Errors
    /// When reading fails.
    pub fn next_token(&mut self) -> io::Result<Option<Placed<&[u8]>>> {
        let found = self.find()?;
        Ok(found.map(|(token, place)| (token.map(|range| &self.buffer[range]), place)))
    }

    /// The number of bytes that have been read to their end.
    pub fn passed(&self) -> usize {
        self.dropped + self.at
    }

    /// The number, from 1, of the line that the last token ends in.
    pub fn line(&self) -> usize {
        1 + self.lines + memchr_iter(b'\n', &self.buffer[..self.at]).count()
    }

    /// Skips moves without parsing them, up to the next tag, broken or not. Returns whether a comment was not closed.
    ///
    /// # Errors
    /// When reading fails.
    pub fn skip_moves(&mut self) -> io::Result<bool> {
        self.depth = 0;
        let mut within = Within::Moves;
        let mut look = self.at;
        loop {
            let Some(found) = memchr(b'[', &self.buffer[look..self.end]) else {
                within = self.within_after(within, self.end);
                if !self.fill()? {
                    return Ok(within == Within::Comment);
                }
                look = self.at;
                continue;
            };
            let here = look + found;
            look = here + 1;
            let may_be_tag = |byte: &u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace();
            if look < self.end && !may_be_tag(&self.buffer[look]) {
                continue;
            }
            match self.bracket(here) {
                None => {
                    within = self.within_after(within, here);
                    self.fill()?;
                    look = self.at;
                }
                Some(Bracket::NoTag) => {}
                Some(_) => {
                    within = self.within_after(within, here);
                    match within {
                        Within::Moves => return Ok(false),
                        Within::Comment if self.begins_game()? => return Ok(true),
                        _ => look = self.at + 1,
                    }
                }
            }
        }
    }

    fn find(&mut self) -> io::Result<Option<Placed<Range<usize>>>> {
        loop {
            // A UTF-8 character has at most four bytes.
            if self.end - self.at < 4 && self.fill()? {
                continue;
            }
            let Some(&first) = self.rest().first() else {
                return Ok(self.unclosed_variation());
            };
            let start = self.passed();
            match first {
                b'[' => match self.bracket(self.at) {
                    None => {
                        self.fill()?;
                    }
                    Some(Bracket::NoTag) => {
                        let (window, whole) = self.window(self.at);
                        match no_tag(window, whole) {
                            Some(length) => self.at += length,
                            None => {
                                self.fill()?;
                            }
                        }
                    }
                    Some(found) => {
                        if let Some(unclosed) = self.unclosed_variation() {
                            return Ok(Some(unclosed));
                        }
                        return Ok(Some(self.take_tag(&found, start)));
                    }
                },
                b'{' => {
                    if !self.skip_comment()? {
                        return Ok(Some((Token::Unclosed(b'{'), start..start + 1)));
                    }
                }
                b';' => self.skip_line()?,
                b'%' if self.begins_line(self.at) => self.skip_line()?,
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
                        if let Some(found) = self.word()?
                            && self.depth == 0
                        {
                            return Ok(Some((found, start..self.passed())));
                        }
                    }
                    length => self.at += length,
                },
            }
        }
    }

    fn rest(&self) -> &[u8] {
        &self.buffer[self.at..self.end]
    }

    /// Reads more and makes room for it; false at the end of the source. Bytes before [`Self::at`] move.
    fn fill(&mut self) -> io::Result<bool> {
        if self.ended {
            return Ok(false);
        }
        let least = self.at.saturating_sub(LONGEST);
        let keep = least + memrchr(b'\n', &self.buffer[least..self.at]).unwrap_or(0);
        self.lines += memchr_iter(b'\n', &self.buffer[..keep]).count();
        self.buffer.copy_within(keep..self.end, 0);
        (self.at, self.end) = (self.at - keep, self.end - keep);
        self.dropped += keep;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        let read = loop {
            match self.source.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => break read?,
            }
        };
        self.ended = read == 0;
        self.end += read;
        Ok(!self.ended)
    }

    /// The longest token that may begin here, and whether it is complete even if more text follows.
    fn window(&self, here: usize) -> (&[u8], bool) {
        let end = self.end.min(here + LONGEST);
        (&self.buffer[here..end], self.ended || end == here + LONGEST)
    }

    /// What the bracket at a position of the buffer begins; `None` when more text is needed.
    fn bracket(&self, here: usize) -> Option<Bracket> {
        let (window, whole) = self.window(here);
        bracket(window, whole)
    }

    fn take_tag(&mut self, tag: &Bracket, start: usize) -> Placed<Range<usize>> {
        let here = |range: &Range<usize>| self.at + range.start..self.at + range.end;
        let (found, length) = match tag {
            Bracket::Tag { name, value, length } => {
                let (name, value) = (here(name), here(value));
                (Token::Tag { name, value }, *length)
            }
            Bracket::Broken { name, length } => (Token::BrokenTag { name: here(name) }, *length),
            Bracket::NoTag => (Token::Unclosed(b'['), 1),
        };
        self.at += length;
        (found, start..start + length)
    }

    /// Reports once that a variation is not closed, where a tag follows or the text ends.
    fn unclosed_variation(&mut self) -> Option<Placed<Range<usize>>> {
        let is_open = std::mem::take(&mut self.depth) > 0;
        is_open.then_some((Token::Unclosed(b'('), self.opened..self.opened + 1))
    }

    /// Skips a comment in braces. Returns whether it is closed.
    fn skip_comment(&mut self) -> io::Result<bool> {
        self.at += 1;
        loop {
            match memchr2(b'}', b'[', self.rest()) {
                None => {
                    self.at = self.end;
                    if !self.fill()? {
                        return Ok(false);
                    }
                }
                Some(found) => {
                    self.at += found;
                    if self.buffer[self.at] == b'[' && self.begins_game()? {
                        return Ok(false);
                    }
                    self.at += 1;
                    if self.buffer[self.at - 1] == b'}' {
                        return Ok(true);
                    }
                }
            }
        }
    }

    /// Whether this bracket inside a comment begins a line and is an `Event` tag. Lines in a comment may look like
    /// other tags. But a game that was cut off inside a comment must not swallow the games behind it.
    fn begins_game(&mut self) -> io::Result<bool> {
        let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t' | b'\r');
        let blanks = self.buffer[..self.at].iter().rev().take_while(is_blank).count();
        if !self.begins_line(self.at - blanks) {
            return Ok(false);
        }
        loop {
            match self.bracket(self.at) {
                None => {
                    self.fill()?;
                }
                Some(Bracket::Tag { name, .. }) => return Ok(&self.rest()[name] == b"Event"),
                Some(_) => return Ok(false),
            }
        }
    }

    fn begins_line(&self, here: usize) -> bool {
        let before = &self.buffer[..here];
        before.ends_with(b"\n") || (self.dropped == 0 && (before.is_empty() || before == BYTE_ORDER_MARK))
    }

    /// Skips the rest of a line.
    fn skip_line(&mut self) -> io::Result<()> {
        loop {
            if let Some(end) = memchr(b'\n', self.rest()) {
                self.at += end;
                return Ok(());
            }
            self.at = self.end;
            if !self.fill()? {
                return Ok(());
            }
        }
    }

    /// Skips a word. `None` for numbers and signs.
    fn word(&mut self) -> io::Result<Option<Found>> {
        loop {
            let (window, whole) = self.window(self.at);
            let mut length = 0;
            while length < window.len() && separator(&window[length..]) == 0 && !is_punctuation(window[length]) {
                length += 1;
            }
            // The text that follows may show that the word is the end of `e.p.`, or is part of a separator.
            if length + 4 > window.len() && !whole {
                self.fill()?;
                continue;
            }
            let length = length.max(1);
            let (word, behind) = window.split_at(length);
            let start = self.at;
            let mut bare = word;
            let mut passed = length;
            if behind.starts_with(b".p")
                && let Some(before) = word.strip_suffix(b"e")
            {
                (bare, passed) = (before, length + 2);
            }
            // `$0000` is a mark, not a null move. The line before the word is in the buffer.
            let is_mark = start.checked_sub(1).is_some_and(|before| self.buffer[before] == b'$');
            let found = meaning(bare).filter(|found| !(is_mark && bare == b"0000" && *found == Token::NullMove));
            self.at += passed;
            return Ok(found.map(|found| found.map(|place| start + place.start..start + place.end)));
        }
    }

    /// Moves to `to`. Returns the kind of text there; `before` is the kind of text at the old position.
    fn within_after(&mut self, before: Within, to: usize) -> Within {
        let within = (self.at..to).fold(before, |within, here| match (within, self.buffer[here]) {
            (Within::Moves, b'{') => Within::Comment,
            (Within::Moves, b';') => Within::Line,
            (Within::Moves, b'%') if self.begins_line(here) => Within::Line,
            (Within::Comment, b'}') | (Within::Line, b'\n') => Within::Moves,
            _ => within,
        });
        self.at = to;
        within
    }
}

/// How many bytes to skip at a bracket that begins no tag: a command such as `[%clk 0:01:00]` as a whole. `None` when
/// more text is needed to decide. `whole` says that no more text follows.
fn no_tag(text: &[u8], whole: bool) -> Option<usize> {
    match text[1..].iter().position(|byte| b"]\n{};[".contains(byte)) {
        Some(end) if text[1 + end] == b']' => Some(end + 2),
        None if !whole => None,
        _ => Some(1),
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
fn meaning(word: &[u8]) -> Option<Found> {
    match word {
        b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*" => return Some(Token::Result(0..word.len())),
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
        return Some(Token::Move(start..word.len()));
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
    Some(Token::Move(start..end))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Hands out a few bytes at a time.
    pub(crate) struct Dripping<'a>(pub(crate) &'a [u8], pub(crate) usize);

    impl Read for Dripping<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let count = self.1.min(self.0.len()).min(buffer.len());
            let (now, later) = self.0.split_at(count);
            buffer[..count].copy_from_slice(now);
            self.0 = later;
            Ok(count)
        }
    }

    fn shown(token: Token<&[u8]>) -> String {
        match token {
            Token::Tag { name, value } => format!("[{}={}]", decoded(name), decoded(value)),
            Token::BrokenTag { name } => format!("[{}", decoded(name)),
            Token::Move(word) => decoded(word),
            Token::NullMove => "null".to_owned(),
            Token::Result(word) => format!("end {}", decoded(word)),
            Token::Unclosed(bracket) => format!("unclosed {}", char::from(bracket)),
        }
    }

    fn all(text: &[u8], step: usize) -> Vec<(String, Range<usize>)> {
        let mut tokens = Tokens::of(Dripping(text, step));
        let mut found = Vec::new();
        while let Some((token, place)) = tokens.next_token().expect("a slice") {
            found.push((shown(token), place));
        }
        assert_eq!(tokens.passed(), text.len());
        found
    }

    /// The tags of a text, and unclosed brackets. The moves are read or skipped.
    fn tags(text: &[u8], step: usize, skip: bool) -> Vec<String> {
        let mut tokens = Tokens::of(Dripping(text, step));
        let mut found = Vec::new();
        while let Some((token, _)) = tokens.next_token().expect("a slice") {
            match token {
                Token::Unclosed(b'(') => {}
                Token::Move(_) | Token::NullMove | Token::Result(_) if skip => {
                    if tokens.skip_moves().expect("a slice") {
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
        all(text.as_bytes(), usize::MAX)
            .into_iter()
            .map(|(word, _)| word)
            .collect()
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
            assert_eq!(all(text.as_bytes(), 1), all(text.as_bytes(), usize::MAX));
        }
        let text = "e4 (d4 {x";
        let places: Vec<_> = all(text.as_bytes(), 2)
            .into_iter()
            .map(|(_, place)| place.start)
            .collect();
        assert_eq!(places, [0, 7, 3]);
    }

    #[test]
    fn lines_are_counted_through_blocks() {
        let line = "; a comment\n";
        let text = line.repeat(100_000) + "[White \"A\"]\n\n{x\ny} e4";
        let mut tokens = Tokens::of(text.as_bytes());
        assert!(tokens.next_token().unwrap().is_some());
        assert_eq!(tokens.line(), 100_001);
        assert!(tokens.next_token().unwrap().is_some());
        assert_eq!((tokens.line(), tokens.passed()), (100_004, text.len()));
        assert!(tokens.buffer.len() < 1 << 20, "memory is bounded");
    }

    #[test]
    fn words_and_tags_without_an_end_are_cut() {
        let long = "a".repeat(3 * LONGEST);
        assert_eq!(words(&long).len(), 3);
        assert_eq!(words(&format!("[White \"{long}\"]"))[0], "[White");
    }

    proptest! {
        #[test]
        fn any_text_in_any_portions_gives_the_same(
            text in "([\\[\\]{}();%.,$0-9a-hNBRQKOxZ@+#=\" \\n\\r*é…\u{200b}\\\\-]|\n\\[White \"|\"\\]\n|1-0|\n \\[Event \"){0,60}",
            step in 1_usize..40,
        ) {
            let found = all(text.as_bytes(), step);
            prop_assert_eq!(&found, &all(text.as_bytes(), usize::MAX));
            for (_, place) in found {
                prop_assert!(text.get(place).is_some_and(|token| !token.is_empty()));
            }
        }

        #[test]
        fn moves_are_skipped_up_to_the_next_tag(
            text in "([\\[\\]{}();\"\\\\%ae4 \r.]|\n|\n\\[White \"|\"\\]\n|1-0|\n \\[Event \"|\\[%c|\n%){0,60}", step in 1_usize..40,
        ) {
            let read = tags(text.as_bytes(), usize::MAX, false);
            prop_assert_eq!(&tags(text.as_bytes(), usize::MAX, true), &read);
            prop_assert_eq!(&tags(text.as_bytes(), step, true), &read);
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..80), step in 1_usize..9) {
            prop_assert_eq!(all(&bytes, step), all(&bytes, usize::MAX));
        }
    }
}
