//! Openings from a PGN: the position after the first moves of each game.

use std::ops::Range;

use lmrlab_engine::chess_variant::names_rook_files;
use lmrlab_engine::position::Position;

use super::{Opening, playable};
use lmrlab_results::pgn::Boundary;
use lmrlab_results::pgn::tag::unescaped;
use lmrlab_results::pgn::tokenizer::{Token, Tokens};
use lmrlab_results::san::read_move;
use lmrlab_results::text_file::decoded;

/// The openings of a text, in its order: each is the position after the first `max_plies` plies of a game, or after all plies.
pub(super) fn openings(text: &str, max_plies: Option<u32>) -> Vec<Opening> {
    let max_plies = max_plies.unwrap_or(u32::MAX);
    let mut openings = Vec::new();
    let mut game: Option<OpenGame> = None;
    let mut boundary = Boundary::default();
    for (token, place) in Tokens::of(text.as_bytes()) {
        if boundary.is_before(&token) {
            openings.extend(game.take().map(OpenGame::opening));
        }
        match token {
            // Other tags do not matter here.
            Token::BrokenTag { name } if !name.eq_ignore_ascii_case(b"FEN") => continue,
            // No game has begun, so this belongs to none.
            Token::Result(_) | Token::Unclosed(_) if game.is_none() => continue,
            _ => {}
        }
        let open = game.get_or_insert_with(|| OpenGame::new(place.start));
        match token {
            Token::Tag { name, value } => open.tag(name, value, place),
            Token::BrokenTag { .. } => open.refuse(place, "the tag FEN has no value in quotes before a bracket"),
            Token::Move(_) | Token::NullMove | Token::Unclosed(_) if open.plies >= max_plies => {}
            Token::Move(word) => open.play(&decoded(word), place),
            Token::NullMove => open.pass(place),
            Token::Unclosed(b'{') => open.refuse(place, "the comment that begins here is not closed"),
            Token::Unclosed(_) => open.refuse(place, "the variation that begins here is not closed"),
            Token::Result(_) => {}
        }
    }
    openings.extend(game.map(OpenGame::opening));
    openings
}

/// Values of the tag `Variant` that do not contradict standard chess.
const CHESS: [&str; 7] = ["", "?", "-", "chess", "standard", "normal", "from position"];

/// Values that mean Chess960.
const CHESS960: [&str; 6] = [
    "chess960",
    "chess 960",
    "fischerandom",
    "fischerrandom",
    "fischer random",
    "fischer random chess",
];

/// A game that is being read.
struct OpenGame {
    place: Range<usize>,
    position: Result<Position, String>,
    plies: u32,
    is_called_chess960: bool,
}

impl OpenGame {
    fn new(start: usize) -> Self {
        Self {
            place: start..start + 1,
            position: Ok(Position::initial()),
            plies: 0,
            is_called_chess960: false,
        }
    }

    fn tag(&mut self, name: &[u8], value: &[u8], place: Range<usize>) {
        let value = unescaped(value);
        let is_one_of = |names: &[&str]| names.iter().any(|name| value.trim().eq_ignore_ascii_case(name));
        let is_variant = name.eq_ignore_ascii_case(b"Variant");
        self.is_called_chess960 |= is_variant && is_one_of(&CHESS960);
        if name.eq_ignore_ascii_case(b"FEN") {
            // An earlier error stays, such as an unknown variant.
            if self.position.is_ok() {
                self.position = Position::from_fen(&value).map_err(|error| error.to_string());
                self.is_called_chess960 |= names_rook_files(&value);
                self.place = place;
            }
        } else if is_variant && !is_one_of(&CHESS) && !is_one_of(&CHESS960) {
            self.position = Err(format!(
                "`{value}` is not supported: openings are those of chess or Chess960"
            ));
            self.place = place;
        } else if self.position.is_ok() {
            self.place.end = place.end;
        }
    }

    fn play(&mut self, word: &str, place: Range<usize>) {
        self.advance(place, |position| {
            position.play(read_move(position.board(), word)?);
            Ok(())
        });
    }

    fn pass(&mut self, place: Range<usize>) {
        self.advance(place, |position| {
            *position = position.pass().ok_or("a null move cannot be played in check")?;
            Ok(())
        });
    }

    fn advance(&mut self, place: Range<usize>, play: impl FnOnce(&mut Position) -> Result<(), String>) {
        let Ok(position) = &mut self.position else {
            return;
        };
        let played = play(position);
        self.place = place;
        self.plies += 1;
        if let Err(reason) = played {
            self.position = Err(reason);
        }
    }

    fn refuse(&mut self, place: Range<usize>, reason: &str) {
        if self.position.is_ok() {
            self.place = place;
            self.position = Err(reason.to_owned());
        }
    }

