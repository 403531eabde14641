//! How a game ended: the result, and the reason for it.

use cozy_chess::Color;
use lmrlab_engine::game::Ending;
use serde::{Deserialize, Serialize};

use lmrlab_stats::GameOutcome;

/// The side that won.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum GameResult {
    /// White.
    #[serde(rename = "1-0")]
    WhiteWins,
    /// Black.
    #[serde(rename = "0-1")]
    BlackWins,
    /// Neither side.
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

/// How a termination reason is counted in the standings when it is an engine's fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FaultClass {
    /// Its answer came too late.
    TimeLoss,
    /// Its answer is no legal move, or no move at all.
    IllegalMove,
    /// Its process died.
    Crash,
    /// It did not answer, and the runner stopped waiting.
    Stall,
}

/// The side that loses a game that ends for this reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Loser {
    /// The game is drawn.
    Neither,
    /// The side to move.
    SideToMove,
    /// The side to move, unless its opponent has a bare king: then the game is drawn (FIDE Laws of Chess, 6.9).
    SideToMoveUnlessBareKing,
    /// The side that loses by the scores or by a tablebase.
    AsKnown,
}

/// The properties of a termination reason.
struct Reason {
    /// The value of the PGN tag `Termination`.
    tag: &'static str,
    /// The comment behind the last move of a decided game; `{loser}` and `{winner}` stand for the sides. Empty: none.
    decided: &'static str,
    /// The same for a drawn game.
    drawn: &'static str,
    /// Who loses.
    loser: Loser,
    /// How it counts when it is a fault.
    fault: Option<FaultClass>,
}

/// A drawn game that the rules ended.
const USUAL: Reason = Reason {
    tag: "normal",
    decided: "",
    drawn: "",
    loser: Loser::Neither,
    fault: None,
};

