//! Pondering: a program thinks on the opponent's time about the position after the reply that it expects.

use cozy_chess::Move;
use lmrlab_engine::game::Game;

use super::process::Process;
use crate::player::turn::Turn;

/// A search on the opponent's time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pondering {
    expected: Move,
    /// The number of moves of the game, with the expected one.
    moves: usize,
}

impl Pondering {
    /// Starts the search. `turn` is after the program's own move. `position` is the UCI command for its game.
    /// `expected` is the expected reply, and `text` its text. `None` when the reply is illegal or ends the game.
    pub(super) fn begin(
        process: &mut Process,
        position: &str,
        turn: &Turn<'_>,
        (expected, text): (Move, &str),
    ) -> Option<Self> {
        let mut game = turn.game.clone();
        game.play(expected).ok()?;
        if game.ending().is_some() {
            return None;
        }
        let go = Turn {
            game: &game,
            ..turn.clone()
        };
        let go = go.go();
        let moves = if turn.game.moves().is_empty() || !position.contains(" moves ") {
            " moves"
        } else {
            ""
        };
        let limits = go.strip_prefix("go").unwrap_or_default();
        process.send(&format!("{position}{moves} {text}\ngo ponder{limits}\n"));
        Some(Self {
            expected,
            moves: game.moves().len(),
        })
    }

    /// Whether the opponent has played the expected move.
    pub(super) fn is_hit(self, game: &Game) -> bool {
        game.moves().len() == self.moves && game.moves().last() == Some(&self.expected)
    }
}

/// The move after `ponder` in an answer.
pub(super) fn expected_reply(answer: &[u8]) -> Option<&[u8]> {
    let mut words = answer.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.nth(1).filter(|word| *word == b"ponder")?;
    words.next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_expected_reply_follows_ponder() {
        assert_eq!(expected_reply(b"e2e4 ponder e7e5"), Some(&b"e7e5"[..]));
        assert_eq!(expected_reply(b"e2e4  ponder  e7e5 more"), Some(&b"e7e5"[..]));
        for answer in [&b"e2e4"[..], b"e2e4 ponder", b"", b"ponder e7e5", b"e2e4 e7e5"] {
            assert_eq!(expected_reply(answer), None);
        }
    }
}
