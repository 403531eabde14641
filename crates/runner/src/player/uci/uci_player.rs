//! A UCI engine as a player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;

use super::external::{Deadlines, ExternalEngine, Restart};
use super::handshake::{TOO_MANY_OPTIONS, handshake};
use super::host_lines::HostLines;
use super::hosted_policy::{HostedPolicy, Refusal};
use super::node_excess::{NodeExcess, endless};
use super::pondering::{Pondering, expected_reply};
use super::position_command::PositionCommand;
use super::process::{Process, WaitError};
use super::search_info::SearchInfo;
use super::settings::{check_options, commands, settings};
use super::start_failure::{not_started, not_written};
use super::traffic::Traffic;
use super::uci_line::{after, printable, quoted};
use crate::player::fault::{Fault, FaultKind};
use crate::player::turn::{ChosenMove, Player, Seat, Turn};
use crate::player::warning::{Warning, WarningKind};

/// Chunks of output to read before each `go`: more than fit into a pipe.
const LEFTOVER_CHUNKS: usize = 64;

/// The first `go` commands to a process follow an `isready`, which exposes an engine that sends more `bestmove`s than it
/// should. Later ones do not, because a second wake-up for every move costs time, until the engine sends an extra
/// `bestmove`.
const CHECKED_TURNS: u32 = 8;

/// An engine in a process of its own.
pub struct UciPlayer {
    engine: Arc<ExternalEngine>,
    policy: Option<HostedPolicy>,
    hash_mib: u32,
    process: Option<Process>,
    /// The lines to and from it.
    traffic: Arc<Traffic>,
    /// What the process has said as a host.
    host: HostLines,
    /// The process was sent a policy, and its answer was not read yet.
    is_asked: bool,
    position: PositionCommand,
    /// What it thinks about on the opponent's time.
    pondering: Option<Pondering>,
    /// The commands of a turn, as they are sent.
    commands: String,
    /// Turns of this process.
    turns: u32,
    /// The last answer that was a legal move.
    last_answer: Vec<u8>,
    /// The engine has sent a `bestmove` without a `go`. From then on every `go` follows an `isready`, and the player
    /// ignores any `bestmove` before `readyok`.
    sends_extra: bool,
    /// Counts searches of far more nodes than allowed.
    excess: NodeExcess,
    warnings: Vec<Warning>,
}

impl UciPlayer {
    /// An engine, with the policy that it plays as a host. Its process starts when it is first needed. It gets `Hash` and
    /// `Threads` (in MiB, and 1) if it declares them and its own options do not set them.
    pub fn new(engine: Arc<ExternalEngine>, policy: Option<HostedPolicy>, hash_mib: u32) -> Self {
        Self {
            position: PositionCommand::new(engine.move_list, engine.variant),
            engine,
            policy,
            hash_mib,
            process: None,
            traffic: Arc::default(),
            host: HostLines::default(),
            is_asked: false,
            pondering: None,
            commands: String::new(),
            turns: 0,
            last_answer: Vec::new(),
            sends_extra: false,
            excess: NodeExcess::default(),
            warnings: Vec::new(),
        }
    }

    /// Changes options from the next game on. A running process gets them at once, without a restart.
    fn set_options(&mut self, options: Vec<(String, String)>) {
        if let Some(process) = &mut self.process {
            let text = options
                .iter()
                .map(|(name, value)| format!("setoption name {name} value {value}\n"));
            process.send(&text.collect::<String>());
        }
        let engine = Arc::make_mut(&mut self.engine);
        for (name, value) in options {
            engine.options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            engine.options.push((name, value));
        }
    }

    /// Changes the policy of a host from the next game on. A running process reads it at once, without a restart.
    fn set_policy(&mut self, policy: HostedPolicy) {
        if let Some(process) = &mut self.process {
            match policy.commands() {
                Ok(commands) => {
                    process.send(&commands);
                    self.host.answer = None;
                    self.is_asked = true;
                }
                // The next start of the process reports the reason.
                Err(_) => self.process = None,
            }
        }
        self.policy = Some(policy);
    }

