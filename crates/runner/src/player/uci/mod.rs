//! Engines that are programs of their own and speak UCI.
//!
//! Source of the protocol: Stefan Meyer-Kahlen, *Description of the universal chess interface*, 2006.
//!
//! A player has one process, which it starts when it is first needed, keeps from game to game, and starts anew after a
//! crash or a stall. Every exchange has an absolute deadline. An answer that comes after its deadline is waited for a
//! little longer and dropped; a process that does not answer even then is killed, so that no late answer can ever be
//! taken for the answer to a later question.
//!
//! Time is taken from the moment before the question is written to the moment at which the answer was there to be read.
//! On a busy machine the thread that reads it may get a processor many milliseconds later; the system tells how many
//! (`/proc/thread-self/schedstat` on Linux), and they are not counted.

pub mod external;
pub mod guard;
mod info;
mod lines;
mod position_command;
mod process;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::game::Game;

use self::external::{Deadlines, ExternalEngine, Restart};
pub use self::info::DeclaredOption;
use self::info::{Told, after, option_line};
use self::position_command::PositionCommand;
use self::process::{Broken, Process};
use super::{Choice, Fault, FaultKind, Player, Turn};

/// Pieces of output that are taken from an engine before it is asked something: more than fit into a pipe.
const LEFTOVERS: usize = 64;

/// The first so many questions to a process begin with `isready`, so that an engine that answers more often than it is
/// asked is found out whenever its answers come. After that it is trusted, because to be woken twice for every move costs
/// time, until it says something that nobody asked for.
const CHECKED_QUESTIONS: u32 = 8;

/// An engine in a process of its own.
pub struct UciPlayer {
    engine: Arc<ExternalEngine>,
    hash_mib: u32,
    process: Option<Process>,
    position: PositionCommand,
    /// A question as it is sent.
    question: String,
    /// Questions that this process has been asked.
    questions: u32,
    /// The last of the engine's answers that was a move.
    last_answer: Vec<u8>,
    /// The engine has answered something that nobody asked for. From then on each question begins with `isready`: what
    /// comes before the engine is ready is no answer to it.
    babbles: bool,
    remarks: Vec<String>,
}

impl UciPlayer {
    /// An engine that is started when it is first needed. Its options `Hash` and `Threads`, if it has them and nothing
    /// else is said about them, are set to so many MiB and to 1.
    pub fn new(engine: Arc<ExternalEngine>, hash_mib: u32) -> Self {
        Self {
            position: PositionCommand::new(engine.move_list),
            engine,
            hash_mib,
            process: None,
            question: String::new(),
            questions: 0,
            last_answer: Vec::new(),
            babbles: false,
            remarks: Vec::new(),
        }
    }

    /// Changes the values of options, from the next game on. A process that runs is told; it need not be started anew.
    pub fn set_options(&mut self, options: Vec<(String, String)>) {
        if let Some(process) = &mut self.process {
            let text = options
                .iter()
                .map(|(name, value)| format!("setoption name {name} value {value}\n"));
            process.say(&text.collect::<String>());
        }
        let engine = Arc::make_mut(&mut self.engine);
        for (name, value) in options {
            engine
                .options
                .retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            engine.options.push((name, value));
        }
    }

    /// Starts the process and tells it its options.
    fn start(&mut self, stop: &AtomicBool) -> Result<(), Fault> {
        self.babbles = false;
        self.questions = 0;
        let process = Process::start(&self.engine).map_err(|error| {
            Fault::new(FaultKind::Crash, format!("could not be started: {error}"))
        })?;
        let process = self.process.insert(process);
        process.say("uci\n");
        let mut declared = Vec::new();
        let deadline = Instant::now() + self.engine.deadlines.start;
        let known = process.wait(deadline, stop, &mut |line| {
            // A program that lists options without end is none that anybody wants to play.
            if let Some(option) = option_line(line)
                && declared.len() < 1_000
            {
                declared.push(option);
            }
            after(line, "uciok").map(drop)
        });
        if let Err(broken) = known {
            return Err(self.lost(broken, "did not say `uciok`", self.engine.deadlines.start));
        }
        let mut text = String::new();
        for (name, _) in &self.engine.options {
            let mut names = declared.iter().map(|(known, _)| known);
            if !names.any(|known| known.eq_ignore_ascii_case(name)) {
                self.remarks.push(format!(
                    "says nothing of an option `{name}`; it is set all the same"
                ));
            }
        }
        for (name, value) in self.settings(&declared) {
            text.push_str("setoption name ");
            text.push_str(&name);
            let button = declared
                .iter()
                .any(|(known, kind)| known.eq_ignore_ascii_case(&name) && kind == "button");
            if !button {
                text.push_str(" value ");
                text.push_str(&value);
            }
            text.push('\n');
        }
        if let Some(process) = &mut self.process {
            process.say(&text);
        }
        Ok(())
    }

