//! A session with a program: it is started, names its options, gets options and a policy, and answers commands.

use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use lmrlab_diagnostics::Diagnostic;

use super::deadlines::Deadlines;
use super::declared_options::DeclaredOption;
use super::external::ExternalEngine;
use super::host_lines::{Hello, HostLines};
use super::hosted_policy::{HostedPolicy, Refusal};
use super::process::{Process, WaitError};
use super::sent_options::{check_options, commands, sent_options, warnings};
use super::traffic::{Direction, Traffic};
use super::uci_line::after;
use crate::player::fault::{Fault, FaultKind};
use lmrlab_results::shell_words::shell_words;

/// The longest declarations of options that are read, in bytes of lines. Engines with tables of parameters declare
/// thousands of options; an engine that prints without end must not take all memory.
const MAX_OPTION_BYTES: usize = 16 << 20;

/// Lines that a message shows of what a program printed last.
const SHOWN_LINES: usize = 3;

/// A program that runs and answers commands. Dropping it ends it.
pub struct Session {
    pub(super) process: Process,
    declared: Vec<DeclaredOption>,
    /// What it has said as a host.
    host: HostLines,
    /// It was sent a policy, and its answer was not checked yet.
    is_asked: bool,
    traffic: Arc<Traffic>,
    deadlines: Deadlines,
    command_line: String,
}

/// Why a program does not answer, or cannot play.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct SessionError {
    /// The same as a fault in a game.
    pub fault: Fault,
    /// What happened, as the rest of a sentence that begins with the engine's name.
    pub what: String,
    /// Its command line, and what it printed last or what would be right.
    pub details: String,
}

impl SessionError {
    /// Whether the machine had no files, processes or memory left for it: no fault of the engine.
    pub fn is_of_machine(&self) -> bool {
        self.fault.kind == FaultKind::Machine
    }

    fn new(kind: FaultKind, what: String, details: String) -> Self {
        Self {
            fault: Fault::new(kind, what.clone()),
            what,
            details,
        }
    }
}

impl Session {
    /// Starts a program and waits for its `uciok`.
    ///
    /// # Errors
    /// When it cannot be started, or sends no `uciok`.
    pub fn start(engine: &ExternalEngine, stop: &AtomicBool) -> Result<Self, SessionError> {
        Self::heard(engine, Arc::default(), stop)
    }

    /// As [`Self::start`]. `traffic` records all lines.
    pub(super) fn heard(
        engine: &ExternalEngine,
        traffic: Arc<Traffic>,
        stop: &AtomicBool,
    ) -> Result<Self, SessionError> {
        let mut words = vec![engine.program.display().to_string()];
        words.extend(engine.args.iter().cloned());
        let command_line = format!("command line: {}", shell_words(&words));
        let process = Process::start(engine, Arc::clone(&traffic)).map_err(|error| {
            let what = format!("could not be started: {error}");
            SessionError::new(why_not_started(&error), what, command_line.clone())
        })?;
        let mut session = Self {
            process,
            declared: Vec::new(),
            host: HostLines::default(),
            is_asked: false,
            traffic,
            deadlines: engine.deadlines,
            command_line,
        };
        session.process.send("uci\n");
        let (host, declared) = (&mut session.host, &mut session.declared);
        let mut room = MAX_OPTION_BYTES;
        let deadline = Instant::now() + engine.deadlines.start;
        let answer = session.process.wait(deadline, stop, &mut |line| {
            host.see(line);
            if let Some(option) = DeclaredOption::read(line) {
                let Some(left) = room.checked_sub(line.len()) else {
                    return Some(Err(WaitError::TooManyOptions));
                };
                room = left;
                declared.push(option);
            }
            after(line, "uciok").map(|_| Ok(()))
        });
        match answer.and_then(|ended| ended) {
            Ok(()) => Ok(session),
            Err(error) => Err(session.failed(error, "`uciok`", engine.deadlines.start)),
        }
    }

    /// The options that it declares.
    pub fn declared(&self) -> &[DeclaredOption] {
        &self.declared
    }

    /// What it says as a host before `uciok`.
    pub fn hello(&self) -> Option<&Hello> {
        self.host.hello.as_ref()
    }

    /// The facts that it fills as a host. `None` when it says nothing of a host.
    pub fn filled_facts(&self) -> Option<&[String]> {
        Some(&self.hello()?.facts)
    }

