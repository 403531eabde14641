//! One game between two players.

use std::time::{Duration, Instant};

use cozy_chess::{Color, Move};
use lmrlab_engine::game::{Ending, Game};
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use serde::{Deserialize, Serialize};

use super::limit::Limit;
use crate::interrupt::Interrupt;
use crate::player::{Fault, Player, Turn};
use crate::stats::GameOutcome;

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
}

impl Termination {
    /// The value of a PGN's `Termination` tag.
    pub fn pgn(self) -> &'static str {
        match self {
            Self::TimeForfeit => "time forfeit",
            Self::IllegalMove | Self::NoMove => "rules infraction",
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

impl From<Fault> for Termination {
    fn from(fault: Fault) -> Self {
        match fault {
            Fault::NoMove => Self::NoMove,
        }
    }
}

/// One move with what the player thought of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The player's score, from its own side.
    pub score: Score,
    /// The depth that it reached, in plies.
    pub depth: u32,
    /// The nodes that it searched.
    pub nodes: u64,
    /// The time that it took, measured from outside.
    pub time: Duration,
}

/// A game that came to its end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedGame {
    /// Whose move it was at the beginning.
    pub first_to_move: Color,
    /// The moves.
    pub moves: Vec<PlayedMove>,
    /// Who won.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
}

impl PlayedGame {
    /// The moves of one side.
    pub fn moves_of(&self, side: Color) -> impl Iterator<Item = &PlayedMove> {
        let skipped = usize::from(side != self.first_to_move);
        self.moves.iter().skip(skipped).step_by(2)
    }
}

