//! The process of an engine: lines in and out. Waits for its output always end.
//!
//! A thread reads its output, and another one its error output. Both end with the process. On Unix a program that reads nothing delays no
//! command. On Windows it holds up the one that its full pipe does not take.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::external::ExternalEngine;
use super::hosted_policy::HOST_OPTIONS;
use super::traffic::{Direction, Traffic};
use crate::child_group::{ChildGroup, ending};

/// The longest wait between two looks at the stop flag. A wait ends this much later than its deadline, because on a busy machine
/// the reading thread may be later than the waiting one.
const SLICE: Duration = Duration::from_millis(20);

/// Bytes of a line that are stored; the rest of a longer line is dropped. The longest useful lines, with a principal
/// variation, have a few thousand.
const MAX_LINE: u64 = 1 << 16;

/// Lines that are not looked at yet. When there are more, the engine waits, as it does when a pipe is full.
const MAX_WAITING: usize = 256;

/// How long a process may take to exit after it has closed its output.
const EXIT_TIME: Duration = Duration::from_millis(200);

/// How long the last output of an ended process may take through its pipes. Programs that it has started may hold them open.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// Why [`Process::wait`] found no line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WaitError {
    /// The deadline passed. A line that was later is the first of the next wait.
    Timeout,
    /// The engine has closed its output.
    Closed,
    /// The stop flag is set.
    Abandoned,
    /// The engine declares more options than are read.
    TooManyOptions,
}

/// A line of the output.
struct Line {
    text: Vec<u8>,
    /// When it could be read.
    time: Instant,
}

/// A running engine. Dropping it ends it and its own children.
pub(super) struct Process {
    group: ChildGroup,
    input: ChildStdin,
    /// Text that did not fit into the engine's input yet.
    outgoing: Vec<u8>,
    lines: Receiver<Line>,
    /// A line that came after the deadline of a wait.
    late: Option<Line>,
    readers: [JoinHandle<()>; 2],
    /// Whether the time of the answer counts.
    timed: Arc<AtomicBool>,
    /// When the last line that was looked at could be read.
    heard: Instant,
    traffic: Arc<Traffic>,
    quit: Duration,
    ended: bool,
}

impl Process {
    /// Starts an engine. `traffic` records the lines in both directions.
    pub(super) fn start(engine: &ExternalEngine, traffic: Arc<Traffic>) -> io::Result<Self> {
        let mut command = Command::new(&engine.program);
        // The run decides what the engine plays, not the environment of a user who develops the engine.
        for name in HOST_OPTIONS {
            command.env_remove(name);
        }
        command.args(&engine.args);
        command.envs(engine.env.iter().map(|(name, value)| (name, value)));
        if let Some(dir) = &engine.dir {
            command.current_dir(dir);
        }
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut group = ChildGroup::spawn(&mut command)?;
        let missing = || io::Error::other("a pipe is missing");
        let input = group.child.stdin.take().ok_or_else(missing)?;
        let output = group.child.stdout.take().ok_or_else(missing)?;
        let errors = group.child.stderr.take().ok_or_else(missing)?;
        #[cfg(unix)]
        rustix::io::ioctl_fionbio(&input, true)?;
        let (sender, lines) = mpsc::sync_channel(MAX_WAITING);
        let timed = Arc::new(AtomicBool::new(true));
        let output = Stamped {
            pipe: output,
            timed: Arc::clone(&timed),
            time: Instant::now(),
        };
        let heard = Arc::clone(&traffic);
        let reader = thread::Builder::new().name("output".to_owned()).spawn(move || {
            read_lines(output, |output, text, is_whole| {
                heard.add(Direction::Received, text);
                let line = Line {
                    text: text.to_vec(),
                    time: output.time,
                };
                is_whole && sender.send(line).is_ok()
            });
        });
        let heard = Arc::clone(&traffic);
        let of_errors = thread::Builder::new().name("errors".to_owned()).spawn(move || {
            read_lines(errors, |_, text, _| {
                if !text.is_empty() {
                    heard.add(Direction::Error, text);
                }
                true
            });
        });
        Ok(Self {
            group,
            input,
            outgoing: Vec::new(),
            lines,
            late: None,
            readers: [reader?, of_errors?],
            timed,
            heard: Instant::now(),
            traffic,
            quit: engine.deadlines.quit,
            ended: false,
        })
    }

