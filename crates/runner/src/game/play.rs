//! One game between two players.

use std::time::{Duration, Instant};

use cozy_chess::Color;
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;

use super::adjudication::{Adjudication, Scores};
use super::limit::{Allowance, Terms};
use super::tablebases::Tablebases;
use crate::interrupt::Interrupt;
use crate::player::{ChosenMove, Fault, FaultKind, Player, Seat, Turn, go};
use crate::record::fault_log::EngineLogs;
use lmrlab_diagnostics::failure::RunFailure;
use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::written_score::WrittenScore;

/// What the games of a run have in common.
#[derive(Debug, Clone, Copy)]
pub struct Rules<'r> {
    /// The variant of chess.
    pub variant: ChessVariant,
    /// When games are ended before the rules of chess end them.
    pub adjudication: &'r Adjudication,
    /// The tables that end games, if any.
    pub tablebases: Option<&'r Tablebases>,
    /// Can abandon the games.
    pub interrupt: &'r Interrupt,
    /// When the run began.
    pub begun: Instant,
    /// The logs of the lines between lmrlab and programs.
    pub logs: &'r EngineLogs,
}

/// One side of a game.
pub struct Entry<'p> {
    /// Who plays.
    pub player: &'p mut dyn Player,
    /// What it may spend.
    pub terms: Terms,
    /// What the run calls it.
    pub name: &'p str,
}

/// A legal move, and what its player reported about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move as its player chose it.
    pub choice: ChosenMove,
    /// The move in UCI notation.
    pub uci: String,
}

/// How a player failed to answer in a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedFault {
    /// The side at fault.
    pub side: Color,
    /// What happened, as the rest of a sentence that begins with the player's name.
    pub what: String,
    /// The `go` command that was not answered properly; empty when the game had not begun.
    pub go: String,
}

/// A game that has ended.
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
    /// What a player did wrong, when that ended the game.
    pub fault: Option<PlayedFault>,
    /// Time from the beginning of the run to the beginning of the game.
    pub start: Duration,
    /// Time from the beginning of the game to its end.
    pub duration: Duration,
}

impl PlayedGame {
    /// The moves of one side.
    pub fn moves_of(&self, side: Color) -> impl Iterator<Item = &ChosenMove> {
        let skipped = usize::from(side != self.first_to_move);
        self.moves.iter().skip(skipped).step_by(2).map(|mv| &mv.choice)
    }
}

