//! A UCI engine as a player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;

use super::external::{Deadlines, ExternalEngine, Restart};
use super::hosted_policy::HostedPolicy;
use super::node_excess::{NodeExcess, endless};
use super::pondering::{Pondering, expected_reply};
use super::position_command::PositionCommand;
use super::process::{Process, WaitError};
use super::search_info::SearchInfo;
use super::session::Session;
use super::traffic::Traffic;
use super::uci_line::{after, printable, quoted};
use crate::player::fault::{Fault, FaultKind};
use crate::player::turn::{ChosenMove, Player, Seat, Turn};
use crate::player::warning::{Warning, WarningKind};

/// The first `go` commands to a process follow an `isready`, which exposes an engine that sends more `bestmove`s than it
/// should. Later ones do not, because a second wake-up for every move costs time, until the engine sends an extra
/// `bestmove`.
const CHECKED_TURNS: u32 = 8;

/// An engine in a process of its own.
pub struct UciPlayer {
    engine: Arc<ExternalEngine>,
    policy: Option<HostedPolicy>,
    hash_mib: u32,
    session: Option<Session>,
    /// The lines to and from its processes.
    traffic: Arc<Traffic>,
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
            session: None,
            traffic: Arc::default(),
            pondering: None,
            commands: String::new(),
            turns: 0,
            last_answer: Vec::new(),
            sends_extra: false,
            excess: NodeExcess::default(),
            warnings: Vec::new(),
        }
    }

    /// Starts the process if it does not run, with its options and its policy, and begins a new game.
    fn begin(&mut self, stop: &AtomicBool) -> Result<(), Fault> {
        // A process that fails here is ended.
        let mut session = match self.session.take() {
            Some(session) => session,
            None => {
                self.sends_extra = false;
                self.turns = 0;
                let traffic = Arc::clone(&self.traffic);
                let mut session = Session::heard(&self.engine, traffic, stop).map_err(|error| error.fault)?;
                let set_up = session.set_up(&self.engine, self.hash_mib, self.policy.as_ref());
                set_up.map_err(|error| error.fault)?;
                session
            }
        };
        let ready = session.ready("ucinewgame\n", self.policy.as_ref(), stop);
        ready.map_err(|error| error.fault)?;
        self.session = Some(session);
        Ok(())
    }

    /// Gives up the process, which did not send `expected` within `waited`.
    fn lose(&mut self, error: WaitError, expected: &str, waited: Duration) -> Fault {
        self.pondering = None;
        match self.session.take() {
            Some(mut session) => session.failed(error, expected, waited).fault,
            None => Fault::new(FaultKind::Crash, "exited"),
        }
    }

    /// Ends a search on the opponent's time. A process that does not answer to `stop` is given up. A new one is started
    /// when it is needed.
    fn end_pondering(&mut self, stop: &AtomicBool) {
        if self.pondering.take().is_none() {
            return;
        }
        let time = self.engine.deadlines.late;
        if let Some(session) = &mut self.session
            && let Err(error) = stop_search(&mut session.process, time, stop)
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
        let Some(session) = &mut self.session else {
            return Fault::new(FaultKind::Crash, "exited");
        };
        let answered = stop_search(&mut session.process, late, turn.stop);
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
        // A running process gets them at once, without a restart.
        if let Some(session) = &mut self.session {
            for (name, value) in &options {
                session.send(&format!("setoption name {name} value {value}"));
            }
            if policy.as_ref().is_some_and(|policy| session.play(policy).is_err()) {
                // The next start of the process reports the reason.
                self.session = None;
            }
        }
        let engine = Arc::make_mut(&mut self.engine);
        for (name, value) in options {
            engine.options.retain(|(known, _)| !known.eq_ignore_ascii_case(&name));
            engine.options.push((name, value));
        }
        self.policy = policy.or(self.policy.take());
    }

    fn new_game(&mut self, seat: Seat<'_>, stop: &AtomicBool) -> Result<(), Fault> {
        self.traffic.begin(&seat);
        self.end_pondering(stop);
        self.position = PositionCommand::new(self.engine.move_list, self.engine.variant);
        if self.engine.restart == Restart::Game {
            self.session = None;
        }
        self.begin(stop)
    }

    fn choose(&mut self, turn: Turn<'_>) -> Result<ChosenMove, Fault> {
        self.position.follow(turn.game);
        let deadline = self.answer_deadline(&turn);
        let Some(Session { process, .. }) = &mut self.session else {
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
        process.drain(&mut |line| {
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
                    return Some(rest.to_vec());
                }
                extra = true;
            } else if !ready {
                ready = after(line, "readyok").is_some();
            } else if line.starts_with(b"info ") {
                info.update(line);
            }
            None
        });
        let time = process.heard().saturating_duration_since(asked);
        if extra && !self.sends_extra {
            self.sends_extra = true;
            self.warnings.push(Warning::new(
                WarningKind::ExtraAnswer,
                "sent a `bestmove` without a `go`; it is ignored",
            ));
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(WaitError::Timeout) => {
                let fault = self.overdue(&turn, asked, deadline);
                // An engine that answered late keeps its process.
                let stops = self.session.is_some();
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
            time,
        })
    }

    fn ponder(&mut self, turn: Turn<'_>) {
        let (true, true, Some(session)) = (self.engine.ponder, turn.limits.clock.is_some(), &mut self.session) else {
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
        self.pondering = Pondering::begin(&mut session.process, self.position.text(), &turn, (expected, &text));
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
