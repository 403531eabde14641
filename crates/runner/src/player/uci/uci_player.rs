//! A UCI engine as a player.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use cozy_chess::Move;
use cozy_chess::util::parse_uci_move;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;

use super::deadlines::Deadlines;
use super::external::{ExternalEngine, Restart};
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
            && let Err(error) = stop_search(&mut session.process, time, stop, &mut |_| ())
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

    /// The fault of an engine that missed its deadline. `stopped` is how it answered to `stop`, and `time` when, if it did.
    fn overdue(
        &mut self,
        stopped: Result<(), WaitError>,
        time: Duration,
        flag: Option<Duration>,
        waited: Duration,
    ) -> Fault {
        let late = self.engine.deadlines.late;
        let stalled = |rest: String| {
            let waited = waited.as_millis();
            Fault::new(
                FaultKind::Stall,
                format!("sent no `bestmove` within {waited} ms, {rest}"),
            )
        };
        match (stopped, flag) {
            (Ok(()), Some(flag)) => Fault::late(time, flag),
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

/// What an engine sends in a turn.
#[derive(Clone)]
struct TurnLines<'t> {
    game: &'t Game,
    /// The last answer that was a legal move.
    last: &'t [u8],
    /// It has answered to `isready`, or was not asked.
    ready: bool,
    /// It has sent a `bestmove` without a `go`.
    extra: bool,
    /// It has sent its last answer again.
    repeated: bool,
    info: SearchInfo,
}

impl TurnLines<'_> {
    /// What follows `bestmove`, if the line is the answer.
    fn answer(&mut self, line: &[u8]) -> Option<Vec<u8>> {
        if let Some(rest) = after(line, "bestmove") {
            self.repeated = self.ready && is_repeated(rest, self.last, self.game);
            if self.ready && !self.repeated {
                return Some(rest.to_vec());
            }
            self.extra = true;
        } else if !self.ready {
            self.ready = after(line, "readyok").is_some();
        } else if line.starts_with(b"info ") {
            self.info.update(line);
        }
        None
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
            && let Err(error) = stop_search(process, deadline, turn.stop, &mut |_| ())
        {
            return Err(self.lose(error, "`bestmove` after `stop`", deadline));
        }
        let mut lines = TurnLines {
            game: turn.game,
            last: &self.last_answer,
            ready: false,
            extra: false,
            repeated: false,
            info: SearchInfo::EMPTY,
        };
        process.drain(&mut |line| {
            lines.extra |= after(line, "bestmove").is_some();
            if is_hit && line.starts_with(b"info ") {
                lines.info.update(line);
            }
        });
        // The engine has already answered its search, so `ponderhit` would get no answer.
        is_hit &= !lines.extra;
        lines.ready = is_hit || self.turns >= CHECKED_TURNS && !self.sends_extra && !lines.extra;
        self.turns = self.turns.saturating_add(1);
        self.commands.clear();
        if is_hit {
            self.commands.push_str("ponderhit\n");
        } else {
            if !lines.ready {
                self.commands.push_str("isready\n");
            }
            self.commands.push_str(self.position.text());
            self.commands.push('\n');
            self.commands.push_str(&turn.go());
            self.commands.push('\n');
        }
        process.send(&self.commands);
        let due = asked + deadline;
        let mut answer = process.wait(due, turn.stop, &mut |line| lines.answer(line));
        let mut stopped = Ok(());
        if answer == Err(WaitError::Timeout) {
            let (mut later, mut late) = (lines.clone(), None);
            stopped = stop_search(process, self.engine.deadlines.late, turn.stop, &mut |line| {
                late = later.answer(line);
            });
            // On a busy machine an answer in time may be read late.
            if let Some(in_time) = late.filter(|_| stopped.is_ok() && process.heard() <= due) {
                (answer, lines) = (Ok(in_time), later);
            }
        }
        let time = process.heard().saturating_duration_since(asked);
        let TurnLines {
            extra, repeated, info, ..
        } = lines;
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
                let fault = self.overdue(stopped, time, turn.flag, deadline);
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

/// Sends `stop`, and waits for the `bestmove`. `see` gets every line, this one included.
fn stop_search(
    process: &mut Process,
    time: Duration,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&[u8]),
) -> Result<(), WaitError> {
    process.send("stop\n");
    process.wait(Instant::now() + time, stop, &mut |line| {
        see(line);
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

    #[test]
    #[cfg(unix)]
    fn an_answer_in_time_counts_when_it_is_read_late() {
        let script = "while read line; do case $line in uci) echo uciok;; isready) echo readyok;; esac; done";
        let mut engine = ExternalEngine::script(script);
        engine.deadlines.late = Duration::from_secs(60);
        let mut player = UciPlayer::new(Arc::new(engine), None, 1);
        let stop = AtomicBool::new(false);
        let seat = Seat {
            game: 1,
            engine: "one",
            log: None,
        };
        player.new_game(seat, &stop).unwrap();
        player.turns = CHECKED_TURNS;
        let print = player.session.as_mut().unwrap().process.faked_output();
        let traffic = Arc::clone(&player.traffic);
        let stops = || traffic.recent().iter().filter(|line| line.ends_with(" > stop")).count();
        let game = Game::new(Position::initial());
        let mut answer = |time: Instant| {
            let before = stops();
            let turn = Turn {
                game: &game,
                limits: Limits::default(),
                opponent_clock: None,
                flag: Some(Duration::from_millis(10)),
                stop: &stop,
            };
            std::thread::scope(|scope| {
                scope.spawn(|| {
                    // The player waits no longer for an answer in time.
                    while stops() == before {
                        std::thread::sleep(Duration::from_millis(1));
                    }
                    print("bestmove e2e4", time);
                });
                player.choose(turn).map(|choice| choice.mv.to_string())
            })
        };
        let now = Instant::now();
        assert_eq!(answer(now).as_deref(), Ok("e2e4"));
        let late = answer(now + Duration::from_secs(30)).map_err(|fault| fault.kind);
        assert_eq!(late, Err(FaultKind::Late));
    }
}
