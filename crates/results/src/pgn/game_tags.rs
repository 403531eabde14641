//! The tags of the games of a PGN stream.

use std::io::{self, Read};

use super::Boundary;
use super::tokenizer::{Token, Tokens};
use crate::text_file::decoded;

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

/// Calls `found` with each game of a stream that has tags, in order.
///
/// # Errors
/// When reading fails.
pub fn scan(source: impl Read, mut found: impl FnMut(&GameTags)) -> io::Result<Scanned> {
    let mut tokens = Tokens::of(source);
    let mut boundary = Boundary::default();
    let mut game = GameTags::default();
    let mut has_tags = false;
    let mut scanned = Scanned::default();
    while let Some((token, _)) = tokens.next_token()? {
        if boundary.is_before(&token) && std::mem::take(&mut has_tags) {
            found(&game);
            game.clear();
        }
        match token {
            Token::Tag { name, value } => {
                has_tags = true;
                game.tag(name, value);
            }
            Token::BrokenTag { name } => {
                let name = decoded(name);
                scanned.broken_tags.push((tokens.line(), name));
            }
            Token::Unclosed(bracket) => game.cut_off |= bracket == b'{',
            Token::Move(_) | Token::NullMove if has_tags && !game.has_result() => {}
            Token::Result(word) if !game.has_result() => game.tag(b"Result", word),
            Token::Move(_) | Token::NullMove | Token::Result(_) => game.cut_off |= tokens.skip_moves()?,
        }
    }
    if has_tags {
        found(&game);
    }
    scanned.bytes = tokens.passed() as u64;
    Ok(scanned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pgn::tokenizer::tests::Dripping;
    use proptest::prelude::*;

    fn games(text: &[u8], step: usize) -> Vec<GameTags> {
        let mut games = Vec::new();
        let scanned = scan(Dripping(text, step), |game| games.push(game.clone())).expect("a slice");
        assert_eq!(scanned.bytes, text.len() as u64);
        games
    }

    fn summary(text: &str) -> Vec<String> {
        let whole = games(text.as_bytes(), usize::MAX);
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

    proptest! {
        #[test]
        fn any_bytes_in_any_portions_give_the_same(
            text in "([\\[\\]{};\"\\\\%a \r]|\n|\n\\[White \"|\"\\]\n|1-0|\n\\[Event \"){0,60}", step in 1_usize..40,
        ) {
            prop_assert_eq!(games(text.as_bytes(), step), games(text.as_bytes(), usize::MAX));
        }
    }
}
