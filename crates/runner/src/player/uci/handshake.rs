//! The first handshake: `uci` to `uciok`, the options, `isready` to `readyok`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use lmrlab_diagnostics::Diagnostic;

use super::declared_options::DeclaredOption;
use super::external::ExternalEngine;
use super::host_lines::HostLines;
use super::hosted_policy::{HostedPolicy, Refusal};
use super::process::{Process, WaitError};
use super::settings::{check_options, commands, settings, warnings};
use super::start_failure::{not_started, not_written};
use super::uci_line::{after, quoted};
use crate::player::FaultKind;
use lmrlab_results::shell_words::shell_words;

/// The longest declarations of options that are read, in bytes of lines. Engines with tables of parameters declare
/// thousands of options; an engine that prints without end must not take all memory.
const MAX_OPTION_BYTES: usize = 16 << 20;

/// What an engine does that exceeds this: the rest of a sentence.
pub(super) const TOO_MANY_OPTIONS: &str = "declared options without end: more than 16 MiB of lines";

/// Lines that a message shows of what an engine printed last.
const SHOWN_LINES: usize = 3;

/// Why an engine cannot play: it did not get through its first handshake.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct HandshakeError {
    /// What happened, as the rest of a sentence that begins with the engine's name.
    pub what: String,
    /// Its command line, and what it printed last.
    pub details: String,
    /// Whether the machine had no files, processes or memory left for it: no fault of the engine.
    pub is_of_machine: bool,
}

/// Starts an engine, reads the options that it declares, and ends it.
///
/// # Errors
/// When it cannot be started or sends no `uciok`.
pub fn declared_options(engine: &ExternalEngine) -> Result<Vec<DeclaredOption>, HandshakeError> {
    let never = AtomicBool::new(false);
    let mut trial = Trial::start(engine)?;
    trial.uci(&never)
}

/// Starts an engine, reads which facts it fills as a host, and ends it. `None` when it says nothing of a host.
///
/// # Errors
/// As [`declared_options`].
pub fn filled_facts(engine: &ExternalEngine, stop: &AtomicBool) -> Result<Option<Vec<String>>, HandshakeError> {
    let mut trial = Trial::start(engine)?;
    trial.uci(stop)?;
    Ok(trial.host.hello.map(|hello| hello.facts))
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
) -> Result<Vec<Diagnostic>, HandshakeError> {
    let mut trial = Trial::start(engine)?;
    let declared = trial.uci(stop)?;
    check_options(engine, &declared).map_err(|what| HandshakeError {
        what,
        details: command_line(engine),
        is_of_machine: false,
    })?;
    let settings = settings(engine, hash_mib, &declared);
    trial.process.send(&commands(&settings, &declared));
    let mut warnings = warnings(name, &settings, &declared);
    if let Some(policy) = policy {
        (policy.check_hello(&declared, &trial.host)).map_err(|refusal| trial.refused(refusal))?;
        let commands = policy.commands().map_err(|error| HandshakeError {
            what: not_written(&error).what,
            details: command_line(engine),
            is_of_machine: true,
        })?;
        trial.process.send(&commands);
        warnings.extend(policy.warning(name));
    }
    trial.ready(stop)?;
    if let Some(policy) = policy {
        (policy.check_answer(&trial.host)).map_err(|refusal| trial.refused(refusal))?;
    }
    Ok(warnings)
}

/// Sends `uci`, and reads the options that the engine declares until `uciok`. `see` sees every line.
pub(super) fn handshake(
    process: &mut Process,
    engine: &ExternalEngine,
    stop: &AtomicBool,
    see: &mut dyn FnMut(&[u8]),
) -> Result<Vec<DeclaredOption>, WaitError> {
    process.send("uci\n");
    let mut declared = Vec::new();
    let mut room = MAX_OPTION_BYTES;
    let deadline = Instant::now() + engine.deadlines.start;
    process.wait(deadline, stop, &mut |line| {
        see(line);
        if let Some(option) = DeclaredOption::read(line) {
            let Some(left) = room.checked_sub(line.len()) else {
                return Some(Err(WaitError::TooManyOptions));
            };
            room = left;
            declared.push(option);
        }
        after(line, "uciok").map(|_| Ok(()))
    })??;
    Ok(declared)
}

/// A process that is started for its handshake only.
struct Trial<'t> {
    engine: &'t ExternalEngine,
    process: Process,
    /// The last lines that it printed.
    lines: Vec<Vec<u8>>,
    /// What it said as a host.
    host: HostLines,
}