/// Declares [`Termination`]: the name of each reason in games.csv, and the differences of its [`Reason`] from
/// [`USUAL`].
macro_rules! terminations {
    ($($(#[$doc:meta])+ $name:ident = $csv:literal { $($value:tt)* })+) => {
        /// Why a game ended.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Termination {
            $($(#[$doc])+ #[serde(rename = $csv)] $name,)+
        }

        impl Termination {
            /// Every reason.
            pub const ALL: &[Self] = &[$(Self::$name),+];

            /// The name in games.csv.
            pub fn name(self) -> &'static str {
                match self {
                    $(Self::$name => $csv,)+
                }
            }

            #[allow(clippy::needless_update, reason = "one reason differs in everything")]
            fn reason(self) -> Reason {
                match self {
                    $(Self::$name => Reason { $($value)* ..USUAL },)+
                }
            }
        }
    };
}

// The comments are the same as those of other match runners.
terminations! {
    /// The side to move is checkmated.
    Checkmate = "checkmate" {
        loser: Loser::SideToMove,
    }
    /// The side to move has no move and is not in check.
    Stalemate = "stalemate" {}
    /// The position occurred for the third time.
    Repetition = "repetition" {}
    /// Fifty moves of each side without a capture or a pawn move.
    FiftyMoves = "fifty_moves" {}
    /// Neither side can mate.
    InsufficientMaterial = "insufficient_material" {}
    /// The side to move used up its time.
    TimeForfeit = "time_forfeit" {
        tag: "time forfeit",
        decided: "{loser} loses on time", drawn: "{loser} loses on time, and {winner} cannot mate",
        loser: Loser::SideToMoveUnlessBareKing, fault: Some(FaultClass::TimeLoss),
    }
    /// The side to move answered with a move that is not legal.
    IllegalMove = "illegal_move" {
        tag: "rules infraction", decided: "{loser} makes an illegal move",
        loser: Loser::SideToMove, fault: Some(FaultClass::IllegalMove),
    }
    /// The side to move answered without a move.
    NoMove = "no_move" {
        tag: "rules infraction", decided: "{loser} makes no move",
        loser: Loser::SideToMove, fault: Some(FaultClass::IllegalMove),
    }
    /// The process of the side to move died.
    Crash = "crash" {
        tag: "abandoned", decided: "{loser} disconnects",
        loser: Loser::SideToMove, fault: Some(FaultClass::Crash),
    }
    /// The side to move did not answer, and the runner stopped waiting.
    Stall = "stall" {
        tag: "abandoned", decided: "{loser}'s connection stalls",
        loser: Loser::SideToMove, fault: Some(FaultClass::Stall),
    }
    /// Both sides' scores were near zero for long enough.
    DrawAdjudication = "draw_adjudication" {
        tag: "adjudication", drawn: "Draw by adjudication",
    }
    /// Both sides' scores saw the same winner for long enough.
    WinAdjudication = "win_adjudication" {
        tag: "adjudication", decided: "{winner} wins by adjudication",
        loser: Loser::AsKnown,
    }
    /// A tablebase knew the result.
    Tablebase = "tablebase" {
        tag: "adjudication", decided: "{winner} wins by adjudication: SyzygyTB", drawn: "Draw by adjudication: SyzygyTB",
        loser: Loser::AsKnown,
    }
    /// The game reached the tournament's limit on moves.
    MoveLimit = "move_limit" {
        tag: "adjudication", drawn: "Draw by adjudication: the greatest number of moves",
    }
}

impl Termination {
    /// How the fault of the side to move is counted; `None` when the game ended without a fault.
    pub fn fault(self) -> Option<FaultClass> {
        self.reason().fault
    }

    /// The result of a game that ended for this reason with `side` to move; `opponent_is_bare` when the other side has
    /// only its king. `None` when the scores or a tablebase decide.
    pub fn result(self, side: Color, opponent_is_bare: bool) -> Option<GameResult> {
        let winner = match self.reason().loser {
            Loser::Neither => None,
            Loser::SideToMove => Some(!side),
            Loser::SideToMoveUnlessBareKing => (!opponent_is_bare).then_some(!side),
            Loser::AsKnown => return None,
        };
        Some(GameResult::won_by(winner))
    }

    /// The comment behind the last move of a game that the rules did not end; `side` was to move.
    pub fn comment(self, side: Color, result: GameResult) -> Option<String> {
        let reason = self.reason();
        let (text, loser) = match result {
            GameResult::WhiteWins => (reason.decided, Color::Black),
            GameResult::BlackWins => (reason.decided, Color::White),
            GameResult::Draw => (reason.drawn, side),
        };
        let name = |side| match side {
            Color::White => "White",
            Color::Black => "Black",
        };
        (!text.is_empty()).then(|| text.replace("{loser}", name(loser)).replace("{winner}", name(!loser)))
    }

    /// The value of a PGN's `Termination` tag.
    pub fn pgn(self) -> &'static str {
        self.reason().tag
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// The names of each reason in games.csv and games.pgn. Files of earlier runs have them, so they must not change.
    #[test]
    fn how_every_reason_is_written() {
        let mut table = String::new();
        for &reason in Termination::ALL {
            let results = [reason.result(Color::White, false), reason.result(Color::White, true)];
            let side = |result| reason.comment(Color::White, result).unwrap_or_default();
            let _ = writeln!(
                table,
                "{} | {} | {} | {} | {:?} | {:?}",
                reason.name(),
                reason.pgn(),
                side(GameResult::BlackWins),
                side(GameResult::Draw),
                results.map(|result| result.map(GameResult::pgn)),
                reason.fault(),
            );
            let mut csv = csv::Writer::from_writer(Vec::new());
            csv.serialize((reason,)).unwrap();
            let written = String::from_utf8(csv.into_inner().unwrap()).unwrap();
            assert_eq!(written.trim_end(), reason.name());
        }
        insta::assert_snapshot!(table, @r#"
        checkmate | normal |  |  | [Some("0-1"), Some("0-1")] | None
        stalemate | normal |  |  | [Some("1/2-1/2"), Some("1/2-1/2")] | None
        repetition | normal |  |  | [Some("1/2-1/2"), Some("1/2-1/2")] | None
        fifty_moves | normal |  |  | [Some("1/2-1/2"), Some("1/2-1/2")] | None
        insufficient_material | normal |  |  | [Some("1/2-1/2"), Some("1/2-1/2")] | None
        time_forfeit | time forfeit | White loses on time | White loses on time, and Black cannot mate | [Some("0-1"), Some("1/2-1/2")] | Some(TimeLoss)
        illegal_move | rules infraction | White makes an illegal move |  | [Some("0-1"), Some("0-1")] | Some(IllegalMove)
        no_move | rules infraction | White makes no move |  | [Some("0-1"), Some("0-1")] | Some(IllegalMove)
        crash | abandoned | White disconnects |  | [Some("0-1"), Some("0-1")] | Some(Crash)
        stall | abandoned | White's connection stalls |  | [Some("0-1"), Some("0-1")] | Some(Stall)
        draw_adjudication | adjudication |  | Draw by adjudication | [Some("1/2-1/2"), Some("1/2-1/2")] | None
        win_adjudication | adjudication | Black wins by adjudication |  | [None, None] | None
        tablebase | adjudication | Black wins by adjudication: SyzygyTB | Draw by adjudication: SyzygyTB | [None, None] | None
        move_limit | adjudication |  | Draw by adjudication: the greatest number of moves | [Some("1/2-1/2"), Some("1/2-1/2")] | None
        "#);
    }
}