    /// Sends the options for games, with a hash table of `hash_mib` MiB, and a policy.
    ///
    /// # Errors
    /// When it does not play its variant, does not ponder, or is no host.
    pub fn set_up(
        &mut self,
        engine: &ExternalEngine,
        hash_mib: u32,
        policy: Option<&HostedPolicy>,
    ) -> Result<(), SessionError> {
        check_options(engine, &self.declared)
            .map_err(|what| SessionError::new(FaultKind::Crash, what, self.command_line.clone()))?;
        let options = sent_options(engine, hash_mib, &self.declared);
        self.process.send(&commands(&options, &self.declared));
        if let Some(policy) = policy {
            policy
                .check_hello(&self.declared, &self.host)
                .map_err(|refusal| self.refused(refusal))?;
            self.play(policy).map_err(|error| {
                let what = format!("gets no policy, because its temporary file cannot be written: {error}");
                SessionError::new(FaultKind::Machine, what, self.command_line.clone())
            })?;
        }
        Ok(())
    }

    /// Sends a policy; [`Self::ready`] checks the answer.
    pub(super) fn play(&mut self, policy: &HostedPolicy) -> io::Result<()> {
        self.process.send(&policy.commands()?);
        self.host.answer = None;
        self.is_asked = true;
        Ok(())
    }

    /// Sends `commands` and `isready`, and waits for `readyok`. Earlier lines are ignored, except those of a host about its
    /// policy.
    pub(super) fn ready(
        &mut self,
        commands: &str,
        policy: Option<&HostedPolicy>,
        stop: &AtomicBool,
    ) -> Result<(), SessionError> {
        let time = self.deadlines.ready;
        self.process.send(&format!("{commands}isready\n"));
        let host = &mut self.host;
        let ready = self.process.wait(Instant::now() + time, stop, &mut |line| {
            host.see(line);
            after(line, "readyok").map(drop)
        });
        ready.map_err(|error| self.failed(error, "`readyok`", time))?;
        let was_asked = std::mem::take(&mut self.is_asked);
        match policy.filter(|_| was_asked) {
            Some(policy) => policy.check_answer(&self.host).map_err(|refusal| self.refused(refusal)),
            None => Ok(()),
        }
    }

    /// Sends a command.
    pub fn send(&mut self, command: &str) {
        self.process.send(&format!("{command}\n"));
    }

    /// Waits for a line that begins with the word `answer`. `see` gets every line, this one included. The program hangs when
    /// it prints nothing for as long as `silence`.
    ///
    /// # Errors
    /// When the line does not come within `time`, or the program hangs or ends.
    pub fn wait_for(
        &mut self,
        answer: &str,
        (time, silence): (Duration, Duration),
        stop: &AtomicBool,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), SessionError> {
        let end = Instant::now() + time;
        let mut heard = Instant::now();
        loop {
            let waited = self.process.wait(end.min(heard + silence), stop, &mut |line| {
                heard = Instant::now();
                see(&String::from_utf8_lossy(line));
                after(line, answer).map(drop)
            });
            match waited {
                Ok(()) => return Ok(()),
                Err(WaitError::Timeout) if Instant::now() < end => {
                    if heard.elapsed() >= silence {
                        self.process.kill();
                        let what = format!("hangs: no line for {} s, and no `{answer}`", silence.as_secs_f64());
                        return Err(SessionError::new(FaultKind::Stall, what, self.command_line.clone()));
                    }
                }
                Err(error) => return Err(self.failed(error, &format!("`{answer}`"), time)),
            }
        }
    }

    /// Ends the program, which did not send `expected` within `time`.
    pub(super) fn failed(&mut self, error: WaitError, expected: &str, time: Duration) -> SessionError {
        let (kind, what) = match error {
            WaitError::Timeout => (
                FaultKind::Stall,
                format!("sent no {expected} within {} ms", time.as_millis()),
            ),
            WaitError::Closed => (FaultKind::Crash, self.process.end()),
            WaitError::Abandoned => (FaultKind::Stopped, "was stopped with the run".to_owned()),
            WaitError::TooManyOptions => (
                FaultKind::Stall,
                "declared options without end: more than 16 MiB of lines".to_owned(),
            ),
        };
        self.process.kill();
        let errors = self.traffic.last(Direction::Error, SHOWN_LINES);
        let details = [
            self.command_line.clone(),
            printed("standard output", &self.traffic.last(Direction::Received, SHOWN_LINES)),
            printed("standard error", &errors),
        ];
        let mut error = SessionError::new(kind, what, details.join("\n"));
        if kind == FaultKind::Crash {
            error.what += &format!(" before it sent {expected}");
            let last = errors.last();
            error.fault.what += &last.map_or_else(String::new, |last| format!(", last error line {last}"));
        }
        error
    }

    /// The error of a program that cannot play its policy as a host.
    fn refused(&self, refusal: Refusal) -> SessionError {
        let details = format!("{}\n{}", refusal.advice, self.command_line);
        SessionError::new(FaultKind::Crash, refusal.what, details)
    }
}