    /// Starts the process and sends it its options and its policy.
    fn start(&mut self, stop: &AtomicBool) -> Result<(), Fault> {
        self.sends_extra = false;
        self.pondering = None;
        self.turns = 0;
        self.host = HostLines::default();
        self.is_asked = false;
        let process = self
            .process
            .insert(Process::start(&self.engine, Arc::clone(&self.traffic)).map_err(|error| not_started(&error))?);
        let host = &mut self.host;
        let declared = handshake(process, &self.engine, stop, &mut |line| host.see(line))
            .map_err(|error| self.lose(error, "`uciok`", self.engine.deadlines.start))?;
        if let Err(what) = check_options(&self.engine, &declared) {
            self.process = None;
            return Err(Fault::new(FaultKind::Crash, what));
        }
        let settings = settings(&self.engine, self.hash_mib, &declared);
        let mut commands = commands(&settings, &declared);
        if let Some(policy) = &self.policy {
            let checked = policy.check_hello(&declared, &self.host);
            let of_policy = policy.commands();
            checked.map_err(|refusal| self.dismiss(refusal))?;
            commands += &of_policy.map_err(|error| {
                self.process = None;
                not_written(&error)
            })?;
            self.is_asked = true;
        }
        if let Some(process) = &mut self.process {
            process.send(&commands);
        }
        Ok(())
    }

    /// Ends the process, which cannot play its policy as a host.
    fn dismiss(&mut self, refusal: Refusal) -> Fault {
        self.process = None;
        Fault::new(FaultKind::Crash, refusal.what)
    }

    /// Sends `commands`, which end with `isready`, and waits for `readyok`. Earlier lines are ignored, except those of
    /// a host about its policy.
    fn synchronize(&mut self, commands: &str, stop: &AtomicBool) -> Result<(), Fault> {
        let time = self.engine.deadlines.ready;
        let Some(process) = &mut self.process else {
            return Ok(());
        };
        process.send(commands);
        let host = &mut self.host;
        process
            .wait(Instant::now() + time, stop, &mut |line| {
                host.see(line);
                after(line, "readyok").map(drop)
            })
            .map_err(|error| self.lose(error, "`readyok`", time))?;
        match &self.policy {
            Some(policy) if self.is_asked => {
                self.is_asked = false;
                policy.check_answer(&self.host).map_err(|refusal| self.dismiss(refusal))
            }
            _ => Ok(()),
        }
    }

    /// Gives up the process, which did not send `expected` within `waited`.
    fn lose(&mut self, error: WaitError, expected: &str, waited: Duration) -> Fault {
        let fault = match (error, &mut self.process) {
            (WaitError::Closed, Some(process)) => Fault::new(FaultKind::Crash, process.post_mortem()),
            (WaitError::Closed, None) => Fault::new(FaultKind::Crash, "exited"),
            (WaitError::Timeout, _) => Fault::new(
                FaultKind::Stall,
                format!("sent no {expected} within {} ms", waited.as_millis()),
            ),
            (WaitError::TooManyOptions, _) => Fault::new(FaultKind::Stall, TOO_MANY_OPTIONS),
            (WaitError::Abandoned, _) => Fault::new(FaultKind::Stall, "was stopped with the run"),
        };
        self.pondering = None;
        if let Some(mut process) = self.process.take() {
            process.take_rest();
            process.kill();
        }
        fault
    }

    /// Ends a search on the opponent's time. A process that does not answer to `stop` is given up. A new one is started
    /// when it is needed.
    fn end_pondering(&mut self, stop: &AtomicBool) {
        if self.pondering.take().is_none() {
            return;
        }
        let time = self.engine.deadlines.late;
        if let Some(process) = &mut self.process
            && let Err(error) = stop_search(process, time, stop)
        {
            self.lose(error, "`bestmove`", time);
        }
    }

    /// How long the player waits for the answer of a turn.
    fn answer_deadline(&self, turn: &Turn<'_>) -> Duration {
        let deadlines = &self.engine.deadlines;
        turn.flag.unwrap_or_else(|| {
            deadlines
                .answer
                .unwrap_or_else(|| turn.limits.nodes.map_or(Deadlines::FOR_DEPTH, Deadlines::for_nodes))
        })
    }

    /// After a missed deadline: sends `stop`, and waits a little longer.
    fn overdue(&mut self, turn: &Turn<'_>, asked: Instant, waited: Duration) -> Fault {
        let late = self.engine.deadlines.late;
        let Some(process) = &mut self.process else {
            return Fault::new(FaultKind::Crash, "exited");
        };
        let answered = stop_search(process, late, turn.stop);
        let stalled = |rest: String| {
            let waited = waited.as_millis();
            Fault::new(
                FaultKind::Stall,
                format!("sent no `bestmove` within {waited} ms, {rest}"),
            )
        };
        match (answered, turn.flag) {
            (Ok(()), Some(flag)) => Fault::late(asked.elapsed(), flag),
            (Ok(()), None) => stalled("only after `stop`".to_owned()),
            (Err(error), _) => {
                let fault = self.lose(error, "`bestmove`", late);
                match error {
                    WaitError::Timeout => stalled(format!("nor within {} ms after `stop`", late.as_millis())),
                    WaitError::Closed | WaitError::Abandoned | WaitError::TooManyOptions => fault,
                }
            }
        }
    }
}

