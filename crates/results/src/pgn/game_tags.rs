//! The tags of the games of a PGN stream.

use std::io::{self, Read};

use memchr::{memchr_iter, memmem};

use super::Boundary;
use super::tokenizer::{Token, Tokens};
use crate::text_file::decoded;

/// Bytes read at once.
const BLOCK: u64 = 1 << 22;
/// Where a game begins, whatever is before it: such a tag ends a comment, too.
const EVENT: &[u8] = b"\n[Event \"";

/// The tags of a game that matter for ratings; empty when the game does not have them. Values are as they stand in the
/// file, with escapes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GameTags {
    /// Who had White.
    pub white: Vec<u8>,
    /// Who had Black.
    pub black: Vec<u8>,
    /// The result: from its tag or, where the tag has none, from the result behind the moves.
    pub result: Vec<u8>,
    /// What the game began with.
    pub fen: Vec<u8>,
    /// Whether the game broke off within a comment.
    pub cut_off: bool,
}

impl GameTags {
    fn clear(&mut self) {
        for tag in [&mut self.white, &mut self.black, &mut self.result, &mut self.fen] {
            tag.clear();
        }
        self.cut_off = false;
    }

    fn tag(&mut self, name: &[u8], value: &[u8]) {
        let field = match name {
            b"White" => &mut self.white,
            b"Black" => &mut self.black,
            b"Result" => &mut self.result,
            b"FEN" => &mut self.fen,
            _ => return,
        };
        field.clear();
        field.extend_from_slice(value);
    }

    fn has_result(&self) -> bool {
        matches!(self.result.trim_ascii(), b"1-0" | b"0-1" | b"1/2-1/2" | b"1/2" | b"*")
    }
}

/// Information about a stream besides its games.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scanned {
    /// Its length.
    pub bytes: u64,
    /// Tags that cannot be read, by line and name.
    pub broken_tags: Vec<(usize, String)>,
}

/// Calls `found` with each game of a stream that has tags, in order. Memory does not grow with the stream, as far as games begin
/// with a tag `Event`.
///
/// # Errors
/// When reading fails.
pub fn scan(source: impl Read, found: impl FnMut(&GameTags)) -> io::Result<Scanned> {
    scan_by(BLOCK, source, found)
}

fn scan_by(block: u64, mut source: impl Read, mut found: impl FnMut(&GameTags)) -> io::Result<Scanned> {
    let mut games = Games::default();
    let mut text = Vec::new();
    loop {
        let searched = text.len().saturating_sub(EVENT.len());
        if source.by_ref().take(block).read_to_end(&mut text)? == 0 {
            break;
        }
        // A game that begins here does not depend on the text before it.
        if let Some(event) = memmem::rfind(&text[searched..], EVENT) {
            let piece = searched + event + 1;
            games.add(&text[..piece], &mut found);
            text.drain(..piece);
        }
    }
    games.add(&text, &mut found);
    games.end(&mut found);
    Ok(games.scanned)
}

/// The games of a stream so far.
#[derive(Default)]
struct Games {
    boundary: Boundary,
    game: GameTags,
    has_tags: bool,
    /// Line breaks so far.
    lines: usize,
    scanned: Scanned,
}

impl Games {
    /// Adds a piece of the text.
    fn add(&mut self, text: &[u8], found: &mut impl FnMut(&GameTags)) {
        let mut tokens = Tokens::of(text);
        let mut counted = 0;
        while let Some((token, place)) = tokens.next() {
            if self.boundary.is_before(&token) {
                self.end(found);
            }
            let game = &mut self.game;
            match token {
                Token::Tag { name, value } => {
                    self.has_tags = true;
                    game.tag(name, value);
                }
                Token::BrokenTag { name } => {
                    self.lines += memchr_iter(b'\n', &text[counted..place.end]).count();
                    counted = place.end;
                    self.scanned.broken_tags.push((self.lines + 1, decoded(name)));
                }
                Token::Unclosed(bracket) => game.cut_off |= bracket == b'{',
                Token::Move(_) | Token::NullMove if self.has_tags && !game.has_result() => {}
                Token::Result(word) if !game.has_result() => game.tag(b"Result", word),
                Token::Move(_) | Token::NullMove | Token::Result(_) => game.cut_off |= tokens.skip_moves(),
            }
        }
        self.lines += memchr_iter(b'\n', &text[counted..]).count();
        self.scanned.bytes += text.len() as u64;
    }