/// Plays one game from `start`; `None` when it was abandoned.
///
/// With a clock, a move counts as late when its time, measured around the call, is more than what was left.
pub fn play(
    white: &mut dyn Player,
    black: &mut dyn Player,
    start: &Position,
    limit: Limit,
    interrupt: &Interrupt,
) -> Option<PlayedGame> {
    let mut game = Game::new(start.clone());
    let mut moves = Vec::new();
    let mut remaining = match limit {
        Limit::Clock(control) => [control.base; 2],
        Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime(_) => [Duration::ZERO; 2],
    };
    let ended = |moves, result, termination| {
        Some(PlayedGame {
            first_to_move: start.side_to_move(),
            moves,
            result,
            termination,
        })
    };
    if let Err(fault) = white.new_game() {
        return ended(moves, GameResult::BlackWins, fault.into());
    }
    if let Err(fault) = black.new_game() {
        return ended(moves, GameResult::WhiteWins, fault.into());
    }
    loop {
        let side = game.position().side_to_move();
        if let Some(ending) = game.ending() {
            let result = GameResult::won_by(ending.winner(side));
            return ended(moves, result, ending.into());
        }
        let lost = GameResult::won_by(Some(!side));
        let player: &mut dyn Player = match side {
            Color::White => &mut *white,
            Color::Black => &mut *black,
        };
        let turn = Turn {
            game: &game,
            limits: limit.for_move(remaining[side as usize]),
            opponent_clock: match limit {
                Limit::Clock(control) => Some(control.clock(remaining[!side as usize])),
                Limit::Nodes(_) | Limit::Depth(_) | Limit::MoveTime(_) => None,
            },
            stop: interrupt.stop_flag(),
        };
        let begun = Instant::now();
        let choice = player.choose(turn);
        let time = begun.elapsed();
        if interrupt.is_abandoned() {
            return None;
        }
        let choice = match choice {
            Ok(choice) => choice,
            Err(fault) => return ended(moves, lost, fault.into()),
        };
        if let Limit::Clock(control) = limit {
            let left = &mut remaining[side as usize];
            match left.checked_sub(time) {
                Some(rest) => *left = rest + control.increment,
                None => return ended(moves, lost, Termination::TimeForfeit),
            }
        }
        if game.play(choice.mv).is_err() {
            return ended(moves, lost, Termination::IllegalMove);
        }
        moves.push(PlayedMove {
            mv: choice.mv,
            score: choice.score,
            depth: choice.depth,
            nodes: choice.nodes,
            time,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::player::Choice;
    use cozy_chess::util::parse_uci_move;

    /// Plays a list of moves, however long it takes.
    struct Script {
        moves: &'static [&'static str],
        next: usize,
        pause: Duration,
    }

    fn script(moves: &'static [&'static str]) -> Script {
        Script {
            moves,
            next: 0,
            pause: Duration::ZERO,
        }
    }

    impl Player for Script {
        fn new_game(&mut self) -> Result<(), Fault> {
            self.next = 0;
            Ok(())
        }

        fn choose(&mut self, turn: Turn<'_>) -> Result<Choice, Fault> {
            std::thread::sleep(self.pause);
            let text = self.moves.get(self.next).ok_or(Fault::NoMove)?;
            self.next += 1;
            Ok(Choice {
                mv: parse_uci_move(turn.game.position().board(), text).unwrap(),
                score: Score::DRAW,
                depth: 1,
                nodes: 2,
            })
        }
    }

    fn game(
        white: &mut Script,
        black: &mut Script,
        limit: Limit,
    ) -> (GameResult, Termination, usize) {
        let game = play(white, black, &Position::initial(), limit, &Interrupt::new()).unwrap();
        (game.result, game.termination, game.moves.len())
    }

    const NODES: Limit = Limit::Nodes(1);

    #[test]
    fn a_mate_is_a_win() {
        let white = &mut script(&["f2f3", "g2g4"]);
        let black = &mut script(&["e7e5", "d8h4"]);
        assert_eq!(
            game(white, black, NODES),
            (GameResult::BlackWins, Termination::Checkmate, 4)
        );
    }

    #[test]
    fn shuffling_is_a_draw() {
        let white = &mut script(&["g1f3", "f3g1", "g1f3", "f3g1"]);
        let black = &mut script(&["g8f6", "f6g8", "g8f6", "f6g8"]);
        assert_eq!(
            game(white, black, NODES),
            (GameResult::Draw, Termination::Repetition, 8)
        );
    }

    #[test]
    fn who_breaks_the_rules_loses() {
        let white = &mut script(&["e2e4", "e4e6"]);
        let black = &mut script(&["e7e5"]);
        assert_eq!(
            game(white, black, NODES),
            (GameResult::BlackWins, Termination::IllegalMove, 2)
        );
        let black = &mut script(&[]);
        assert_eq!(
            game(white, black, NODES),
            (GameResult::WhiteWins, Termination::NoMove, 1)
        );
    }

    #[test]
    fn who_is_late_loses() {
        let white = &mut script(&["e2e4", "d2d4"]);
        let black = &mut script(&["e7e5", "d7d5"]);
        black.pause = Duration::from_millis(20);
        let limit = Limit::Clock("0.01".parse().unwrap());
        assert_eq!(
            game(white, black, limit),
            (GameResult::WhiteWins, Termination::TimeForfeit, 1)
        );
    }

    #[test]
    fn the_increment_is_added() {
        let white = &mut script(&["f2f3", "g2g4"]);
        let black = &mut script(&["e7e5", "d8h4"]);
        black.pause = Duration::from_millis(20);
        let limit = Limit::Clock("0.03+10".parse().unwrap());
        assert_eq!(game(white, black, limit).1, Termination::Checkmate);
    }

    #[test]
    fn an_abandoned_game_has_no_result() {
        let interrupt = Interrupt::new();
        assert!(interrupt.request());
        assert!(!interrupt.request());
        let (mut white, mut black) = (script(&["e2e4"]), script(&[]));
        let start = Position::initial();
        assert_eq!(
            play(&mut white, &mut black, &start, NODES, &interrupt),
            None
        );
    }
}