impl Player for UciPlayer {
    fn change(&mut self, options: Vec<(String, String)>, policy: Option<HostedPolicy>) {
        self.set_options(options);
        policy.into_iter().for_each(|policy| self.set_policy(policy));
    }

    fn new_game(&mut self, seat: Seat<'_>, stop: &AtomicBool) -> Result<(), Fault> {
        self.traffic.begin(&seat);
        self.end_pondering(stop);
        self.position = PositionCommand::new(self.engine.move_list, self.engine.variant);
        if self.engine.restart == Restart::Game {
            self.process = None;
        }
        if self.process.is_none() {
            self.start(stop)?;
        }
        self.synchronize("ucinewgame\nisready\n", stop)
    }

    fn choose(&mut self, turn: Turn<'_>) -> Result<ChosenMove, Fault> {
        self.position.follow(turn.game);
        let deadline = self.answer_deadline(&turn);
        let Some(process) = &mut self.process else {
            return Err(Fault::new(FaultKind::Crash, "is not running"));
        };
        process.measure(turn.flag.is_some());
        // The time begins with the opponent's move.
        let asked = Instant::now();
        let pondering = self.pondering.take();
        let mut is_hit = pondering.is_some_and(|pondering| pondering.is_hit(turn.game));
        if pondering.is_some()
            && !is_hit
            && let Err(error) = stop_search(process, deadline, turn.stop)
        {
            return Err(self.lose(error, "`bestmove` after `stop`", deadline));
        }
        let mut info = SearchInfo::EMPTY;
        let (mut extra, mut repeated) = (false, false);
        process.drain(LEFTOVER_CHUNKS, &mut |line| {
            extra |= after(line, "bestmove").is_some();
            if is_hit && line.starts_with(b"info ") {
                info.update(line);
            }
        });
        // The engine has already answered its search, so `ponderhit` would get no answer.
        is_hit &= !extra;
        let mut ready = is_hit || self.turns >= CHECKED_TURNS && !self.sends_extra && !extra;
        self.turns = self.turns.saturating_add(1);
        self.commands.clear();
        if is_hit {
            self.commands.push_str("ponderhit\n");
        } else {
            if !ready {
                self.commands.push_str("isready\n");
            }
            self.commands.push_str(self.position.text());
            self.commands.push('\n');
            self.commands.push_str(&turn.go());
            self.commands.push('\n');
        }
        process.send(&self.commands);
        let last = &self.last_answer;
        let answer = process.wait(asked + deadline, turn.stop, &mut |line| {
            if let Some(rest) = after(line, "bestmove") {
                repeated = ready && is_repeated(rest, last, turn.game);
                if ready && !repeated {
                    return Some((asked.elapsed(), rest.to_vec()));
                }
                extra = true;
            } else if !ready {
                ready = after(line, "readyok").is_some();
            } else if line.starts_with(b"info ") {
                info.update(line);
            }
            None
        });
        // On a busy machine this thread may read an answer late.
        let delay = process.delay();
        if extra && !self.sends_extra {
            self.sends_extra = true;
            self.warnings.push(Warning::new(
                WarningKind::ExtraAnswer,
                "sent a `bestmove` without a `go`; it is ignored",
            ));
        }
        let (time, answer) = match answer {
            Ok(answer) => answer,
            Err(WaitError::Timeout) => {
                let fault = self.overdue(&turn, asked, deadline);
                // An engine that answered late keeps its process.
                let stops = self.process.is_some();
                self.warnings.extend(endless(turn.limits.nodes, info.nodes, stops));
                return Err(if repeated && fault.kind == FaultKind::Stall {
                    let last = quoted(&self.last_answer);
                    Fault::new(
                        FaultKind::IllegalMove,
                        format!("repeated its last move {last}, now illegal, and then {}", fault.what),
                    )
                } else {
                    fault
                });
            }
            Err(error) => return Err(self.lose(error, "`bestmove`", deadline)),
        };
        let mv = chosen(&answer, turn.game).inspect_err(|fault| {
            if fault.kind == FaultKind::NoMove {
                let warning = format!("{}; {}", fault.what, more_to_spend(&turn.limits));
                self.warnings.push(Warning::new(WarningKind::NoMove, warning));
            }
        })?;
        self.last_answer = answer;
        self.warnings.extend(self.excess.count(turn.limits.nodes, info.nodes));
        Ok(ChosenMove {
            mv,
            score: info.score,
            depth: info.depth,
            nodes: info.nodes,
            time: time.saturating_sub(delay),
        })
    }