    /// The options to send: what the user says, and before it what follows from the tournament.
    fn settings(&self, declared: &[(String, String)]) -> Vec<(String, String)> {
        let said = |name: &str| {
            let mut options = self.engine.options.iter();
            options.any(|(said, _)| said.eq_ignore_ascii_case(name))
        };
        let mut settings = Vec::new();
        for (name, value) in [("Threads", 1), ("Hash", self.hash_mib)] {
            let has = declared
                .iter()
                .find(|(known, _)| known.eq_ignore_ascii_case(name));
            if let Some((known, _)) = has
                && !said(name)
            {
                settings.push((known.clone(), value.to_string()));
            }
        }
        settings.extend(self.engine.options.iter().cloned());
        settings
    }

    /// Sends `question`, which ends with `isready`, and waits until the engine is ready. What it says before is no
    /// answer to anything that will be asked.
    fn synchronize(&mut self, question: &str, stop: &AtomicBool) -> Result<(), Fault> {
        let time = self.engine.deadlines.ready;
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        process.say(question);
        process
            .wait(Instant::now() + time, stop, &mut |line| {
                after(line, "readyok").map(drop)
            })
            .map_err(|broken| self.lost(broken, "did not say `readyok`", time))
    }

    /// The process cannot be used any more; why.
    fn lost(&mut self, broken: Broken, what: &str, waited: Duration) -> Fault {
        let fault = match (broken, &mut self.process) {
            (Broken::Closed, Some(process)) => Fault::new(FaultKind::Crash, process.post_mortem()),
            (Broken::Closed, None) => Fault::new(FaultKind::Crash, "ended"),
            (Broken::Timeout, _) => Fault::new(
                FaultKind::Stall,
                format!("{what} within {} ms", waited.as_millis()),
            ),
            (Broken::Abandoned, _) => Fault::new(FaultKind::Stall, "was not waited for"),
        };
        if let Some(mut process) = self.process.take() {
            process.kill();
        }
        fault
    }

    /// How long an answer to this question is waited for.
    fn patience(&self, turn: &Turn<'_>) -> Duration {
        let deadlines = &self.engine.deadlines;
        turn.flag.unwrap_or_else(|| {
            deadlines.answer.unwrap_or_else(|| {
                turn.limits
                    .nodes
                    .map_or(Deadlines::FOR_DEPTH, Deadlines::for_nodes)
            })
        })
    }

    /// What happens when a deadline has passed: the engine is told to stop, and waited for a little longer.
    fn overdue(&mut self, turn: &Turn<'_>, asked: Instant, patience: Duration) -> Fault {
        let late = self.engine.deadlines.late;
        let Some(process) = &mut self.process else {
            return Fault::new(FaultKind::Crash, "ended");
        };
        process.say("stop\n");
        let answered = process.wait(Instant::now() + late, turn.stop, &mut |line| {
            after(line, "bestmove").map(drop)
        });
        match (answered, turn.flag) {
            (Ok(()), Some(flag)) => Fault::new(
                FaultKind::Late,
                format!(
                    "answered after {} ms and had {} ms",
                    asked.elapsed().as_millis(),
                    flag.as_millis()
                ),
            ),
            (Ok(()), None) => Fault::new(
                FaultKind::Stall,
                format!(
                    "did not answer within {} ms, only when told to stop",
                    patience.as_millis()
                ),
            ),
            (Err(Broken::Timeout), _) => self.lost(
                Broken::Timeout,
                &format!(
                    "did not answer within {} ms, and when told to stop not",
                    patience.as_millis()
                ),
                late,
            ),
            (Err(broken), _) => self.lost(broken, "", late),
        }
    }
}

impl Player for UciPlayer {
    fn new_game(&mut self, stop: &AtomicBool) -> Result<(), Fault> {
        self.position = PositionCommand::new(self.engine.move_list);
        if self.engine.restart == Restart::Game {
            self.process = None;
        }
        if self.process.is_none() {
            self.start(stop)?;
        }
        self.synchronize("ucinewgame\nisready\n", stop)
    }

