//! A conversation with an engine outside of games: commands out, lines in.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use super::declared_options::DeclaredOption;
use super::external::ExternalEngine;
use super::handshake::{TOO_MANY_OPTIONS, handshake};
use super::process::{Process, WaitError};
use super::settings::{commands, settings};
use super::start_failure::not_started;
use super::uci_line::after;
use crate::player::FaultKind;

/// An engine that runs, and answers commands. Dropping it ends it.
pub struct Conversation {
    process: Process,
    declared: Vec<DeclaredOption>,
}

/// Why a conversation has ended.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ConversationError {
    /// The engine does not do what it has to: the rest of a sentence that begins with its name.
    #[error("{0}")]
    Engine(String),
    /// The machine has no files, processes or memory left to start it.
    #[error("{0}")]
    Machine(String),
    /// The stop flag is set.
    #[error("was stopped")]
    Stopped,
}

impl Conversation {
    /// Starts an engine and waits for its `uciok`. Then sets the same options as for games, with a hash table of
    /// `hash_mib` MiB. `see` gets every line before `uciok`.
    ///
    /// # Errors
    /// When it cannot be started, or sends no `uciok`.
    pub fn start(
        engine: &ExternalEngine,
        hash_mib: u32,
        stop: &AtomicBool,
        see: &mut dyn FnMut(&str),
    ) -> Result<Self, ConversationError> {
        let mut process = Process::start(engine, Arc::default()).map_err(|error| {
            let fault = not_started(&error);
            match fault.kind {
                FaultKind::Machine => ConversationError::Machine(fault.what),
                _ => ConversationError::Engine(fault.what),
            }
        })?;
        let shaken = handshake(&mut process, engine, stop, &mut |line| {
            see(&String::from_utf8_lossy(line));
        });
        let declared = shaken.map_err(|error| failed(&mut process, error, "uciok", engine.deadlines.start))?;
        process.send(&commands(&settings(engine, hash_mib, &declared), &declared));
        Ok(Self { process, declared })
    }

    /// The options that the engine declares.
    pub fn declared(&self) -> &[DeclaredOption] {
        &self.declared
    }

    /// Sends a command.
    pub fn send(&mut self, command: &str) {
        self.process.send(&format!("{command}\n"));
    }

    /// Waits for a line that begins with the word `answer`. `see` gets every line, this one included.
    ///
    /// # Errors
    /// When it does not come within `time`, or the engine ends.
    pub fn wait(
        &mut self,
        answer: &str,
        time: Duration,
        stop: &AtomicBool,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), ConversationError> {
        self.wait_for(answer, time, time, stop, see)
    }

    /// As [`Self::wait`]. The engine hangs when it prints nothing for as long as `silence`.
    ///
    /// # Errors
    /// As [`Self::wait`], and when the engine hangs.
    pub fn wait_for(
        &mut self,
        answer: &str,
        time: Duration,
        silence: Duration,
        stop: &AtomicBool,
        see: &mut dyn FnMut(&str),
    ) -> Result<(), ConversationError> {
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
                        return Err(ConversationError::Engine(what));
                    }
                }
                Err(error) => return Err(failed(&mut self.process, error, answer, time)),
            }
        }
    }
}

/// Ends the process after a wait without an answer.
fn failed(process: &mut Process, error: WaitError, answer: &str, time: Duration) -> ConversationError {
    let what = match error {
        WaitError::Abandoned => {
            process.kill();
            return ConversationError::Stopped;
        }
        WaitError::Timeout => format!("sent no `{answer}` within {} ms", time.as_millis()),
        WaitError::Closed => format!("{} before it sent `{answer}`", process.post_mortem()),
        WaitError::TooManyOptions => TOO_MANY_OPTIONS.to_owned(),
    };
    process.kill();
    ConversationError::Engine(what)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// The end of a search by an engine that is this shell script, when a silence of this many milliseconds is too long.
    fn searched(script: &str, silence: u64) -> Result<(), ConversationError> {
        let stop = AtomicBool::new(false);
        let engine = ExternalEngine::script(&format!("read uci; echo uciok; read ready; {script}"));
        let mut conversation = Conversation::start(&engine, 1, &stop, &mut |_| {})?;
        let (time, silence) = (Duration::from_secs(60), Duration::from_millis(silence));
        conversation.send("isready");
        conversation.wait_for("bestmove", time, silence, &stop, &mut |_| {})
    }

    #[test]
    fn an_engine_that_prints_nothing_hangs() {
        let hangs = ConversationError::Engine("hangs: no line for 0.3 s, and no `bestmove`".to_owned());
        assert_eq!(searched("sleep 60", 300).unwrap_err(), hangs);
        assert_eq!(searched("echo info; sleep 60", 300).unwrap_err(), hangs);
        // Each silence is far below the limit, because the machine may be busy. All of them together are above it.
        let lines = "for line in 1 2 3 4 5 6 7 8; do echo info; sleep 0.5; done; echo bestmove a1a1";
        assert_eq!(searched(lines, 3000), Ok(()));
    }
}
