//! One game between two players.

use std::time::Duration;

use cozy_chess::util::display_san_move;
use cozy_chess::{Board, Color, Move};
use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;

use super::adjudication::Scores;
use super::limit::{Allowance, Terms};
use super::rules::Rules;
use crate::interrupt::Interrupt;
use crate::player::{ChosenMove, Fault, FaultKind, Player, Seat, Turn, go};
use lmrlab_diagnostics::failure::RunFailure;
use lmrlab_results::game_end::{GameResult, Termination};
use lmrlab_results::written_score::WrittenScore;

/// One move, and what its player reported about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayedMove {
    /// The move.
    pub mv: Move,
    /// The move in UCI notation.
    pub uci: String,
    /// The move in standard algebraic notation.
    pub san: String,
    /// The player's score, from its own side.
    pub score: WrittenScore,
    /// The depth that it reached, in plies.
    pub depth: u32,
    /// The nodes that it searched.
    pub nodes: u64,
    /// The time that it took, from `go` to the answer.
    pub time: Duration,
}

impl PlayedMove {
    /// A legal move of this position in a game of this variant, as its player chose it.
    fn new(before: &Board, variant: ChessVariant, choice: ChosenMove) -> Self {
        Self {
            mv: choice.mv,
            uci: variant.uci_move(before, choice.mv),
            san: display_san_move(before, choice.mv).to_string(),
            score: choice.score,
            depth: choice.depth,
            nodes: choice.nodes,
            time: choice.time,
        }
    }
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
    /// The last lines between lmrlab and the player, if it is a program.
    pub lines: Vec<String>,
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
}

impl PlayedGame {
    /// The moves of one side.
    pub fn moves_of(&self, side: Color) -> impl Iterator<Item = &PlayedMove> {
        let skipped = usize::from(side != self.first_to_move);
        self.moves.iter().skip(skipped).step_by(2)
    }
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

impl Entry<'_> {
    /// The same side in another game.
    pub(super) fn again(&mut self) -> Entry<'_> {
        Entry {
            player: &mut *self.player,
            terms: self.terms,
            name: self.name,
        }
    }
}

/// Plays one game of this variant from `start`; `None` when it was abandoned.
///
/// A move counts as late when its time is more than the remaining time plus the margin. The late side loses, unless the
/// opponent has a bare king: then the game is drawn (FIDE Laws of Chess, 6.9).
pub fn play(white: Entry<'_>, black: Entry<'_>, start: &Position, number: u64, rules: Rules<'_>) -> Option<PlayedGame> {
    let Rules {
        adjudication,
        interrupt,
        variant,
        ..
    } = rules;
    let names = [white.name, black.name];
    let mut table = GameInPlay {
        allowances: [Allowance::new(white.terms), Allowance::new(black.terms)],
        players: [white.player, black.player],
        game: Game::new(start.clone()),
        variant,
        moves: Vec::new(),
        interrupt,
    };
    for side in [Color::White, Color::Black] {
        let seat = Seat {
            game: number,
            engine: names[side as usize],
            log: rules.logs.traffic.as_ref(),
        };
        let ready = table.players[side as usize].new_game(seat, interrupt.stop_flag());
        if interrupt.is_abandoned() {
            return None;
        }
        if let Err(fault) = ready {
            if fault.kind == FaultKind::Machine {
                interrupt.fail(RunFailure::Machine {
                    engine: "an engine".to_owned(),
                    what: fault.what,
                });
                return None;
            }
            return Some(table.forfeited(side, fault, String::new()));
        }
    }
    let mut scores = Scores::default();
    loop {
        let side = table.game.position().side_to_move();
        if let Some(ending) = table.game.ending() {
            let result = GameResult::won_by(ending.winner(side));
            return Some(table.ended(result, ending.into(), None));
        }
        match rules.tablebases.map(|tables| tables.decision(table.game.position())) {
            None | Some(Ok(None)) => {}
            Some(Ok(Some((result, termination)))) => return Some(table.ended(result, termination, None)),
            Some(Err(unreadable)) => {
                interrupt.fail(RunFailure::Other(unreadable.to_string()));
                return None;
            }
        }
        if let Some((result, termination)) = scores.decision(adjudication, table.moves.len()) {
            return Some(table.ended(result, termination, None));
        }
        let (answer, question) = table.ask(side);
        if interrupt.is_abandoned() {
            return None;
        }
        match answer {
            Ok(score) => scores.note(adjudication, side, score),
            Err(fault) => return Some(table.forfeited(side, fault, question())),
        }
    }
}