    fn choose(&mut self, turn: Turn<'_>) -> Result<Choice, Fault> {
        self.position.follow(turn.game);
        let patience = self.patience(&turn);
        let Some(process) = &mut self.process else {
            return Err(Fault::new(FaultKind::Crash, "is not running"));
        };
        let (mut unasked, mut repeated) = (false, false);
        process.drain(LEFTOVERS, &mut |line| {
            unasked |= after(line, "bestmove").is_some();
        });
        let mut ready = self.questions >= CHECKED_QUESTIONS && !self.babbles && !unasked;
        self.questions = self.questions.saturating_add(1);
        self.question.clear();
        if !ready {
            self.question.push_str("isready\n");
        }
        self.question.push_str(self.position.text());
        self.question.push('\n');
        self.question.push_str(&turn.go());
        self.question.push('\n');
        process.measure(turn.flag.is_some());
        let asked = Instant::now();
        process.say(&self.question);
        let mut told = Told::NOTHING;
        let last = &self.last_answer;
        let answer = process.wait(asked + patience, turn.stop, &mut |line| {
            if let Some(rest) = after(line, "bestmove") {
                repeated = ready && is_repeated(rest, last, turn.game);
                if ready && !repeated {
                    return Some((asked.elapsed(), rest.to_vec()));
                }
                unasked = true;
            } else if !ready {
                ready = after(line, "readyok").is_some();
            } else if line.starts_with(b"info ") {
                told.hear(line);
            }
            None
        });
        // An answer counts from when it was there, not from when a busy machine let this thread read it.
        let delay = process.delay();
        if unasked && !self.babbles {
            self.babbles = true;
            self.remarks.push(
                "said `bestmove` once more than it was asked; the last is not counted".to_owned(),
            );
        }
        let (time, answer) = match answer {
            Ok(answer) => answer,
            Err(Broken::Timeout) => {
                let fault = self.overdue(&turn, asked, patience);
                return Err(if repeated && fault.kind == FaultKind::Stall {
                    let last = quoted(&self.last_answer);
                    let what = fault.what;
                    Fault::new(
                        FaultKind::IllegalMove,
                        format!("answered {last} once more, which is no legal move, and {what}"),
                    )
                } else {
                    fault
                });
            }
            Err(broken) => return Err(self.lost(broken, "did not answer", patience)),
        };
        let mv = chosen(&answer, turn.game)?;
        self.last_answer = answer;
        Ok(Choice {
            mv,
            score: told.score,
            depth: told.depth,
            nodes: told.nodes,
            time: time.saturating_sub(delay),
        })
    }

    fn take_remarks(&mut self) -> Vec<String> {
        std::mem::take(&mut self.remarks)
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.ask_to_quit();
        }
    }
}

/// Whether an answer names the move of the one before it, and that is no legal move any more. Within a game it never is:
/// the piece has left its square, so that nobody can mean it. It is the old answer once more, from an engine that is
/// still searching.
fn is_repeated(answer: &[u8], last: &[u8], game: &Game) -> bool {
    let word = |text: &[u8]| {
        let word = text.split(u8::is_ascii_whitespace).next();
        word.unwrap_or_default().to_ascii_lowercase()
    };
    word(answer) == word(last)
        && chosen(answer, game).is_err_and(|fault| fault.kind == FaultKind::IllegalMove)
}

/// Starts an engine, asks what options it has, and ends it.
///
/// # Errors
/// When it cannot be started or does not say `uciok`.
pub fn declared_options(engine: &ExternalEngine) -> Result<Vec<DeclaredOption>, Fault> {
    let mut process = Process::start(engine)
        .map_err(|error| Fault::new(FaultKind::Crash, format!("could not be started: {error}")))?;
    process.say("uci\n");
    let mut declared = Vec::new();
    let deadline = Instant::now() + engine.deadlines.start;
    let never = AtomicBool::new(false);
    let known = process.wait(deadline, &never, &mut |line| {
        if let Some(option) = DeclaredOption::read(line)
            && declared.len() < 1_000
        {
            declared.push(option);
        }
        after(line, "uciok").map(drop)
    });
    if known.is_err() {
        process.kill();
        return Err(Fault::new(FaultKind::Stall, "did not say `uciok`"));
    }
    process.ask_to_quit();
    Ok(declared)
}

/// The move that follows the word `bestmove`.
fn chosen(answer: &[u8], game: &Game) -> Result<Move, Fault> {
    let word = answer
        .split(u8::is_ascii_whitespace)
        .next()
        .unwrap_or_default();
    if matches!(word, b"" | b"(none)" | b"0000" | b"NULL" | b"null") {
        return Err(Fault::new(
            FaultKind::NoMove,
            format!(
                "answered `bestmove` with {} although there are moves",
                quoted(word)
            ),
        ));
    }
    let board = game.position().board();
    let text = String::from_utf8_lossy(word).to_ascii_lowercase();
    parse_uci_move(board, &text)
        .ok()
        .filter(|mv| board.is_legal(*mv))
        .ok_or_else(|| {
            Fault::new(
                FaultKind::IllegalMove,
                format!("answered {}, which is no legal move", quoted(word)),
            )
        })
}

/// Some bytes of an engine as they can be shown to a person: on one line, and not too long.
fn quoted(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(&bytes[..bytes.len().min(400)]);
    let shown: String = text
        .trim()
        .chars()
        .take(100)
        .map(|c| if c.is_control() { '?' } else { c })
        .collect();
    format!("`{shown}`")
}

#[cfg(test)]
mod tests {
    use lmrlab_engine::position::Position;

    use super::*;

    #[test]
    fn answers_that_are_no_moves() {
        let game = Game::new(Position::initial());
        let kind = |answer: &[u8]| chosen(answer, &game).map_err(|fault| fault.kind);
        assert!(kind(b"e2e4 ponder e7e5").is_ok());
        assert!(kind(b"E2E4").is_ok());
        for answer in [&b""[..], b"(none)", b"0000", b"(none) ponder e2e4"] {
            assert_eq!(kind(answer), Err(FaultKind::NoMove));
        }
        for answer in [
            &b"e2e5"[..],
            b"xyzzy",
            b"e2",
            b"\xff\xfe",
            b"e7e5",
            b"e2e4q",
        ] {
            assert_eq!(kind(answer), Err(FaultKind::IllegalMove));
        }
    }
}