/// Starts the engine called `name` with a hash table of `hash_mib` MiB, sets its options and its policy, waits until it
/// is ready, and ends it. Returns warnings about its options and about what it does not take from its policy.
///
/// # Errors
/// When it cannot be started, exits, sends no `uciok` or `readyok` in time, or cannot play the policy or the variant.
pub fn try_handshake(
    name: &str,
    (engine, policy): (&ExternalEngine, Option<&HostedPolicy>),
    hash_mib: u32,
    stop: &AtomicBool,
) -> Result<Vec<Diagnostic>, SessionError> {
    let mut session = Session::start(engine, stop)?;
    session.set_up(engine, hash_mib, policy)?;
    session.ready("", policy, stop)?;
    let declared = session.declared();
    let mut warnings = warnings(name, &sent_options(engine, hash_mib, declared), declared);
    warnings.extend(policy.and_then(|policy| policy.warning(name)));
    Ok(warnings)
}

fn printed(stream: &str, lines: &[String]) -> String {
    match lines {
        [] => format!("{stream}: nothing"),
        lines => format!("{stream}, last lines: {}", lines.join(", ")),
    }
}

/// Why a program was not started: the machine has no more files, processes or memory for it, or it is no program that
/// can be started.
fn why_not_started(error: &io::Error) -> FaultKind {
    match error.kind() {
        io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => FaultKind::Machine,
        _ if is_out_of_files(error) => FaultKind::Machine,
        _ => FaultKind::Crash,
    }
}

/// Whether this process, or the system, has too many open files.
#[cfg(unix)]
fn is_out_of_files(error: &io::Error) -> bool {
    use rustix::io::Errno;
    [Errno::MFILE, Errno::NFILE]
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// Whether this process has too many open files.
#[cfg(not(unix))]
fn is_out_of_files(error: &io::Error) -> bool {
    /// `ERROR_TOO_MANY_OPEN_FILES`
    const TOO_MANY_OPEN_FILES: i32 = 4;
    error.raw_os_error() == Some(TOO_MANY_OPEN_FILES)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn started(script: &str) -> Result<Session, SessionError> {
        Session::start(&ExternalEngine::script(script), &AtomicBool::new(false))
    }

    /// The end of a search by an engine that is this shell script, when a silence of this many milliseconds is too long.
    fn searched(script: &str, silence: u64) -> Result<(), String> {
        let mut session = started(&format!("read uci; echo uciok; read ready; {script}")).unwrap();
        let times = (Duration::from_secs(60), Duration::from_millis(silence));
        session.send("isready");
        let waited = session.wait_for("bestmove", times, &AtomicBool::new(false), &mut |_| {});
        waited.map_err(|error| error.what)
    }

    #[test]
    fn an_engine_that_prints_nothing_hangs() {
        let hangs = Err("hangs: no line for 0.3 s, and no `bestmove`".to_owned());
        assert_eq!(searched("sleep 60", 300), hangs);
        assert_eq!(searched("echo info; sleep 60", 300), hangs);
        // Each silence is far below the limit, because the machine may be busy. All of them together are above it.
        let lines = "for line in 1 2 3 4 5 6 7 8; do echo info; sleep 0.2; done; echo bestmove a1a1";
        assert_eq!(searched(lines, 1500), Ok(()));
    }

    #[test]
    fn declarations_have_a_largest_size_in_sum() {
        // A line has 64,000 bytes and a few more: 250 lines are less than 16 MiB, 265 are more.
        let declared = |count: u32| {
            started(&format!(
                "x=$(printf '%064000d' 0); i=0; while [ $i -lt {count} ]; do i=$((i+1)); \
                 echo \"option name a$i type string default $x\"; done; echo uciok; read quit"
            ))
        };
        assert_eq!(declared(250).map(|session| session.declared().len()), Ok(250));
        let declared = declared(265).map(|session| session.declared().len());
        let error = declared.expect_err("more than the most");
        assert_eq!(error.what, "declared options without end: more than 16 MiB of lines");
    }

    #[test]
    fn the_machine_and_not_the_engine_is_out_of_files_and_processes() {
        use rustix::io::Errno;
        for (errno, kind) in [
            (Errno::MFILE, FaultKind::Machine),
            (Errno::NFILE, FaultKind::Machine),
            (Errno::AGAIN, FaultKind::Machine),
            (Errno::NOMEM, FaultKind::Machine),
            (Errno::NOENT, FaultKind::Crash),
            (Errno::ACCESS, FaultKind::Crash),
            (Errno::NOEXEC, FaultKind::Crash),
        ] {
            assert_eq!(why_not_started(&io::Error::from(errno)), kind, "{errno}");
        }
    }
}