    /// Ends a game, if one has begun.
    fn end(&mut self, found: &mut impl FnMut(&GameTags)) {
        if std::mem::take(&mut self.has_tags) {
            found(&self.game);
            self.game.clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games(text: &[u8], block: u64) -> Vec<GameTags> {
        let mut games = Vec::new();
        let scanned = scan_by(block, text, |game| games.push(game.clone())).expect("a slice");
        assert_eq!(scanned.bytes, text.len() as u64);
        games
    }

    fn summary(text: &str) -> Vec<String> {
        let whole = games(text.as_bytes(), BLOCK);
        for step in [1, 2, 3, 7, 50] {
            assert_eq!(games(text.as_bytes(), step), whole, "{step} bytes at a time");
        }
        let text = |value: &[u8]| String::from_utf8_lossy(value).into_owned();
        whole
            .iter()
            .map(|game| {
                let cut_off = if game.cut_off { " cut off" } else { "" };
                format!(
                    "{}-{} {}{cut_off}",
                    text(&game.white),
                    text(&game.black),
                    text(&game.result)
                )
            })
            .collect()
    }

    #[test]
    fn plain_games() {
        let text = "[Event \"x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n[FEN \"f\"]\n\n1. e4 e5 1-0\n\n\
                    [White \"B\"]\n[Black \"A\"]\n[Result \"*\"]\n\n*\n";
        assert_eq!(summary(text), ["A-B 1-0", "B-A *"]);
        assert_eq!(games(text.as_bytes(), 9)[0].fen, b"f");
        assert_eq!(summary(&text.replace('\n', "\r\n")), ["A-B 1-0", "B-A *"]);
        assert_eq!(summary(&format!("\u{feff}{text}")), ["A-B 1-0", "B-A *"]);
        assert_eq!(summary(&format!("% escaped\n\n{text}")), ["A-B 1-0", "B-A *"]);
    }

    #[test]
    fn comments_that_look_like_tags() {
        let text = "[White \"A\"]\n[Black \"B\"]\n\n1. e4 {a comment\n[White \"C\"]\n[%clk 0:01]\n} e5\n\
                    [%eval 3] {[Black \"D\"]} ; and { this\n1/2-1/2\n\n[White \"E\"]\n[Black \"F\"]\n\n0-1";
        assert_eq!(summary(text), ["A-B 1/2-1/2", "E-F 0-1"]);
    }

    #[test]
    fn a_file_that_was_cut_off_does_not_lose_the_next_game() {
        let text = "[White \"A\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n1. e4 {+0.3\n[Event \"x\"]\n[White \"C\"]\n\
                    [Black \"D\"]\n[Result \"0-1\"]\n\n1. d4 {-0";
        assert_eq!(summary(text), ["A-B 1-0 cut off", "C-D 0-1 cut off"]);
    }

    #[test]
    fn games_without_moves_and_tags_in_one_line() {
        let text =
            "[Event \"x\"]\n[White \"A\"][Black \"B\"] [Result \"1-0\"]\n[Event \"y\"]\n[White \"C\"]\n[White \"D\"]\n";
        assert_eq!(summary(text), ["A-B 1-0", "C- ", "D- "]);
        assert_eq!(summary(""), Vec::<String>::new());
        assert_eq!(summary("no games\n[at all]\n[x"), Vec::<String>::new());
    }

    #[test]
    fn lines_are_counted_through_blocks() {
        let text = "; a comment\n[Event \"x\"]\n1. e4 {x\ny} e5\n[White A\n".repeat(3);
        let scanned = scan_by(7, text.as_bytes(), |_| ()).unwrap();
        let lines: Vec<usize> = scanned.broken_tags.iter().map(|(line, _)| *line).collect();
        assert_eq!(lines, [5, 10, 15]);
    }
}