    fn opening(self) -> Opening {
        let position = match self.position {
            // The place is that of the last move.
            Ok(position) if self.plies > 0 => playable(position)
                .map_err(|reason| format!("{reason}; a smaller `plies` ends the openings before this move")),
            position => position,
        };
        Opening {
            position,
            place: self.place,
            is_called_chess960: self.is_called_chess960,
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
            .map(|opening| (opening.position).map_or_else(|error| error, |position| position.to_string()))
            .collect()
    }

    #[test]
    fn chess_and_chess960_are_read_and_other_variants_refused_by_name() {
        let fen = "[FEN \"nrbkqbrn/pppppppp/8/8/8/8/PPPPPPPP/RKBQNBRN w KQkq - 0 1\"]\n";
        let variant = "[Variant \"Chess960\"]\n";
        for (tags, is_called) in [
            (fen.to_owned(), false),
            (fen.replace("KQkq", "GAgb"), true),
            (format!("{fen}{variant}"), true),
            (format!("{variant}{fen}"), true),
        ] {
            let text = format!(
                "[Event \"x\"]\n{tags}\n1. b3 e5 2. e4 Bb4 3. d4 Qe6 4. f4 O-O 5. Bb2 d5 6. Qg4 Qe7 7. 0-0-0 *\n"
            );
            assert_eq!(
                fens(&text, None),
                ["nrb2rkn/ppp1qppp/8/3pp3/1b1PPPQ1/1P6/PBP3PP/2KRNBRN b - - 3 7"],
            );
            assert_eq!(openings(&text, None)[0].is_called_chess960, is_called, "{tags}");
        }
        let initial = openings(&format!("{variant}\n1. e4 *"), None).remove(0);
        assert!(initial.is_called_chess960 && initial.position.is_ok());
        let other = fens(
            "[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n[Variant \"Atomic\"]\n\n1. e4 *\n",
            None,
        );
        assert_eq!(
            other,
            ["`Atomic` is not supported: openings are those of chess or Chess960"]
        );
        for chess in ["Standard", "From Position", "chess"] {
            let text = format!("[Variant \"{chess}\"]\n\n1. e4 *\n");
            assert!(fens(&text, None)[0].starts_with("rnbqkbnr/pppppppp/8/8/4P3"), "{chess}");
        }
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
        let wrong = found[0].position.as_ref().unwrap_err();
        assert_eq!(wrong, "`Ke3` is not a legal move here");
        assert_eq!(&text[found[0].place.clone()], "Ke3");
        assert!(found[1].position.is_err());
        // Moves after the limit are not read.
        assert!(openings(text, Some(2))[0].position.is_ok());
    }

    #[test]
    fn null_moves_pass_the_turn() {
        for (text, fen) in [
            (
                "1. e4 -- 2. e5 *",
                "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            ),
            (
                "1. e4 e5 2. Nf3 -- *",
                "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
            ),
            (
                "1. e4 0000 2. e5 *",
                "rnbqkbnr/pppppppp/8/4P3/8/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2",
            ),
            (
                "1. e4 e5 2. Nf3 Nc6 3. Bb5 Z0 4. Bxc6 dxc6 *",
                "r1bqkbnr/ppp2ppp/2p5/4p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 5",
            ),
            ("1. e4 f6 2. Qh5+ -- *", "a null move cannot be played in check"),
        ] {
            assert_eq!(fens(text, None), [fen], "{text}");
        }
    }

    #[test]
    fn what_is_damaged_has_its_place() {
        for (text, place, reason) in [
            ("[FEN \"8/8\n\n1. e4 *", "[FEN \"8/8", "the tag FEN has no value"),
            (
                "1. e4 {best e5 *\n[Event \"x\"]\n1. d4 *",
                "{",
                "comment that begins here",
            ),
            (
                "1. e4 (1. d4 e5 *\n[Event \"x\"]\n1. d4 *",
                "(",
                "variation that begins here",
            ),
            (
                "1. f3 e5 2. g4 Qh4# 0-1",
                "Qh4#",
                "the game is over: checkmate; a smaller `plies`",
            ),
        ] {
            let found = openings(text, None);
            let said = found[0].position.as_ref().unwrap_err();
            assert!(said.contains(reason), "{said}");
            assert_eq!(&text[found[0].place.clone()], place);
            assert!(found[1..].iter().all(|opening| opening.position.is_ok()), "{text}");
        }
        assert!(fens("1. f3 e5 2. g4 Qh4# 0-1", Some(3))[0].starts_with("rnbq"));
        assert_eq!(
            openings("[Event \"x\"]\n[Site y]\n1. e4 * 1-0\n\n[Event \"z\"]\n", None).len(),
            2
        );
    }

    proptest! {
        #[test]
        fn no_text_is_too_strange(text in "[\\[\\]{}();%.$0-9a-hNBRQKOx+#=\" \\n*é-]{0,80}") {
            for opening in openings(&text, None) {
                prop_assert!(text.get(opening.place).is_some());
            }
        }
    }
}