    /// Sends text. [`wait`](Self::wait) sends the rest when the engine does not take all of it at once.
    pub(super) fn send(&mut self, text: &str) {
        text.lines()
            .for_each(|line| self.traffic.add(Direction::Sent, line.as_bytes()));
        self.outgoing.extend_from_slice(text.as_bytes());
        self.flush();
    }

    fn flush(&mut self) {
        while !self.outgoing.is_empty() {
            match self.input.write(&self.outgoing) {
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
    pub(super) fn measure(&self, timed: bool) {
        self.timed.store(timed, Ordering::Relaxed);
    }

    /// When the line that [`wait`](Self::wait) found could be read. The time that the reading thread then waited for a
    /// processor is left out when time counts and the system reports it: a busy machine took it, not the engine.
    pub(super) fn heard(&self) -> Instant {
        self.heard
    }

    /// Reads lines until `look` returns something. A line is in time when it could be read before the deadline, however late this
    /// thread looks at it.
    pub(super) fn wait<T>(
        &mut self,
        deadline: Instant,
        stop: &AtomicBool,
        look: &mut dyn FnMut(&[u8]) -> Option<T>,
    ) -> Result<T, WaitError> {
        loop {
            self.flush();
            // An engine may print without end.
            if stop.load(Ordering::Relaxed) {
                return Err(WaitError::Abandoned);
            }
            let left = (deadline + SLICE).saturating_duration_since(Instant::now());
            let next = match self.late.take() {
                Some(line) => Ok(line),
                None => self.lines.recv_timeout(left.min(SLICE)),
            };
            match next {
                Ok(line) if line.time > deadline => {
                    self.late = Some(line);
                    return Err(WaitError::Timeout);
                }
                Ok(line) => {
                    self.heard = line.time;
                    if let Some(found) = look(&line.text) {
                        return Ok(found);
                    }
                }
                Err(RecvTimeoutError::Timeout) if left.is_zero() => return Err(WaitError::Timeout),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(WaitError::Closed),
            }
        }
    }

    /// Looks at the output that is there already, without waiting.
    pub(super) fn drain(&mut self, look: &mut dyn FnMut(&[u8])) {
        let late = self.late.take().into_iter();
        let lines = late.chain(self.lines.try_iter().take(2 * MAX_WAITING));
        lines.for_each(|line| look(&line.text));
    }

    /// Kills a process that closed its output, and says how it ended.
    pub(super) fn end(&mut self) -> String {
        let has_exited = self.group.exits_within(EXIT_TIME);
        self.kill();
        match self.group.kill() {
            Ok(status) if has_exited => ending(status),
            _ => "closed its output without exiting".to_owned(),
        }
    }

    /// Kills the process and its own children. Its last lines are recorded.
    pub(super) fn kill(&mut self) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        let _ = self.group.kill();
        let deadline = Instant::now() + LAST_WORDS;
        while !self.readers.iter().all(JoinHandle::is_finished) && Instant::now() < deadline {
            self.drain(&mut |_| ());
            thread::sleep(Duration::from_micros(50));
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            self.send("quit\n");
            self.group.exits_within(self.quit);
            self.kill();
        }
    }
}

/// Gives each line of a pipe to `each`, trimmed, until it returns false. The last line may be incomplete, and is not whole.
fn read_lines<P: Read>(pipe: P, mut each: impl FnMut(&P, &[u8], bool) -> bool) {
    let mut pipe = BufReader::new(pipe);
    let mut line = Vec::new();
    loop {
        line.clear();
        // An error ends the output, too.
        match pipe.by_ref().take(MAX_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) if line.is_empty() => return,
            _ => {}
        }
        let is_cut = line.len() as u64 == MAX_LINE && !line.ends_with(b"\n");
        let is_whole = line.ends_with(b"\n") || is_cut && pipe.skip_until(b'\n').is_ok_and(|skipped| skipped > 0);
        if !each(pipe.get_ref(), line.trim_ascii(), is_whole) {
            return;
        }
    }
}

/// A pipe that knows when its last output could be read.
struct Stamped<P> {
    pipe: P,
    timed: Arc<AtomicBool>,
    time: Instant,
}

impl<P: Read> Read for Stamped<P> {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let before = self.timed.load(Ordering::Relaxed).then(run_delay);
        let count = self.pipe.read(room)?;
        // A sleeping thread does not wait for a processor; a woken one does.
        let delay = before.map_or(Duration::ZERO, |before| run_delay().saturating_sub(before));
        self.time = Instant::now() - delay;
        Ok(count)
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of a text, and whether each is whole.
    fn lines(text: &[u8]) -> Vec<(Vec<u8>, bool)> {
        let mut seen = Vec::new();
        read_lines(text, |_, line, is_whole| {
            seen.push((line.to_vec(), is_whole));
            true
        });
        seen
    }