    fn ponder(&mut self, turn: Turn<'_>) {
        let (true, true, Some(process)) = (self.engine.ponder, turn.limits.clock.is_some(), &mut self.process) else {
            return;
        };
        let Some(word) = expected_reply(&self.last_answer) else {
            return;
        };
        let Ok(expected) = chosen(word, turn.game) else {
            return;
        };
        self.position.follow(turn.game);
        let text = self.engine.variant.uci_move(turn.game.position().board(), expected);
        self.pondering = Pondering::begin(process, self.position.text(), &turn, (expected, &text));
    }

    fn game_over(&mut self, stop: &AtomicBool) {
        self.end_pondering(stop);
    }

    fn recent_lines(&self) -> Vec<String> {
        self.traffic.recent()
    }

    fn take_warnings(&mut self) -> Vec<Warning> {
        std::mem::take(&mut self.warnings)
    }
}

impl Drop for UciPlayer {
    fn drop(&mut self) {
        if let Some(process) = &mut self.process {
            process.ask_to_quit();
        }
    }
}

/// Sends `stop`, and waits for the `bestmove`, which does not count.
fn stop_search(process: &mut Process, time: Duration, stop: &AtomicBool) -> Result<(), WaitError> {
    process.send("stop\n");
    process.wait(Instant::now() + time, stop, &mut |line| {
        after(line, "bestmove").map(drop)
    })
}

/// Whether an answer repeats the last one, which is now illegal. That is the old answer sent again, while the engine
/// still searches: no engine means it, because within a game the piece has left its square.
fn is_repeated(answer: &[u8], last: &[u8], game: &Game) -> bool {
    let word = |text: &[u8]| {
        let word = text.split(u8::is_ascii_whitespace).next();
        word.unwrap_or_default().to_ascii_lowercase()
    };
    word(answer) == word(last) && chosen(answer, game).is_err_and(|fault| fault.kind == FaultKind::IllegalMove)
}

/// Advice for an engine that finds no move within its limit.
fn more_to_spend(limits: &Limits) -> String {
    match (limits.nodes, limits.depth) {
        (Some(nodes), _) => format!("it may need more than {nodes} nodes, or a limit of depth or time"),
        (None, Some(depth)) => format!("it may need more than depth {depth}, or a limit of time"),
        (None, None) => "it may need more time".to_owned(),
    }
}

/// The move after `bestmove`.
fn chosen(answer: &[u8], game: &Game) -> Result<Move, Fault> {
    let word = answer.split(u8::is_ascii_whitespace).next().unwrap_or_default();
    if matches!(word, b"" | b"(none)" | b"0000" | b"NULL" | b"null") {
        let what = if word.is_empty() {
            "without a move".to_owned()
        } else {
            format!("with {}", quoted(word))
        };
        return Err(Fault::new(
            FaultKind::NoMove,
            format!("sent `bestmove` {what} although it has legal moves"),
        ));
    }
    let board = game.position().board();
    let text = String::from_utf8_lossy(word).to_ascii_lowercase();
    parse_uci_move(board, &text)
        .ok()
        .filter(|mv| board.is_legal(*mv))
        .ok_or_else(|| Fault::illegal_move(&printable(word)))
}

#[cfg(test)]
mod tests {
    use lmrlab_engine::position::Position;

    use super::*;

    #[test]
    fn castling_is_the_king_that_takes_its_rook() {
        let game = Game::new(Position::from_fen("5k2/8/8/8/8/8/8/5K1R w H - 0 1").unwrap());
        for mv in ["f1h1", "f1g1"] {
            assert_eq!(chosen(mv.as_bytes(), &game).unwrap().to_string(), mv);
        }
        assert_eq!(chosen(b"f1c1", &game).unwrap_err().kind, FaultKind::IllegalMove);
    }

    #[test]
    fn answers_that_are_no_moves() {
        let game = Game::new(Position::initial());
        let kind = |answer: &[u8]| chosen(answer, &game).map_err(|fault| fault.kind);
        assert!(kind(b"e2e4 ponder e7e5").is_ok());
        assert!(kind(b"E2E4").is_ok());
        for answer in [&b""[..], b"(none)", b"0000", b"(none) ponder e2e4"] {
            assert_eq!(kind(answer), Err(FaultKind::NoMove));
        }
        for answer in [&b"e2e5"[..], b"xyzzy", b"e2", b"\xff\xfe", b"e7e5", b"e2e4q"] {
            assert_eq!(kind(answer), Err(FaultKind::IllegalMove));
        }
    }
}
