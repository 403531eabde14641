//! The process of an engine: lines in and out, and waits that always end.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::child::{EngineChild, ending};
use super::external::ExternalEngine;
use super::hosted_policy::HOST_OPTIONS;
use super::line_reader::LineReader;
use super::traffic::Traffic;

/// The longest wait between two looks at the stop flag.
const SLICE: Duration = Duration::from_millis(20);

/// Bytes that are stored of the end of the engine's error output.
const KEPT_ERRORS: usize = 512;

/// How long a process may take to exit after it has closed its output.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// Why [`Process::wait`] found no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitError {
    /// The deadline passed.
    Timeout,
    /// The engine has closed its output.
    Closed,
    /// The stop flag is set.
    Abandoned,
    /// The engine declares more options than are read.
    TooManyOptions,
}

/// Which pipes of a process are ready, or have ended.
pub(super) struct Ready {
    pub(super) output: bool,
    pub(super) errors: bool,
    pub(super) input: bool,
}

/// A running engine. Dropping it ends it and its own children.
pub(super) struct Process {
    child: EngineChild,
    lines: LineReader,
    /// Text that did not fit into the engine's input yet.
    outgoing: Vec<u8>,
    errors: Vec<u8>,
    traffic: Arc<Traffic>,
    quit: Duration,
    ended: bool,
    /// Whether the time of the answer counts.
    timed: bool,
    /// How long this thread waited for a processor before its last read.
    delay: Duration,
}

impl Process {
    /// Starts an engine. `traffic` records the lines in both directions.
    pub(super) fn start(engine: &ExternalEngine, traffic: Arc<Traffic>) -> io::Result<Self> {
        let child = EngineChild::start(&engine.program, |command| {
            // The run decides what the engine plays, not the environment of a user who develops the engine.
            for name in HOST_OPTIONS {
                command.env_remove(name);
            }
            command
                .args(&engine.args)
                .envs(engine.env.iter().map(|(name, value)| (name, value)));
            if let Some(dir) = &engine.dir {
                command.current_dir(dir);
            }
        })?;
        Ok(Self {
            child,
            lines: LineReader::new(),
            outgoing: Vec::new(),
            errors: Vec::new(),
            traffic,
            quit: engine.deadlines.quit,
            ended: false,
            timed: false,
            delay: Duration::ZERO,
        })
    }

    /// Sends text. [`wait`](Self::wait) sends the rest when the engine does not take all of it at once.
    pub(super) fn send(&mut self, text: &str) {
        self.traffic.sent(text);
        self.outgoing.extend_from_slice(text.as_bytes());
        self.flush();
    }

