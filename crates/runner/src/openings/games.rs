//! Openings from a PGN: the position after the first moves of each game.

use std::ops::Range;

use lmrlab_engine::position::Position;

use crate::pgn::tokenizer::{Token, Tokens};
use crate::san::read_move;

/// One game as far as it is wanted: the position, or why there is none, with the place in the text.
pub(super) type Opening = (Result<Position, String>, Range<usize>);

/// The openings of a text, in its order; of each game the first `max_plies` plies, or all.
pub(super) fn openings(text: &str, max_plies: Option<u32>) -> Vec<Opening> {
    let max_plies = max_plies.unwrap_or(u32::MAX);
    let mut openings = Vec::new();
    let mut game: Option<OpenGame> = None;
    for (token, place) in Tokens::of(text) {
        // A tag after moves begins the next game.
        if matches!(token, Token::Tag { .. })
            && let Some(ended) = game.take_if(|game| game.has_moves)
        {
            openings.push(ended.opening());
        }
        let open = game.get_or_insert_with(|| OpenGame::new(place.start));
        match token {
            Token::Tag { name, value } => open.tag(name, value, place),
            Token::Move(word) if open.plies < max_plies => open.play(word, place),
            Token::Move(_) => open.has_moves = true,
            Token::Result => openings.extend(game.take().map(OpenGame::opening)),
        }
    }
    openings.extend(game.map(OpenGame::opening));
    openings
}

/// A game that is being read.
struct OpenGame {
    place: Range<usize>,
    position: Result<Position, String>,
    plies: u32,
    has_moves: bool,
}

impl OpenGame {
    fn new(start: usize) -> Self {
        Self {
            place: start..start + 1,
            position: Ok(Position::initial()),
            plies: 0,
            has_moves: false,
        }
    }

    fn tag(&mut self, name: &str, value: &str, place: Range<usize>) {
        if name.eq_ignore_ascii_case("FEN") {
            self.position = Position::from_fen(value).map_err(|error| error.to_string());
            self.place = place;
        } else {
            self.place.end = place.end;
        }
    }

    fn play(&mut self, word: &str, place: Range<usize>) {
        self.has_moves = true;
        let Ok(position) = &mut self.position else {
            return;
        };
        match read_move(position.board(), word) {
            Ok(mv) => {
                position.play(mv);
                self.plies += 1;
            }
            Err(reason) => {
                self.place = place;
                self.position = Err(reason);
            }
        }
    }

    fn opening(self) -> Opening {
        (self.position, self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fens(text: &str, plies: Option<u32>) -> Vec<String> {
        openings(text, plies)
            .into_iter()
            .map(|(opening, _)| opening.map_or_else(|error| error, |position| position.to_string()))
            .collect()
    }

    const GAMES: &str = "[Event \"?\"]\n[Result \"*\"]\n\n\
        1. e4 {best by test} e5 2.Nf3 (2. f4 exf4 (2... d5) 3. Nf3) 2... Nc6!? $1 3. Bc4 ; Italian\n*\n\n\
        [Event \"?\"]\n[FEN \"4k3/8/8/8/8/8/4P3/4K2R w K - 0 1\"]\n[SetUp \"1\"]\n\n1. 0-0 Ke7+ 2. e4 1-0\n\
        % a line for programs e4 e5\n\
        1. d4 d5 1/2-1/2";

    #[test]
    fn games_with_all_that_may_stand_in_them() {
        assert_eq!(
            fens(GAMES, None),
            [
                "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
                "8/4k3/8/8/4P3/8/8/5RK1 b - e3 0 2",
                "rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq d6 0 2",
            ]
        );
        assert_eq!(fens(GAMES, Some(1))[1], "4k3/8/8/8/8/8/4P3/5RK1 b - - 1 1");
    }

    #[test]
    fn wrong_moves_have_their_place() {
        let text = "1. e4 e5 2. Ke3 Nf6 *\n[FEN \"nonsense\"]\n1. e4 *";
        let found = openings(text, None);
        assert_eq!(found.len(), 2);
        let wrong = found[0].0.as_ref().unwrap_err();
        assert_eq!(wrong, "`Ke3` is not a legal move here");
        assert_eq!(&text[found[0].1.clone()], "Ke3");
        assert!(found[1].0.is_err());
        // Behind the limit nobody looks.
        assert!(openings(text, Some(2))[0].0.is_ok());
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[\\[\\]{}();%.$0-9a-hNBRQKOx+#=\" \\n*é-]{0,80}") {
            for (_, place) in openings(&text, None) {
                prop_assert!(text.get(place).is_some());
            }
        }
    }
}
