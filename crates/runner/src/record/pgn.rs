//! Games as PGN: the seven tags, what the game began with, and each move with its player's score and depth.
//!
//! Source: Steven J. Edwards, *Portable Game Notation Specification and Implementation Guide*, 1994, export format.

use std::fmt::Write as _;

use cozy_chess::Color;
use cozy_chess::util::display_san_move;

use super::journal::{GameRow, JournalError, WrittenScore};
use lmrlab_engine::game::Game;

/// Lines of moves are at most this long.
const LINE_LENGTH: usize = 79;

/// A game of the journal as PGN, with an empty line after it. `date` is that of the run, as `YYYY.MM.DD`; `time_control`
/// is what the tag of that name says, if the game was played with clocks.
///
/// # Errors
/// When the game cannot be played through again.
pub fn pgn(
    row: &GameRow,
    event: &str,
    date: &str,
    time_control: Option<&str>,
) -> Result<String, JournalError> {
    let finished = row.replay()?;
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", event);
    tag("Site", "?");
    tag("Date", date);
    tag("Round", &format!("{}.{}", row.round, 2 - row.game % 2));
    tag("White", &row.white);
    tag("Black", &row.black);
    tag("Result", row.result.pgn());
    tag("FEN", &row.fen);
    tag("PlyCount", &row.plies.to_string());
    tag("SetUp", "1");
    tag("Termination", row.termination.pgn());
    if let Some(control) = time_control {
        tag("TimeControl", control);
    }
    text.push('\n');

    let mut line = Line::new(&mut text);
    let mut position = Game::new(finished.start().clone()).position().clone();
    for (index, mv) in finished.moves().iter().enumerate() {
        let number = position.board().fullmove_number();
        match position.side_to_move() {
            Color::White => line.word(&format!("{number}.")),
            // After a comment the number is repeated.
            Color::Black => line.word(&format!("{number}...")),
        }
        line.word(&display_san_move(position.board(), *mv).to_string());
        if let (Some(score), Some(depth)) = (row.scores.0.get(index), row.depths.0.get(index)) {
            line.word(&format!("{{{}/{depth}}}", pawns(*score)));
        }
        position.play(*mv);
    }
    line.word(row.result.pgn());
    text.push_str("\n\n");
    Ok(text)
}

/// A score as comments write it: pawns (`+0.31`), or moves to mate (`+M3`, `-M2`).
fn pawns(score: WrittenScore) -> String {
    match score {
        WrittenScore::Mate(moves) if moves > 0 => format!("+M{moves}"),
        WrittenScore::Mate(moves) => format!("-M{}", moves.unsigned_abs()),
        WrittenScore::Centipawns(0) => "0.00".to_owned(),
        WrittenScore::Centipawns(value) => {
            let sign = if value > 0 { '+' } else { '-' };
            let value = value.unsigned_abs();
            format!("{sign}{}.{:02}", value / 100, value % 100)
        }
    }
}

/// Words put side by side until a line is full.
struct Line<'t> {
    text: &'t mut String,
    length: usize,
}

impl<'t> Line<'t> {
    fn new(text: &'t mut String) -> Self {
        Self { text, length: 0 }
    }

    fn word(&mut self, word: &str) {
        if self.length > 0 {
            if self.length + 1 + word.len() > LINE_LENGTH {
                self.text.push('\n');
                self.length = 0;
            } else {
                self.text.push(' ');
                self.length += 1;
            }
        }
        self.text.push_str(word);
        self.length += word.len();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::fixed::{Fixed, Spaced};
    use crate::tournament::game::{GameResult, Termination};

    #[test]
    fn a_game() {
        let moves = "e7e5 g1f3 b8c6 f1c4 g8f6 e1g1 f6e4 d2d3 f8c5 d3e4 c5f2 f1f2";
        let row = GameRow {
            game: 4,
            pair: 2,
            round: 2,
            opening: 1,
            fen: "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1".to_owned(),
            white: "a \"quoted\" name".to_owned(),
            black: "none".to_owned(),
            result: GameResult::WhiteWins,
            termination: Termination::TimeForfeit,
            plies: 12,
            white_nodes: 0,
            black_nodes: 0,
            white_mean_depth: Fixed(None),
            black_mean_depth: Fixed(None),
            moves: Spaced(moves.split(' ').map(str::to_owned).collect()),
            scores: Spaced(
                [0, 31, -105, 7, -7, 12, 0, 0, 3, 400, -390]
                    .map(WrittenScore::Centipawns)
                    .into_iter()
                    .chain([WrittenScore::Mate(-2)])
                    .collect(),
            ),
            depths: Spaced((1..=12).collect()),
        };
        insta::assert_snapshot!(pgn(&row, "quickstart", "2026.11.21", Some("10+0.1")).unwrap());
    }
}
