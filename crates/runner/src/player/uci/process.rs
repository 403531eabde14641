//! The process of an engine: a group of its own, pipes that never block, and waiting that always ends.

use std::io::{self, Read, Write};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::external::ExternalEngine;
use super::lines::Lines;
use crate::player::uci::guard::Guard;

/// A wait is cut into pieces of this length, between which the request to stop is looked at.
const SLICE: Duration = Duration::from_millis(20);

/// So much of what an engine last wrote to its error output is kept, in bytes.
const KEPT_ERRORS: usize = 512;

/// After its output has ended, a process is given so long to end as well.
const LAST_BREATH: Duration = Duration::from_millis(200);

/// Why an awaited line did not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Broken {
    /// The deadline passed.
    Timeout,
    /// The engine's output has ended.
    Closed,
    /// Nobody wants the answer any more.
    Abandoned,
}

/// A running engine. Dropping it ends the process and every other of its group.
pub(super) struct Process {
    child: Child,
    pid: Pid,
    stdin: ChildStdin,
    stdout: ChildStdout,
    stderr: Option<ChildStderr>,
    lines: Lines,
    /// What has not fitted into the engine's input yet.
    outgoing: Vec<u8>,
    errors: Vec<u8>,
    quit: Duration,
    ended: bool,
    /// Whether time counts, so that it is worth a look at what the system says of this thread.
    timed: bool,
    /// How long this thread, when it could have read what it last read, waited for a processor.
    delay: Duration,
}

impl Process {
    /// Starts an engine.
    pub(super) fn start(engine: &ExternalEngine) -> io::Result<Self> {
        let (mut command, waits) = Guard::command(&engine.program);
        command
            .args(&engine.args)
            .envs(engine.env.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .process_group(0);
        if let Some(dir) = &engine.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn()?;
        let missing = || io::Error::other("a pipe is missing");
        let mut stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take();
        rustix::io::ioctl_fionbio(&stdin, true)?;
        rustix::io::ioctl_fionbio(&stdout, true)?;
        if let Some(stderr) = &stderr {
            rustix::io::ioctl_fionbio(stderr, true)?;
        }
        let pid = Pid::from_child(&child);
        Guard::watch(pid);
        if waits {
            // A process that is gone again is noticed when its output ends.
            let _ = Guard::release(&mut stdin);
        }
        Ok(Self {
            child,
            pid,
            stdin,
            stdout,
            stderr,
            lines: Lines::new(),
            outgoing: Vec::new(),
            errors: Vec::new(),
            quit: engine.deadlines.quit,
            ended: false,
            timed: false,
            delay: Duration::ZERO,
        })
    }

    /// Sends text. What the engine does not take at once follows while its answer is awaited.
    pub(super) fn say(&mut self, text: &str) {
        self.outgoing.extend_from_slice(text.as_bytes());
        self.send();
    }

    fn send(&mut self) {
        while !self.outgoing.is_empty() {
            match self.stdin.write(&self.outgoing) {
                Ok(count) => {
                    self.outgoing.drain(..count);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => break,
                // Nobody reads; whether anybody still answers, its output will tell.
                Err(_) => self.outgoing.clear(),
            }
        }
    }

    /// Says whether the time of what comes next counts.
    pub(super) fn measure(&mut self, timed: bool) {
        self.timed = timed;
        self.delay = Duration::ZERO;
    }

    /// How long what was last read had been there before this thread was given a processor to read it on: the time that a
    /// busy machine took, and not the engine. Zero unless time counts and the system tells.
    pub(super) fn delay(&self) -> Duration {
        self.delay
    }

    /// Reads lines until `look` finds what it wants.
    pub(super) fn wait<T>(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
        look: &mut dyn FnMut(&[u8]) -> Option<T>,
    ) -> Result<T, Broken> {
        loop {
            if let Some(found) = self.lines.find(look) {
                return Ok(found);
            }
            // An engine that prints without end must not keep anyone from looking at the time.
            if stop.load(Ordering::Relaxed) {
                return Err(Broken::Abandoned);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Broken::Timeout);
            }
            self.poll(left.min(SLICE))?;
        }
    }

    /// Takes what is there already, without waiting for more; at most `pieces` of it.
    pub(super) fn drain(&mut self, pieces: usize, look: &mut dyn FnMut(&[u8])) {
        for _ in 0..pieces {
            self.lines.find::<()>(&mut |line| {
                look(line);
                None
            });
            if !matches!(self.read(), Ok(true)) {
                break;
            }
        }
    }

    /// Waits until something can be read or written, and does it.
    fn poll(&mut self, time: Duration) -> Result<(), Broken> {
        let time = Timespec {
            tv_sec: 0,
            tv_nsec: i64::from(time.subsec_nanos()),
        };
        let (readable, told, writable) = {
            let mut slots = [
                PollFd::new(&self.stdout, PollFlags::IN),
                match &self.stderr {
                    Some(stderr) => PollFd::new(stderr, PollFlags::IN),
                    None => PollFd::new(&self.stdout, PollFlags::empty()),
                },
                PollFd::new(&self.stdin, PollFlags::OUT),
            ];
            // An input that there is nothing for would be ready at once.
            let count = slots.len() - usize::from(self.outgoing.is_empty());
            let waited = self.timed.then(run_delay);
            let polled = poll(&mut slots[..count], Some(&time));
            if let Some(before) = waited {
                // While it slept this thread did not wait for a processor; when there was something to read, it did.
                self.delay = run_delay().saturating_sub(before);
            }
            match polled {
                Ok(_) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return Err(Broken::Closed),
            }
            let [readable, told, writable] = slots.map(|slot| !slot.revents().is_empty());
            (readable, told, writable)
        };
        if writable {
            self.send();
        }
        if told {
            self.read_errors();
        }
        if readable {
            self.read()?;
        }
        Ok(())
    }

    /// Reads a piece of the output; whether there was one.
    fn read(&mut self) -> Result<bool, Broken> {
        let stdout = &mut self.stdout;
        match self.lines.fill(|room| stdout.read(room)) {
            Ok(0) => Err(Broken::Closed),
            Ok(_) => Ok(true),
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted
                ) =>
            {
                Ok(false)
            }
            Err(_) => Err(Broken::Closed),
        }
    }