    fn flush(&mut self) {
        while !self.outgoing.is_empty() {
            match self.child.write(&self.outgoing) {
                Ok(count) => {
                    self.outgoing.drain(..count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // The engine has closed its input. Its output will show whether it still runs.
                Err(_) => self.outgoing.clear(),
            }
        }
    }

    /// Sets whether the time of the next answer counts.
    pub(super) fn measure(&mut self, timed: bool) {
        self.timed = timed;
        self.delay = Duration::ZERO;
    }

    /// How long the last output was there before this thread got a processor to read it: time that a busy machine took,
    /// not the engine. Zero unless time counts and the system reports it.
    pub(super) fn delay(&self) -> Duration {
        self.delay
    }

    /// Reads lines until `look` returns something.
    pub(super) fn wait<T>(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
        look: &mut dyn FnMut(&[u8]) -> Option<T>,
    ) -> Result<T, WaitError> {
        loop {
            let traffic = &self.traffic;
            let found = self.lines.find(&mut |line| {
                traffic.add_received(line);
                look(line)
            });
            if let Some(found) = found {
                return Ok(found);
            }
            // These checks come first: an engine may print without end.
            if stop.load(Ordering::Relaxed) {
                return Err(WaitError::Abandoned);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(WaitError::Timeout);
            }
            self.poll(left.min(SLICE))?;
        }
    }

    /// Reads output that is there already, at most `chunks` reads, without waiting.
    pub(super) fn drain(&mut self, chunks: usize, look: &mut dyn FnMut(&[u8])) {
        for _ in 0..chunks {
            let traffic = &self.traffic;
            self.lines.find::<()>(&mut |line| {
                traffic.add_received(line);
                look(line);
                None
            });
            if !matches!(self.read(), Ok(true)) {
                break;
            }
        }
    }

    /// Waits until something can be read or written, then reads and writes.
    fn poll(&mut self, time: Duration) -> Result<(), WaitError> {
        let waited = self.timed.then(run_delay);
        let polled = self.child.poll(!self.outgoing.is_empty(), time);
        if let Some(before) = waited {
            // A sleeping thread does not wait for a processor; a woken one does.
            self.delay = run_delay().saturating_sub(before);
        }
        let ready = polled.map_err(|_| WaitError::Closed)?;
        if ready.input {
            self.flush();
        }
        if ready.errors {
            self.read_errors();
        }
        if ready.output {
            self.read()?;
        }
        Ok(())
    }

    /// Reads once; returns whether there was output.
    fn read(&mut self) -> Result<bool, WaitError> {
        let child = &mut self.child;
        match self.lines.fill(|room| child.read(room)) {
            Ok(0) => Err(WaitError::Closed),
            Ok(_) => Ok(true),
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => Ok(false),
            Err(_) => Err(WaitError::Closed),
        }
    }

    /// Empties the error output, so that the engine never blocks on it, and keeps the end.
    fn read_errors(&mut self) {
        let mut room = [0; 4_096];
        // As much as a pipe holds. An engine that writes more waits for the next call.
        for _ in 0..16 {
            match self.child.read_errors(&mut room) {
                Ok(0) => return,
                Ok(count) => {
                    self.traffic.error_output(&room[..count]);
                    self.errors.extend_from_slice(&room[..count]);
                    let surplus = self.errors.len().saturating_sub(KEPT_ERRORS);
                    self.errors.drain(..surplus);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// Kills a process that closed its output, and says how it ended.
    pub(super) fn end(&mut self) -> String {
        let ended = self.child.ends_within(EXIT_TIME);
        self.read_errors();
        match self.kill() {
            Some(status) if ended => ending(status),
            _ => "closed its output without exiting".to_owned(),
        }
    }

    /// The last lines of the error output, without empty ones, at most `count`.
    pub(super) fn last_errors(&self, count: usize) -> impl Iterator<Item = &[u8]> {
        let is_text = |line: &&[u8]| !line.trim_ascii().is_empty();
        let lines = || self.errors.split(|byte| *byte == b'\n').filter(is_text);
        lines().skip(lines().count().saturating_sub(count))
    }

    /// Takes the error output that is there, and lines that have not ended, before the process is killed.
    pub(super) fn take_rest(&mut self) {
        self.read_errors();
        self.traffic.ended(self.lines.partial());
    }

    /// Kills the process and its own children.
    pub(super) fn kill(&mut self) -> Option<std::process::ExitStatus> {
        if self.ended {
            return None;
        }
        self.ended = true;
        self.child.kill()
    }
}

/// How long this thread has waited for a processor so far; zero if the system does not report it.
#[cfg(target_os = "linux")]
fn run_delay() -> Duration {
    use std::cell::OnceCell;
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    thread_local! {
        static STATISTICS: OnceCell<Option<File>> = const { OnceCell::new() };
    }
    STATISTICS.with(|file| {
        let file = file.get_or_init(|| File::open("/proc/thread-self/schedstat").ok());
        let mut text = [0; 96];
        let read = file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok());
        // Nanoseconds on a processor, nanoseconds of waiting for one, number of time slices.
        let text = std::str::from_utf8(&text[..read.unwrap_or(0)]).unwrap_or_default();
        let waited = text.split_ascii_whitespace().nth(1).and_then(|word| word.parse().ok());
        Duration::from_nanos(waited.unwrap_or(0))
    })
}

/// This system does not report it.
#[cfg(not(target_os = "linux"))]
fn run_delay() -> Duration {
    Duration::ZERO
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            self.send("quit\n");
            self.child.ends_within(self.quit);
            self.take_rest();
            self.kill();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// More threads than processors wait for each other.
    #[test]
    fn a_thread_knows_how_long_it_waited_for_a_processor() {
        if std::fs::metadata("/proc/thread-self/schedstat").is_err() {
            // This kernel does not report it.
            return;
        }
        let processors = std::thread::available_parallelism().unwrap().get();
        let busy = |_| {
            std::thread::spawn(|| {
                let (begun, before) = (Instant::now(), run_delay());
                let mut spins = 0_u64;
                while begun.elapsed() < Duration::from_millis(200) {
                    spins = std::hint::black_box(spins + 1);
                }
                let waited = run_delay().saturating_sub(before);
                assert!(waited <= begun.elapsed() + Duration::from_millis(1));
                waited
            })
        };
        let threads: Vec<_> = (0..3 * processors).map(busy).collect();
        let waited: Duration = threads.into_iter().map(|thread| thread.join().unwrap()).sum();
        assert!(waited > Duration::from_millis(50), "{waited:?}");
    }
}
