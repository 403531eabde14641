//! What a game came to: who won, and why.

use cozy_chess::Color;
use lmrlab_engine::game::Ending;
use serde::{Deserialize, Serialize};

use crate::player::FaultKind;
use lmrlab_stats::GameOutcome;

/// Who won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Nobody.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// A win for this side, or a draw.
    pub fn won_by(winner: Option<Color>) -> Self {
        match winner {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }

    /// As PGN writes it.
    pub fn pgn(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// What it is for one side.
    pub fn outcome_for(self, side: Color) -> GameOutcome {
        match (self, side) {
            (Self::Draw, _) => GameOutcome::Draw,
            (Self::WhiteWins, Color::White) | (Self::BlackWins, Color::Black) => GameOutcome::Win,
            (Self::WhiteWins, Color::Black) | (Self::BlackWins, Color::White) => GameOutcome::Loss,
        }
    }
}

/// Why a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// The side to move is checkmated.
    Checkmate,
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position stood for the third time.
    Repetition,
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves,
    /// Neither side can mate.
    InsufficientMaterial,
    /// The side to move used up its time.
    TimeForfeit,
    /// The side to move chose a move that is not legal.
    IllegalMove,
    /// The side to move chose no move.
    NoMove,
    /// The side to move died.
    Crash,
    /// The side to move did not answer until nobody waited any longer.
    Stall,
    /// The scores said for long enough that nobody would win.
    DrawAdjudication,
    /// The scores said for long enough who would win.
    WinAdjudication,
    /// The game had as many moves as the tournament allows.
    MoveLimit,
}

impl Termination {
    /// Whether a side lost, or would have lost, by not answering as it should.
    pub fn is_fault(self) -> bool {
        matches!(
            self,
            Self::TimeForfeit | Self::IllegalMove | Self::NoMove | Self::Crash | Self::Stall
        )
    }

    /// What the usual match runners write behind the last move of a game that the rules did not end; `loser` is the side
    /// whose fault it was. Nothing for the others.
    pub fn remark(self, loser: Color, result: GameResult) -> Option<String> {
        let name = |side| match side {
            Color::White => "White",
            Color::Black => "Black",
        };
        let side = name(loser);
        Some(match self {
            Self::TimeForfeit if result == GameResult::Draw => {
                format!("{side} loses on time, and {} cannot mate", name(!loser))
            }
            Self::TimeForfeit => format!("{side} loses on time"),
            Self::IllegalMove => format!("{side} makes an illegal move"),
            Self::NoMove => format!("{side} makes no move"),
            Self::Crash => format!("{side} disconnects"),
            Self::Stall => format!("{side}'s connection stalls"),
            Self::DrawAdjudication => "Draw by adjudication".to_owned(),
            Self::WinAdjudication => match result {
                GameResult::WhiteWins => "White wins by adjudication".to_owned(),
                GameResult::BlackWins => "Black wins by adjudication".to_owned(),
                GameResult::Draw => return None,
            },
            Self::MoveLimit => "Draw by adjudication: the greatest number of moves".to_owned(),
            Self::Checkmate
            | Self::Stalemate
            | Self::Repetition
            | Self::FiftyMoves
            | Self::InsufficientMaterial => return None,
        })
    }

    /// The value of a PGN's `Termination` tag.
    pub fn pgn(self) -> &'static str {
        match self {
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove | Self::NoMove => "rules infraction",
            Self::Crash | Self::Stall => "abandoned",
            Self::DrawAdjudication | Self::WinAdjudication | Self::MoveLimit => "adjudication",
            Self::Checkmate
            | Self::Stalemate
            | Self::Repetition
            | Self::FiftyMoves
            | Self::InsufficientMaterial => "normal",
        }
    }
}

impl From<Ending> for Termination {
    fn from(ending: Ending) -> Self {
        match ending {
            Ending::Checkmate => Self::Checkmate,
            Ending::Stalemate => Self::Stalemate,
            Ending::Repetition => Self::Repetition,
            Ending::FiftyMoves => Self::FiftyMoves,
            Ending::InsufficientMaterial => Self::InsufficientMaterial,
        }
    }
}

impl From<FaultKind> for Termination {
    fn from(kind: FaultKind) -> Self {
        match kind {
            FaultKind::NoMove => Self::NoMove,
            FaultKind::IllegalMove => Self::IllegalMove,
            FaultKind::Late => Self::TimeForfeit,
            FaultKind::Crash => Self::Crash,
            FaultKind::Stall => Self::Stall,
        }
    }
}