/// A game that is being played.
struct GameInPlay<'p> {
    /// White's and Black's.
    players: [&'p mut dyn Player; 2],
    allowances: [Allowance; 2],
    game: Game,
    variant: ChessVariant,
    moves: Vec<PlayedMove>,
    interrupt: &'p Interrupt,
}

impl GameInPlay<'_> {
    /// Asks for a move and plays it. Also returns a function that gives the UCI `go` command.
    fn ask(&mut self, side: Color) -> (Result<WrittenScore, Fault>, impl Fn() -> String + use<>) {
        self.let_ponder(!side);
        let allowance = &self.allowances[side as usize];
        let (limits, flag) = (allowance.limits(), allowance.flag());
        let opponent_clock = self.allowances[!side as usize].clock();
        let turn = Turn {
            game: &self.game,
            limits: limits.clone(),
            opponent_clock,
            flag,
            stop: self.interrupt.stop_flag(),
        };
        let answer = self.players[side as usize].choose(turn);
        let answer = answer.and_then(|choice| {
            if let Some(flag) = flag
                && choice.time > flag
            {
                return Err(Fault::late(choice.time, flag));
            }
            self.allowances[side as usize].spend(choice.time);
            let before = self.game.position().board().clone();
            match self.game.play(choice.mv) {
                Ok(()) => {
                    let score = choice.score;
                    self.moves.push(PlayedMove::new(&before, self.variant, choice));
                    Ok(score)
                }
                Err(illegal) => Err(Fault::illegal_move(&illegal.mv.to_string())),
            }
        });
        (answer, move || go(side, &limits, opponent_clock))
    }

    /// Lets the side that has just moved think on the opponent's time.
    fn let_ponder(&mut self, side: Color) {
        if self.moves.is_empty() {
            return;
        }
        let turn = Turn {
            game: &self.game,
            limits: self.allowances[side as usize].limits(),
            opponent_clock: self.allowances[!side as usize].clock(),
            flag: None,
            stop: self.interrupt.stop_flag(),
        };
        self.players[side as usize].ponder(turn);
    }

    /// The game after a fault.
    fn forfeited(self, side: Color, fault: Fault, go: String) -> PlayedGame {
        let board = self.game.position().board();
        let bare = board.colors(!side).len() == 1;
        let termination = Termination::from(fault.kind);
        let lost = GameResult::won_by(Some(!side));
        let result = termination.result(side, bare).unwrap_or(lost);
        let record = PlayedFault {
            side,
            what: fault.what,
            go,
            lines: self.players[side as usize].recent_lines(),
        };
        self.ended(result, termination, Some(record))
    }

    fn ended(self, result: GameResult, termination: Termination, fault: Option<PlayedFault>) -> PlayedGame {
        for player in self.players {
            player.game_over(self.interrupt.stop_flag());
        }
        PlayedGame {
            first_to_move: self.game.start().side_to_move(),
            moves: self.moves,
            result,
            termination,
            fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::adjudication::Adjudication;
    use crate::game::limit::{Limit, TimeLimit};
    use crate::record::fault_log::EngineLogs;
    use cozy_chess::util::parse_uci_move;
    use std::sync::atomic::AtomicBool;

    /// Plays a list of moves, and reports the same time for each.
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
        fn new_game(&mut self, _: Seat<'_>, _stop: &AtomicBool) -> Result<(), Fault> {
            self.next = 0;
            Ok(())
        }

        fn choose(&mut self, turn: Turn<'_>) -> Result<ChosenMove, Fault> {
            let text = self.moves.get(self.next).ok_or_else(Fault::no_move)?;
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
        white: &mut Script,
        black: &mut Script,
        limit: Limit,
        interrupt: &Interrupt,
    ) -> Option<PlayedGame> {
        let terms = Terms::new(limit);
        let [white, black] = [white, black].map(|player| Entry {
            player,
            terms,
            name: "a player",
        });
        play_by_rules(white, black, start, interrupt)
    }

    fn play_by_rules(
        white: Entry<'_>,
        black: Entry<'_>,
        start: &Position,
        interrupt: &Interrupt,
    ) -> Option<PlayedGame> {
        let rules = Rules {
            adjudication: &Adjudication::default(),
            tablebases: None,
            interrupt,
            variant: ChessVariant::Standard,
            begun: std::time::Instant::now(),
            logs: &EngineLogs::new(std::path::Path::new("none"), None),
        };
        play(white, black, start, 1, rules)
    }

    const NODES: Limit = Limit::of_nodes(1);

    #[test]
    fn games_end_as_they_should() {
        const MATED: &[&str] = &["f2f3", "g2g4"];
        const MATES: &[&str] = &["e7e5", "d8h4"];
        let clock = |text: &str| Limit::of_time(TimeLimit::Clock(text.parse().unwrap()));
        for (white, black, pause, limit, result, termination, plies) in [
            (MATED, MATES, 0, NODES, GameResult::BlackWins, Termination::Checkmate, 4),
            (
                &["g1f3", "f3g1", "g1f3", "f3g1"][..],
                &["g8f6", "f6g8", "g8f6", "f6g8"][..],
                0,
                NODES,
                GameResult::Draw,
                Termination::Repetition,
                8,
            ),
            (
                &["e2e4", "e4e6"],
                &["e7e5"],
                0,
                NODES,
                GameResult::BlackWins,
                Termination::IllegalMove,
                2,
            ),
            (&["e2e4"], &[], 0, NODES, GameResult::WhiteWins, Termination::NoMove, 1),
            (
                &["e2e4"],
                &["e7e5"],
                20,
                clock("0.01"),
                GameResult::WhiteWins,
                Termination::TimeForfeit,
                1,
            ),
            // The increment is added.
            (
                MATED,
                MATES,
                20,
                clock("0.03+10"),
                GameResult::BlackWins,
                Termination::Checkmate,
                4,
            ),
        ] {
            let (mut white, mut black) = (script(white), script(black));
            black.pause = Duration::from_millis(pause);
            let game = play_from(&Position::initial(), &mut white, &mut black, limit, &Interrupt::new()).unwrap();
            assert_eq!(
                (game.result, game.termination, game.moves.len()),
                (result, termination, plies)
            );
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
        let terms = Terms::new(NODES);
        let white = Entry {
            player: &mut script(&[]),
            terms,
            name: "a player",
        };
        let black = Entry {
            player: &mut Stranded,
            terms,
            name: "a player",
        };
        let played = play_by_rules(white, black, &Position::initial(), &interrupt);
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
        let (mut white, mut black) = (script(&["e2e4"]), script(&[]));
        let start = Position::initial();
        assert_eq!(play_from(&start, &mut white, &mut black, NODES, &interrupt), None);
    }

    #[test]
    fn a_flag_that_falls_against_a_bare_king_is_a_draw() {
        let limit = Limit::of_time(TimeLimit::Clock("0.01".parse().unwrap()));
        let late = |fen: &str| {
            let mut white = script(&["a1a2"]);
            white.pause = Duration::from_millis(20);
            let start = Position::from_fen(fen).unwrap();
            let game = play_from(&start, &mut white, &mut script(&[]), limit, &Interrupt::new());
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
        let white = &mut script(&["e2e4"]);
        let black = &mut script(&["e7e5"]);
        black.pause = Duration::from_millis(15);
        let limit = Limit::of_time(TimeLimit::Clock("40/0.01+0.005".parse().unwrap()));
        let game = play_from(&Position::initial(), white, black, limit, &Interrupt::new());
        let fault = game.unwrap().fault.unwrap();
        assert_eq!(fault.side, Color::Black);
        assert_eq!(fault.what, "took 15 ms and had 10 ms");
        assert_eq!(fault.go, "go wtime 15 btime 10 winc 5 binc 5 movestogo 40");
    }
}
