//! Where one game ends and the next begins.

use super::tokenizer::Token;

/// Where games begin: at a tag behind moves, at an `Event` tag behind an `Event` or `White` tag, at a second `White`
/// tag, and at a move behind a result.
#[derive(Debug, Clone, Copy, Default)]
pub struct Boundary {
    event: bool,
    white: bool,
    moves: bool,
    result: bool,
}

impl Boundary {
    /// Whether a token begins another game than those before it.
    pub fn is_before(&mut self, token: &Token<'_>) -> bool {
        let begins = match token {
            Token::Tag { name: b"Event", .. } => self.moves || self.white || self.event,
            Token::Tag { name: b"White", .. } => self.moves || self.white,
            Token::Tag { .. } => self.moves,
            Token::Move(_) | Token::NullMove => self.result,
            Token::Result(_) | Token::BrokenTag { .. } | Token::Unclosed(_) => false,
        };
        if begins {
            *self = Self::default();
        }
        match token {
            Token::Tag { name, .. } => {
                self.event |= *name == b"Event";
                self.white |= *name == b"White";
            }
            Token::Move(_) | Token::NullMove => self.moves = true,
            Token::Result(_) => (self.moves, self.result) = (true, true),
            Token::BrokenTag { .. } | Token::Unclosed(_) => {}
        }
        begins
    }
}
