//! games.csv, the journal of a tournament: one line a finished game, in schedule order. Unless time counts, nothing in it
//! depends on the clock.

use std::fmt;
use std::path::Path;

use cozy_chess::Color;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use serde::{Deserialize, Serialize};

use super::csv_file::Row;
use super::fixed::{Fixed, Spaced};
use super::journal::{self, Journal, LineFormat};
use crate::failure::Failure;
use crate::outcome::{GameResult, Termination};
use crate::written_score::WrittenScore;

/// A line of games.csv.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct GameRow {
    /// Number of the game, from 1.
    pub game: u64,
    /// Number of the pair, from 1; two games each.
    pub pair: u64,
    /// Number of the round, from 1.
    pub round: u64,
    /// Number of the opening in its file, from 1.
    pub opening: u64,
    /// The position that the game began with.
    pub fen: String,
    /// Who had White.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub result: GameResult,
    /// Why the game ended.
    pub termination: Termination,
    /// Number of moves, of both sides together.
    pub plies: u64,
    /// Nodes that White searched in the whole game.
    pub white_nodes: u64,
    /// Nodes that Black searched in the whole game.
    pub black_nodes: u64,
    /// Mean depth of White's searches, in plies.
    pub white_mean_depth: Fixed<2>,
    /// Mean depth of Black's searches, in plies.
    pub black_mean_depth: Fixed<2>,
    /// The moves in UCI notation.
    pub moves: Spaced<String>,
    /// For each move, the score that its player saw, from the player's side.
    pub scores: Spaced<WrittenScore>,
    /// For each move, the depth of its search, in plies.
    pub depths: Spaced<u32>,
    /// For each move, the nodes of its search.
    pub nodes: Spaced<u64>,
    /// For each move, the time from `go` to `bestmove`; empty when time did not count.
    pub times_ms: Spaced<Fixed<3>>,
    /// What the side to move did wrong, when that ended the game; otherwise empty.
    pub fault: String,
    /// The UCI command `go` that it did not answer as it should; otherwise empty.
    pub fault_go: String,
}

impl Row for GameRow {
    const COLUMNS: &[&str] = &[
        "game",
        "pair",
        "round",
        "opening",
        "fen",
        "white",
        "black",
        "result",
        "termination",
        "plies",
        "white_nodes",
        "black_nodes",
        "white_mean_depth",
        "black_mean_depth",
        "moves",
        "scores",
        "depths",
        "nodes",
        "times_ms",
        "fault",
        "fault_go",
    ];
}

/// The format of games.csv. Two lines, the games of a pair, are an entry.
pub struct GameFormat;

impl LineFormat for GameFormat {
    type Line = GameRow;
    const NAME: &'static str = "game";

    fn columns(&self) -> Vec<String> {
        GameRow::COLUMNS.iter().map(|name| (*name).to_owned()).collect()
    }

    fn write(&self, line: &GameRow, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        out.serialize(line)
    }

    fn read(&self, record: &csv::StringRecord) -> Option<GameRow> {
        record.deserialize(None).ok()
    }
}

/// games.csv of a run that goes on.
pub type GameJournal = Journal<GameFormat, 2>;

/// Reads the pairs of a games.csv in their order, even while a run writes to it: takes no lock and changes nothing.
///
/// # Errors
/// When the file cannot be read or has been changed, or `each` fails.
pub fn read_pairs(path: &Path, each: &mut dyn FnMut([GameRow; 2]) -> Result<(), Failure>) -> Result<(), Failure> {
    journal::read(path, &GameFormat, each)
}

/// The number of the first line of a games.csv that somebody has edited, from 1; nothing when there is none.
///
/// # Errors
/// When the file cannot be read.
pub fn edited_line(path: &Path) -> Result<Option<u64>, Failure> {
    journal::edited_line(path, &GameFormat)
}

/// Games that this program cannot have written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JournalError(pub String);

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for JournalError {}

impl GameRow {
    /// The game, played through again.
    ///
    /// # Errors
    /// When the position or a move is not legal.
    pub fn replay(&self) -> Result<Game, JournalError> {
        let wrong = |what: String| JournalError(format!("game {}: {what}", self.game));
        let start = Position::from_fen(&self.fen).map_err(|error| wrong(error.to_string()))?;
        let mut game = Game::new(start);
        for text in &self.moves.0 {
            let mv =
                parse_uci_move(game.position().board(), text).map_err(|_| wrong(format!("`{text}` is not a move")))?;
            game.play(mv).map_err(|error| wrong(error.to_string()))?;
        }
        Ok(game)
    }

    /// Who was to move at the beginning.
    pub fn first_to_move(&self) -> Color {
        match self.fen.split_ascii_whitespace().nth(1) {
            Some("b") => Color::Black,
            _ => Color::White,
        }
    }

    /// Who was to move at the end.
    pub fn last_to_move(&self) -> Color {
        if self.plies.is_multiple_of(2) {
            self.first_to_move()
        } else {
            !self.first_to_move()
        }
    }

    /// The side whose fault ended the game; nothing when the game ended without a fault.
    pub fn fault_side(&self) -> Option<Color> {
        self.termination.fault().map(|_| match self.result {
            GameResult::WhiteWins => Color::Black,
            GameResult::BlackWins => Color::White,
            // The side to move ran out of time against a bare king.
            GameResult::Draw => self.last_to_move(),
        })
    }

    /// The engine whose fault ended the game; nothing when the game ended without a fault.
    pub fn fault_of(&self) -> Option<&String> {
        self.fault_side().map(|side| match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        })
    }

    /// What a player did wrong, as a line; nothing when no one did. The fields `fen`, `moves` and `fault_go` reproduce it.
    pub fn fault_report(&self) -> Option<String> {
        let (side, name) = match self.fault_side()? {
            Color::White => ("White", &self.white),
            Color::Black => ("Black", &self.black),
        };
        Some(format!("game {}: `{name}` ({side}) {}", self.game, self.fault))
    }

    /// The depths of one side's searches, in plies.
    pub fn depths_of(&self, side: Color) -> impl Iterator<Item = u32> {
        let skipped = usize::from(side != self.first_to_move());
        self.depths.0.iter().skip(skipped).step_by(2).copied()
    }
}
