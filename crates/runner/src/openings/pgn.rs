//! Openings from a PGN: the position after the first moves of each game.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, import format.

use std::ops::Range;

use cozy_chess::util::parse_san_move;
use lmrlab_engine::position::Position;

/// One game as far as it is wanted: the position, or why there is none, with the place in the text.
pub(super) type Opening = (Result<Position, String>, Range<usize>);

/// The openings of a text, in its order; of each game the first `max_plies` plies, or all.
pub(super) fn openings(text: &str, max_plies: Option<u32>) -> Vec<Opening> {
    let mut reader = Reader {
        text,
        at: 0,
        max_plies: max_plies.unwrap_or(u32::MAX),
        openings: Vec::new(),
        game: None,
    };
    while reader.step() {}
    reader.end_game();
    reader.openings
}

/// A game that is being read.
struct OpenGame {
    place: Range<usize>,
    position: Result<Position, String>,
    plies: u32,
    has_moves: bool,
}

struct Reader<'t> {
    text: &'t str,
    at: usize,
    max_plies: u32,
    openings: Vec<Opening>,
    game: Option<OpenGame>,
}

impl<'t> Reader<'t> {
    fn rest(&self) -> &'t str {
        self.text.get(self.at..).unwrap_or_default()
    }

    /// Reads one thing; whether there was one.
    fn step(&mut self) -> bool {
        let rest = self.rest();
        self.at += rest.len() - rest.trim_start().len();
        let rest = self.rest();
        let begins_line = self.at == 0 || self.text[..self.at].ends_with('\n');
        match rest.bytes().next() {
            None => return false,
            Some(b'[') => self.tag(),
            Some(b'{') => self.skip_past('}'),
            Some(b';') => self.skip_past('\n'),
            Some(b'%') if begins_line => self.skip_past('\n'),
            Some(b'(') => self.variation(),
            Some(b')' | b'}' | b']') => self.at += 1,
            Some(_) => self.word(),
        }
        true
    }

    fn skip_past(&mut self, end: char) {
        let rest = self.rest();
        self.at += rest.find(end).map_or(rest.len(), |index| index + 1);
    }

    /// A variation with whatever is in it.
    fn variation(&mut self) {
        let mut depth = 0_u32;
        loop {
            match self.rest().bytes().next() {
                None => return,
                Some(b'{') => self.skip_past('}'),
                Some(b';') => self.skip_past('\n'),
                Some(byte) => {
                    let width = self.rest().chars().next().map_or(1, char::len_utf8);
                    self.at += width;
                    match byte {
                        b'(' => depth += 1,
                        b')' if depth <= 1 => return,
                        b')' => depth -= 1,
                        _ => {}
                    }
                }
            }
        }
    }

    /// `[Name "value"]`. A tag after moves begins the next game.
    fn tag(&mut self) {
        let start = self.at;
        let line = self.rest().lines().next().unwrap_or_default();
        self.at += line.len();
        if self.game.as_ref().is_some_and(|game| game.has_moves) {
            self.end_game();
        }
        let game = self.game.get_or_insert_with(|| OpenGame::new(start));
        game.place.end = self.at;
        let inner = line.trim().trim_start_matches('[').trim_end_matches(']');
        if let Some((name, value)) = inner.trim().split_once(char::is_whitespace)
            && name.eq_ignore_ascii_case("FEN")
        {
            let fen = value.trim().trim_matches('"');
            game.position = Position::from_fen(fen).map_err(|error| error.to_string());
            game.place = start..self.at;
        }
    }

    /// A move, its number, a result, or a mark.
    fn word(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let length = rest
            .find(|c: char| c.is_whitespace() || "{}();[]".contains(c))
            .unwrap_or(rest.len());
        self.at += length.max(1);
        let word = rest.get(..length).unwrap_or_default();
        if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
            let game = self.game.get_or_insert_with(|| OpenGame::new(start));
            game.has_moves = true;
            self.end_game();
            return;
        }
        // `12.`, `12...` or `12.Nf3`; castling may be written with zeros, and an en passant capture be marked.
        let digits = word.trim_start_matches(|c: char| c.is_ascii_digit());
        let bare = if digits.starts_with('.') || digits.is_empty() {
            digits.trim_start_matches('.')
        } else {
            word
        };
        let bare = bare.trim_end_matches(['+', '#', '!', '?']);
        if bare.is_empty() || bare.starts_with('$') || matches!(bare, "e.p." | "--") {
            return;
        }
        let game = self.game.get_or_insert_with(|| OpenGame::new(start));
        game.has_moves = true;
        if game.plies >= self.max_plies {
            return;
        }
        let Ok(position) = &mut game.position else {
            return;
        };
        let san = bare.replace('0', "O");
        match parse_san_move(position.board(), &san) {
            Ok(mv) if position.board().is_legal(mv) => {
                position.play(mv);
                game.plies += 1;
            }
            _ => {
                game.place = start..start + length;
                game.position = Err(format!("`{bare}` is no legal move here"));
            }
        }
    }

    fn end_game(&mut self) {
        if let Some(game) = self.game.take() {
            self.openings.push((game.position, game.place));
        }
    }
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
        assert_eq!(wrong, "`Ke3` is no legal move here");
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