/// Plays the game with this number from `start`, White's side first. `None` when it was abandoned.
///
/// A move counts as late when its time is more than the remaining time plus the margin. The late side loses, unless the
/// opponent has a bare king: then the game is drawn (FIDE Laws of Chess, 6.9).
pub fn play(
    [white, black]: [&mut Entry<'_>; 2],
    start: &Position,
    number: u64,
    rules: Rules<'_>,
) -> Option<PlayedGame> {
    let begun = Instant::now();
    let mut table = GameInPlay {
        allowances: [Allowance::new(white.terms), Allowance::new(black.terms)],
        names: [white.name, black.name],
        players: [&mut *white.player, &mut *black.player],
        game: Game::new(start.clone()),
        moves: Vec::new(),
        number,
        rules,
    };
    let (result, termination, fault) = table.play()?;
    for player in &mut table.players {
        player.game_over(rules.interrupt.stop_flag());
    }
    Some(PlayedGame {
        first_to_move: start.side_to_move(),
        moves: table.moves,
        result,
        termination,
        fault,
        start: begun - rules.begun,
        duration: begun.elapsed(),
    })
}

/// The result of a game, why it ended, and the fault that ended it.
type End = (GameResult, Termination, Option<PlayedFault>);

/// A game that is being played. White comes first in each pair of values.
struct GameInPlay<'p> {
    players: [&'p mut dyn Player; 2],
    names: [&'p str; 2],
    allowances: [Allowance; 2],
    game: Game,
    moves: Vec<PlayedMove>,
    number: u64,
    rules: Rules<'p>,
}

impl GameInPlay<'_> {
    fn play(&mut self) -> Option<End> {
        let interrupt = self.rules.interrupt;
        for side in [Color::White, Color::Black] {
            let seat = Seat {
                game: self.number,
                engine: self.names[side as usize],
                log: self.rules.logs.traffic.as_ref(),
            };
            let ready = self.players[side as usize].new_game(seat, interrupt.stop_flag());
            if interrupt.is_abandoned() {
                return None;
            }
            match ready {
                Ok(()) => {}
                Err(fault) if fault.kind == FaultKind::Machine => {
                    interrupt.fail(RunFailure::Machine {
                        engine: "an engine".to_owned(),
                        what: fault.what,
                    });
                    return None;
                }
                Err(fault) => return self.forfeited(side, fault, String::new()),
            }
        }
        let mut scores = Scores::default();
        loop {
            let side = self.game.position().side_to_move();
            if let Some(ending) = self.game.ending() {
                return Some((GameResult::won_by(ending.winner(side)), ending.into(), None));
            }
            let known = self
                .rules
                .tablebases
                .map(|tables| tables.decision(self.game.position()));
            match known.transpose() {
                Ok(known) => {
                    let adjudicated = || scores.decision(self.rules.adjudication, self.moves.len());
                    if let Some((result, termination)) = known.flatten().or_else(adjudicated) {
                        return Some((result, termination, None));
                    }
                }
                Err(what) => {
                    interrupt.fail(RunFailure::Other(what));
                    return None;
                }
            }
            let (answer, question) = self.ask(side);
            if interrupt.is_abandoned() {
                return None;
            }
            match answer {
                Ok(score) => scores.note(self.rules.adjudication, side, score),
                Err(fault) => return self.forfeited(side, fault, question()),
            }
        }
    }

    /// Asks for a move and plays it. Also returns a function that gives the UCI `go` command.
    fn ask(&mut self, side: Color) -> (Result<WrittenScore, Fault>, impl Fn() -> String + use<>) {
        if !self.moves.is_empty() {
            // The side that has just moved may think on the opponent's time.
            let turn = turn(&self.game, &self.allowances, !side, self.rules.interrupt);
            self.players[!side as usize].ponder(turn);
        }
        let flag = self.allowances[side as usize].flag();
        let turn = Turn {
            flag,
            ..turn(&self.game, &self.allowances, side, self.rules.interrupt)
        };
        let (limits, opponent_clock) = (turn.limits.clone(), turn.opponent_clock);
        let answer = self.players[side as usize].choose(turn);
        let answer = answer.and_then(|choice| {
            if let Some(flag) = flag
                && choice.time > flag
            {
                return Err(Fault::late(choice.time, flag));
            }
            self.allowances[side as usize].spend(choice.time);
            let before = self.game.position().board().clone();
            let played = self.game.play(choice.mv);
            played.map_err(|illegal| Fault::illegal_move(&illegal.mv.to_string()))?;
            self.moves.push(PlayedMove {
                choice,
                uci: self.rules.variant.uci_move(&before, choice.mv),
            });
            Ok(choice.score)
        });
        (answer, move || go(side, &limits, opponent_clock))
    }

    /// The end after a fault. The last lines before it are written; `None` when they cannot be.
    fn forfeited(&self, side: Color, fault: Fault, go: String) -> Option<End> {
        let lines = self.players[side as usize].recent_lines();
        let place = (self.names[side as usize], self.number);
        if let Err(failure) = self.rules.logs.fault(place, &fault.what, &lines) {
            let failure = RunFailure::Other(failure.in_a_line());
            self.rules.interrupt.fail(failure);
            return None;
        }
        let is_bare = self.game.position().board().colors(!side).len() == 1;
        let termination = Termination::from(fault.kind);
        let lost = GameResult::won_by(Some(!side));
        let result = termination.result(side, is_bare).unwrap_or(lost);
        let what = fault.what;
        Some((result, termination, Some(PlayedFault { side, what, go })))
    }
}

/// A turn of this side, without a flag.
fn turn<'t>(game: &'t Game, allowances: &[Allowance; 2], side: Color, interrupt: &'t Interrupt) -> Turn<'t> {
    Turn {
        game,
        limits: allowances[side as usize].limits(),
        opponent_clock: allowances[!side as usize].clock(),
        flag: None,
        stop: interrupt.stop_flag(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::limit::{Limit, TimeLimit};
    use cozy_chess::util::parse_uci_move;
    use std::sync::atomic::AtomicBool;

    /// Plays these moves, and reports the same time for each.
    struct Script {
        moves: &'static str,
        next: usize,
        pause: Duration,
    }

    fn script(moves: &'static str, pause: u64) -> Script {
        Script {
            moves,
            next: 0,
            pause: Duration::from_millis(pause),
        }
    }

    impl Player for Script {
        fn new_game(&mut self, _: Seat<'_>, _stop: &AtomicBool) -> Result<(), Fault> {
            self.next = 0;
            Ok(())
        }

        fn choose(&mut self, turn: Turn<'_>) -> Result<ChosenMove, Fault> {
            let text = self
                .moves
                .split_whitespace()
                .nth(self.next)
                .ok_or_else(Fault::no_move)?;
            self.next += 1;
            Ok(ChosenMove {
                mv: parse_uci_move(turn.game.position().board(), text).unwrap(),
                score: WrittenScore::Centipawns(0),
                depth: 1,
                nodes: 2,
                time: self.pause,
            })
        }
    }

    fn play_from(
        start: &Position,
        [white, black]: [&mut dyn Player; 2],
        limit: Limit,
        interrupt: &Interrupt,
    ) -> Option<PlayedGame> {
        let rules = Rules {
            adjudication: &Adjudication::default(),
            tablebases: None,
            interrupt,
            variant: ChessVariant::Standard,
            begun: Instant::now(),
            logs: &EngineLogs::new(std::path::Path::new("none"), None),
        };
        let terms = Terms::new(limit);
        let name = "a player";
        let (mut white, mut black) = (
            Entry {
                player: white,
                terms,
                name,
            },
            Entry {
                player: black,
                terms,
                name,
            },
        );
        play([&mut white, &mut black], start, 1, rules)
    }

    fn clock(text: &str) -> Limit {
        let clock = TimeLimit::Clock(text.parse().unwrap());
        Limit::new(None, None, Some(clock)).unwrap()
    }

    const NODES: Limit = Limit::of_nodes(1);

    #[test]
    fn games_end_as_they_should() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        use Termination::{Checkmate, IllegalMove, NoMove, Repetition, TimeForfeit};
        const TURNS: [&str; 2] = ["g1f3 f3g1 g1f3 f3g1", "g8f6 f6g8 g8f6 f6g8"];
        for (white, black, pause, limit, expected) in [
            ("f2f3 g2g4", "e7e5 d8h4", 0, NODES, (BlackWins, Checkmate, 4)),
            (TURNS[0], TURNS[1], 0, NODES, (Draw, Repetition, 8)),
            ("e2e4 e4e6", "e7e5", 0, NODES, (BlackWins, IllegalMove, 2)),
            ("e2e4", "", 0, NODES, (WhiteWins, NoMove, 1)),
            ("e2e4", "e7e5", 20, clock("0.01"), (WhiteWins, TimeForfeit, 1)),
            // The increment is added.
            (
                "f2f3 g2g4",
                "e7e5 d8h4",
                20,
                clock("0.03+10"),
                (BlackWins, Checkmate, 4),
            ),
        ] {
            let players: [&mut dyn Player; 2] = [&mut script(white, 0), &mut script(black, pause)];
            let game = play_from(&Position::initial(), players, limit, &Interrupt::new()).unwrap();
            assert_eq!((game.result, game.termination, game.moves.len()), expected);
        }
    }

    /// A player that the machine has no resources to start.
    struct Stranded;

    impl Player for Stranded {
        fn new_game(&mut self, _: Seat<'_>, _stop: &AtomicBool) -> Result<(), Fault> {
            Err(Fault::new(
                FaultKind::Machine,
                "could not be started: too many open files",
            ))
        }

        fn choose(&mut self, _turn: Turn<'_>) -> Result<ChosenMove, Fault> {
            Err(Fault::no_move())
        }
    }

    #[test]
    fn a_failure_of_the_machine_is_no_result() {
        let interrupt = Interrupt::new();
        let players: [&mut dyn Player; 2] = [&mut script("", 0), &mut Stranded];
        let played = play_from(&Position::initial(), players, NODES, &interrupt);
        assert_eq!(played, None);
        assert!(interrupt.is_abandoned());
        let failure = interrupt.take_failure().unwrap().to_string();
        assert!(failure.contains("too many open files"), "{failure}");
        assert!(interrupt.take_failure().is_none());
    }

    #[test]
    fn an_abandoned_game_has_no_result() {
        let interrupt = Interrupt::new();
        assert!(interrupt.request());
        assert!(!interrupt.request());
        let players: [&mut dyn Player; 2] = [&mut script("e2e4", 0), &mut script("", 0)];
        assert_eq!(play_from(&Position::initial(), players, NODES, &interrupt), None);
    }

    #[test]
    fn a_flag_that_falls_against_a_bare_king_is_a_draw() {
        let late = |fen: &str| {
            let start = Position::from_fen(fen).unwrap();
            let players: [&mut dyn Player; 2] = [&mut script("a1a2", 20), &mut script("", 0)];
            let game = play_from(&start, players, clock("0.01"), &Interrupt::new());
            let game = game.unwrap();
            (game.result, game.termination)
        };
        assert_eq!(
            late("7k/8/6K1/8/8/8/8/R7 w - - 0 1"),
            (GameResult::Draw, Termination::TimeForfeit)
        );
        assert_eq!(
            late("7k/7p/6K1/8/8/8/8/R7 w - - 0 1"),
            (GameResult::BlackWins, Termination::TimeForfeit)
        );
    }

    #[test]
    fn a_fault_says_what_was_asked() {
        let players: [&mut dyn Player; 2] = [&mut script("e2e4", 0), &mut script("e7e5", 15)];
        let limit = clock("40/0.01+0.005");
        let game = play_from(&Position::initial(), players, limit, &Interrupt::new());
        let fault = game.unwrap().fault.unwrap();
        assert_eq!(fault.side, Color::Black);
        assert_eq!(fault.what, "took 15 ms and had 10 ms");
        assert_eq!(fault.go, "go wtime 15 btime 10 winc 5 binc 5 movestogo 40");
    }
}
