//! games.csv, the journal of every run: one line a finished game, in the order of the pairs. Unless time counts, nothing
//! in it depends on the clock. A tuning run or a trial plays one engine with overrides: two more columns have them.

use std::borrow::Cow;
use std::sync::Arc;

use cozy_chess::util::{display_san_move, parse_uci_move};
use cozy_chess::{Board, Color, Move};
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;

use crate::fixed::{Fixed, Spaced};
use crate::game_end::{GameResult, Termination};
use crate::row::{Row, rows};
use crate::written_score::WrittenScore;

rows! {
    /// A line of games.csv.
    GameRow {
        game: u64 = "Game", "", "number of the game, from 1";
        pair: u64 = "Pair", "", "number of the pair, from 1; two games each";
        round: u64 = "Round", "", "number of the round, from 1";
        opening: u64 = "Opening", "", "number of the opening, from 1, through all books";
        fen: String = "FEN", "", "the position that the game began with; of Chess960 as Shredder-FEN";
        white: String = "White", "", "the engine that had White";
        black: String = "Black", "", "the engine that had Black";
        result: GameResult = "Result", "", "`1-0`, `0-1` or `1/2-1/2`";
        termination: Termination = "Termination", "", "why the game ended, see below";
        plies: u64 = "Plies", "plies", "moves of both sides together";
        white_nodes: u64 = "White's nodes", "nodes", "searched in the whole game";
        black_nodes: u64 = "Black's nodes", "nodes", "searched in the whole game";
        white_mean_depth: Fixed<2> = "White's depth", "plies", "mean depth of the searches";
        black_mean_depth: Fixed<2> = "Black's depth", "plies", "mean depth of the searches";
        moves: Spaced<String> = "Moves", "", "the moves in UCI notation, with spaces between them; castling in Chess960 is the king that takes its rook";
        scores: Spaced<WrittenScore> = "Scores", "centipawns", "for each move, the score from its player's side; `#n` is mate in n moves, `#-n` mated in n, `-` no score";
        depths: Spaced<u32> = "Depths", "plies", "for each move";
        nodes: Spaced<u64> = "Nodes", "nodes", "for each move";
        times_ms: Spaced<Fixed<3>> = "Times", "ms", "for each move, from `go` to `bestmove`; empty unless time is the limit";
        fault: String = "Fault", "", "what the side to move did wrong, if that ended the game";
        fault_go: String = "Command", "", "the `go` command that it did not answer properly";
        = overrides: Option<Overrides>, "The overrides of White and of Black, in a run that has them.";
    }
}

/// What two sides change in their engines, such as `base=1.1,-rule`. Empty for the engine as it is.
pub type Overrides = [Arc<str>; 2];

/// The columns of games.csv that only a run with overrides has.
const OVERRIDES: [&str; 2] = ["white_overrides", "black_overrides"];

/// The first line of games.csv, with its end.
pub(crate) fn header(has_overrides: bool) -> String {
    let mut names = GameRow::names();
    names.extend(
        OVERRIDES
            .iter()
            .filter(|_| has_overrides)
            .map(|name| (*name).to_owned()),
    );
    names.join(",") + "\n"
}

/// Games that this program cannot have written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct JournalError(pub String);

impl GameRow {
    /// Writes a line of games.csv.
    pub(crate) fn write(&self, has_overrides: bool, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        match &self.overrides {
            Some([white, black]) if has_overrides => out.serialize((self, &**white, &**black)),
            _ => out.serialize(self),
        }
    }

    /// Reads a line of games.csv; `None` when the line has another format.
    pub(crate) fn read(has_overrides: bool, record: &csv::StringRecord) -> Option<Self> {
        if !has_overrides {
            return record.deserialize(None).ok();
        }
        let (row, white, black): (Self, &str, &str) = record.deserialize(None).ok()?;
        Some(Self {
            overrides: Some([white.into(), black.into()]),
            ..row
        })
    }

    /// The game, played through again.
    ///
    /// # Errors
    /// When the position or a move is not legal.
    pub fn replay(&self) -> Result<Game, JournalError> {
        self.replay_with(|_, _| ())
    }