impl<'t> Trial<'t> {
    fn start(engine: &'t ExternalEngine) -> Result<Self, HandshakeError> {
        match Process::start(engine, Arc::default()) {
            Ok(process) => Ok(Self {
                engine,
                process,
                lines: Vec::new(),
                host: HostLines::default(),
            }),
            Err(error) => {
                let fault = not_started(&error);
                Err(HandshakeError {
                    is_of_machine: fault.kind == FaultKind::Machine,
                    what: fault.what,
                    details: command_line(engine),
                })
            }
        }
    }

    fn uci(&mut self, stop: &AtomicBool) -> Result<Vec<DeclaredOption>, HandshakeError> {
        let (lines, host) = (&mut self.lines, &mut self.host);
        let declared = handshake(&mut self.process, self.engine, stop, &mut |line| {
            keep(lines, line);
            host.see(line);
        });
        declared.map_err(|error| {
            let time = self.engine.deadlines.start.as_millis();
            self.failed(error, &format!("`uciok` within {time} ms of its start"), "`uciok`")
        })
    }

    fn ready(&mut self, stop: &AtomicBool) -> Result<(), HandshakeError> {
        let time = self.engine.deadlines.ready;
        let (lines, host) = (&mut self.lines, &mut self.host);
        self.process.send("isready\n");
        let ready = self.process.wait(Instant::now() + time, stop, &mut |line| {
            keep(lines, line);
            host.see(line);
            after(line, "readyok").map(drop)
        });
        ready.map_err(|error| {
            let time = time.as_millis();
            self.failed(error, &format!("`readyok` within {time} ms of `isready`"), "`readyok`")
        })
    }

    /// The error of an engine that cannot play its policy as a host.
    fn refused(&self, refusal: Refusal) -> HandshakeError {
        HandshakeError {
            what: refusal.what,
            details: format!("{}\n{}", refusal.advice, command_line(self.engine)),
            is_of_machine: false,
        }
    }

    fn failed(&mut self, error: WaitError, expected: &str, answer: &str) -> HandshakeError {
        let what = match error {
            WaitError::Timeout => format!("sent no {expected}"),
            WaitError::Closed => format!("{} before it sent {answer}", self.process.end()),
            WaitError::Abandoned => format!("was stopped before it sent {answer}"),
            WaitError::TooManyOptions => TOO_MANY_OPTIONS.to_owned(),
        };
        self.process.kill();
        keep(&mut self.lines, self.process.unfinished_line());
        let details = [
            command_line(self.engine),
            printed("standard output", self.lines.iter().map(Vec::as_slice)),
            printed("standard error", self.process.last_errors(SHOWN_LINES)),
        ];
        HandshakeError {
            what,
            details: details.join("\n"),
            is_of_machine: false,
        }
    }
}

/// Stores a line that is not empty, and drops the oldest when there are too many.
fn keep(lines: &mut Vec<Vec<u8>>, line: &[u8]) {
    if line.is_empty() {
        return;
    }
    if lines.len() >= SHOWN_LINES {
        lines.remove(0);
    }
    lines.push(line[..line.len().min(400)].to_vec());
}

fn command_line(engine: &ExternalEngine) -> String {
    let mut words = vec![engine.program.display().to_string()];
    words.extend(engine.args.iter().cloned());
    format!("command line: {}", shell_words(&words))
}

fn printed<'l>(stream: &str, lines: impl Iterator<Item = &'l [u8]>) -> String {
    let lines: Vec<String> = lines.map(quoted).collect();
    if lines.is_empty() {
        format!("{stream}: nothing")
    } else {
        format!("{stream}, last lines: {}", lines.join(", "))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The options of an engine that is this shell script.
    fn declared_by(script: &str) -> Result<Vec<DeclaredOption>, HandshakeError> {
        declared_options(&ExternalEngine::script(script))
    }

    #[test]
    fn declarations_have_a_largest_size_in_sum() {
        // A line has 64,000 bytes and a few more: 250 lines are less than 16 MiB, 265 are more.
        let declare = |count: u32| {
            format!(
                "x=$(printf '%064000d' 0); i=0; while [ $i -lt {count} ]; do i=$((i+1)); \
                 echo \"option name a$i type string default $x\"; done; echo uciok; read quit"
            )
        };
        assert_eq!(declared_by(&declare(250)).expect("less than the most").len(), 250);
        let error = declared_by(&declare(265)).expect_err("more than the most");
        assert_eq!(error.what, "declared options without end: more than 16 MiB of lines");
    }
}