    /// Takes what the engine wrote to its error output, so that it does not wait for a reader, and keeps the end of it.
    fn read_errors(&mut self) {
        let mut room = [0; 4_096];
        // As much as fits into a pipe: an engine that goes on writing waits for the next time.
        for _ in 0..16 {
            let Some(stderr) = &mut self.stderr else {
                return;
            };
            match stderr.read(&mut room) {
                Ok(0) => self.stderr = None,
                Ok(count) => {
                    self.errors.extend_from_slice(&room[..count]);
                    let surplus = self.errors.len().saturating_sub(KEPT_ERRORS);
                    self.errors.drain(..surplus);
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(_) => return,
            }
        }
    }

    /// How a process whose output has ended came to its end; it is gone afterwards.
    pub(super) fn post_mortem(&mut self) -> String {
        let ended = self.ends_within(LAST_BREATH);
        self.read_errors();
        let status = self.kill();
        let mut text = match status {
            Some(status) if ended => match (status.code(), status.signal()) {
                (Some(code), _) => format!("exited with status {code}"),
                (None, Some(signal)) => format!("was killed by signal {signal}"),
                (None, None) => "ended".to_owned(),
            },
            _ => "closed its output without ending".to_owned(),
        };
        let errors = String::from_utf8_lossy(&self.errors);
        if let Some(last) = errors.lines().rev().find(|line| !line.trim().is_empty()) {
            text.push_str(&format!(", saying {}", super::quoted(last.as_bytes())));
        }
        text
    }

    /// Whether the process ends within so long. It is not collected, so that its number stays its own.
    fn ends_within(&self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut pause = Duration::from_micros(50);
        loop {
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            match waitid(WaitId::Pid(self.pid), options) {
                Ok(Some(_)) => return true,
                Ok(None) | Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
            if Instant::now() >= deadline {
                return false;
            }
            std::thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
    }

    /// Kills the whole group and collects the process.
    pub(super) fn kill(&mut self) -> Option<std::process::ExitStatus> {
        if self.ended {
            return None;
        }
        self.ended = true;
        // The process has not been collected yet, so that the number of its group can be nobody else's.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let status = self.child.wait().ok();
        Guard::forget(self.pid);
        status
    }

    /// Asks the engine to end, without waiting for it.
    pub(super) fn ask_to_quit(&mut self) {
        if !self.ended {
            self.say("quit\n");
        }
    }
}

/// How long this thread has waited for a processor since its beginning, as far as the system tells.
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
        let read = file
            .as_ref()
            .and_then(|file| file.read_at(&mut text, 0).ok());
        // Nanoseconds on a processor, nanoseconds of waiting for one, and the number of turns.
        let text = std::str::from_utf8(&text[..read.unwrap_or(0)]).unwrap_or_default();
        let waited = text
            .split_ascii_whitespace()
            .nth(1)
            .and_then(|word| word.parse().ok());
        Duration::from_nanos(waited.unwrap_or(0))
    })
}

/// Nobody tells.
#[cfg(not(target_os = "linux"))]
fn run_delay() -> Duration {
    Duration::ZERO
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            self.ask_to_quit();
            self.ends_within(self.quit);
            self.kill();
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    /// More threads than processors wait for each other, and the system tells how long.
    #[test]
    fn a_thread_knows_how_long_it_waited_for_a_processor() {
        if std::fs::metadata("/proc/thread-self/schedstat").is_err() {
            // A kernel that does not tell.
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
        let waited: Duration = threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .sum();
        assert!(waited > Duration::from_millis(50), "{waited:?}");
    }
}