    /// The moves of a game from a file, in standard algebraic notation. A game that was just played already has them.
    ///
    /// # Errors
    /// As [`Self::replay`].
    pub fn san(&self) -> Result<Vec<String>, JournalError> {
        let mut san = Vec::with_capacity(self.moves.0.len());
        self.replay_with(|board, mv| san.push(display_san_move(board, mv).to_string()))?;
        Ok(san)
    }

    /// Plays the game through again; `each` sees the moves that are legal, with the position before each.
    fn replay_with(&self, mut each: impl FnMut(&Board, Move)) -> Result<Game, JournalError> {
        let wrong = |what: String| JournalError(format!("game {}: {what}", self.game));
        let start = Position::from_fen(&self.fen).map_err(|error| wrong(error.to_string()))?;
        let mut game = Game::new(start);
        for text in &self.moves.0 {
            let before = game.position().board().clone();
            let mv = parse_uci_move(&before, text).map_err(|_| wrong(format!("`{text}` is not a move")))?;
            game.play(mv).map_err(|error| wrong(error.to_string()))?;
            each(&before, mv);
        }
        Ok(game)
    }

    /// The side to move at the beginning.
    pub fn first_to_move(&self) -> Color {
        match self.fen.split_ascii_whitespace().nth(1) {
            Some("b") => Color::Black,
            _ => Color::White,
        }
    }

    /// The number of the first move, as PGN counts: the last field of the FEN.
    pub fn first_move_number(&self) -> u64 {
        let number = self.fen.split_ascii_whitespace().nth(5);
        number.and_then(|number| number.parse().ok()).unwrap_or(1)
    }

    /// The side to move at the end.
    pub fn last_to_move(&self) -> Color {
        if self.plies.is_multiple_of(2) {
            self.first_to_move()
        } else {
            !self.first_to_move()
        }
    }

    /// The side that ended the game by a fault; `None` when the game ended without a fault.
    pub fn fault_side(&self) -> Option<Color> {
        self.termination.fault().map(|_| match self.result {
            GameResult::WhiteWins => Color::Black,
            GameResult::BlackWins => Color::White,
            // The side to move ran out of time against a bare king.
            GameResult::Draw => self.last_to_move(),
        })
    }

    /// The engine that ended the game by a fault; `None` when the game ended without a fault.
    pub fn fault_of(&self) -> Option<&String> {
        self.fault_side().map(|side| match side {
            Color::White => &self.white,
            Color::Black => &self.black,
        })
    }

    /// The fault that ended the game, as a line; `None` when the game ended without a fault. The fields `fen`, `moves`
    /// and `fault_go` reproduce it.
    pub fn fault_report(&self) -> Option<String> {
        let (side, name) = (self.fault_side()?, self.fault_of()?);
        Some(format!("game {}: `{name}` ({side:?}) {}", self.game, self.fault))
    }

    /// What one side is called: its engine, with its overrides. They take the place of those in the name of the engine.
    pub fn player(&self, side: Color) -> Cow<'_, str> {
        let engine = [&self.white, &self.black][side as usize];
        let Some(overrides) = self.overrides.as_ref().map(|overrides| &*overrides[side as usize]) else {
            return engine.into();
        };
        let key = |item: &str| item.split('=').next().map(str::to_owned);
        let changed: Vec<Option<String>> = overrides.split(',').map(key).collect();
        let (name, own) = engine.split_once('@').unwrap_or((engine, ""));
        let own = own.split(',').filter(|item| !changed.contains(&key(item)));
        let items: Vec<&str> = own.chain([overrides]).filter(|item| !item.is_empty()).collect();
        match items.is_empty() {
            true => name.into(),
            false => format!("{name}@{}", items.join(",")).into(),
        }
    }

    /// The depths of one side's searches, in plies.
    pub fn depths_of(&self, side: Color) -> impl Iterator<Item = u32> {
        let skipped = usize::from(side != self.first_to_move());
        self.depths.0.iter().skip(skipped).step_by(2).copied()
    }
}