    #[test]
    fn lines_have_ends_of_every_kind_and_a_greatest_length() {
        let seen = lines(b"uciok\r\n\n  readyok \nbest\xffmove");
        let whole = |text: &[u8]| (text.to_vec(), true);
        assert_eq!(seen[..3], [whole(b"uciok"), whole(b""), whole(b"readyok")]);
        assert_eq!(seen[3..], [(b"best\xffmove".to_vec(), false)]);
        let mut long = vec![b'x'; 5_000_000];
        long.extend_from_slice(b"\nbestmove e2e4\n");
        let seen = lines(&long);
        assert_eq!(seen[0].0.len() as u64, MAX_LINE);
        assert_eq!(seen[1..], [whole(b"bestmove e2e4")]);
    }

    #[cfg(unix)]
    impl Process {
        /// Replaces the output of the engine by lines with their times, which the function sends.
        pub(in super::super) fn faked_output(&mut self) -> impl Fn(&str, Instant) + use<> {
            let (lines, receiver) = mpsc::sync_channel(MAX_WAITING);
            self.lines = receiver;
            move |text, time| {
                let text = text.as_bytes().to_vec();
                lines.send(Line { text, time }).unwrap();
            }
        }
    }

    #[test]
    #[cfg(unix)]
    fn a_line_is_in_time_when_it_could_be_read_in_time() {
        let mut process = Process::start(&ExternalEngine::script("read quit"), Arc::default()).unwrap();
        let print = process.faked_output();
        let (now, second) = (Instant::now(), Duration::from_secs(1));
        let deadline = now.checked_sub(10 * second).unwrap();
        print("in time", deadline - second);
        print("late", deadline + second);
        let mut next = |deadline: Instant| {
            let look = &mut |line: &[u8]| Some(String::from_utf8_lossy(line).into_owned());
            process.wait(deadline, &AtomicBool::new(false), look)
        };
        // Both lines are read long after the deadline.
        assert_eq!(next(deadline).as_deref(), Ok("in time"));
        assert_eq!(next(deadline), Err(WaitError::Timeout));
        assert_eq!(next(now).as_deref(), Ok("late"));
        assert_eq!(next(now), Err(WaitError::Timeout));
    }

    /// More threads than processors wait for each other.
    #[test]
    #[cfg(target_os = "linux")]
    fn a_thread_knows_how_long_it_waited_for_a_processor() {
        if std::fs::metadata("/proc/thread-self/schedstat").is_err() {
            // This kernel does not report it.
            return;
        }
        let processors = thread::available_parallelism().unwrap().get();
        let busy = |_| {
            thread::spawn(|| {
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
