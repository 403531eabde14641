//! An engine's process on Windows: a job object holds it and its children, and threads wait for its pipes.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::os::windows::io::AsRawHandle;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use win32job::Job;

use super::guard::{Guard, deadly_job};
use super::process::Ready;

/// Bytes of one read from a pipe.
const CHUNK: usize = 1 << 14;

/// Chunks that are not read yet. When there are more, the engine waits, as it does when a pipe is full.
const MAX_WAITING: usize = 16;

/// Bytes of the end of the error output that are stored.
const KEPT_ERRORS: usize = 1 << 12;

/// How long the last output of an ended process may take through its pipes.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// What came through a pipe.
enum News {
    Output(Vec<u8>),
    Errors(Vec<u8>),
    OutputEnds,
}

/// A process with its pipes. [`EngineChild::kill`] ends it with its own children.
pub(super) struct EngineChild {
    child: Child,
    /// Closing it kills the processes in it.
    job: Option<Job>,
    input: Sender<Vec<u8>>,
    news: Receiver<News>,
    output: VecDeque<u8>,
    output_ends: bool,
    /// The end of the error output.
    errors: VecDeque<u8>,
}

impl EngineChild {
    /// Starts `program` with what `configure` adds to the command.
    pub(super) fn start(program: &Path, configure: impl FnOnce(&mut Command)) -> io::Result<Self> {
        let job = deadly_job()?;
        let mut child = Guard::spawn(program, |command| {
            configure(command);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        })?;
        // A process that is already gone cannot join. Its closed output shows that it is gone.
        let _ = job.assign_process(child.as_raw_handle() as isize);
        let missing = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take().ok_or_else(missing)?;
        let (tell, news) = mpsc::sync_channel(MAX_WAITING);
        let tell_errors = tell.clone();
        thread::spawn(move || {
            forward(stdout, &tell, News::Output);
            let _ = tell.send(News::OutputEnds);
        });
        thread::spawn(move || forward(stderr, &tell_errors, News::Errors));
        let (input, outgoing) = mpsc::channel();
        thread::spawn(move || write_all(stdin, &outgoing));
        Ok(Self {
            child,
            job: Some(job),
            input,
            news,
            output: VecDeque::new(),
            output_ends: false,
            errors: VecDeque::new(),
        })
    }

    /// Hands bytes for its input to the thread that waits until the process takes them.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let sent = self.input.send(bytes.to_vec());
        sent.map_err(|_| io::ErrorKind::BrokenPipe)?;
        Ok(bytes.len())
    }

    /// Reads its output without waiting; 0 bytes at its end.
    pub(super) fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.output.is_empty() {
            self.take_news();
        }
        if self.output.is_empty() && !self.output_ends {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.output.read(room)
    }

    /// Reads its error output without waiting.
    pub(super) fn read_errors(&mut self, room: &mut [u8]) -> io::Result<usize> {
        if self.errors.is_empty() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        self.errors.read(room)
    }

    /// Waits at most `time` until there is something to read.
    pub(super) fn poll(&mut self, _to_write: bool, time: Duration) -> io::Result<Ready> {
        if self.output.is_empty() && self.errors.is_empty() && !self.output_ends {
            match self.news.recv_timeout(time) {
                Ok(news) => self.keep(news),
                // Its own children may hold its output open.
                Err(RecvTimeoutError::Timeout) => self.output_ends = self.ends_within(Duration::ZERO),
                Err(RecvTimeoutError::Disconnected) => self.output_ends = true,
            }
        }
        Ok(Ready {
            output: !self.output.is_empty() || self.output_ends,
            errors: !self.errors.is_empty(),
            input: false,
        })
    }

    /// Whether the process exits within `time`. If so, its last output can be read.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
        let deadline = Instant::now() + time;
        let mut pause = Duration::from_micros(50);
        loop {
            // A process that waits for its reader would never exit.
            self.take_news();
            match self.child.try_wait() {
                Ok(Some(_)) => break,
                Ok(None) => {}
                Err(_) => return false,
            }
            if Instant::now() >= deadline {
                return false;
            }
            thread::sleep(pause);
            pause = (2 * pause).min(Duration::from_millis(5));
        }
        let deadline = Instant::now() + LAST_WORDS;
        // Its own children may go on printing.
        while self.output.len() < MAX_WAITING * CHUNK
            && let left = deadline.saturating_duration_since(Instant::now())
            && !left.is_zero()
            && let Ok(news) = self.news.recv_timeout(left)
        {
            self.keep(news);
        }
        true
    }

    /// Kills the process and its children, and waits for its end. To be called once.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        let _ = self.child.kill();
        self.job = None;
        self.child.wait().ok()
    }

    /// Takes the output that has arrived, until the buffer is full.
    fn take_news(&mut self) {
        for _ in 0..MAX_WAITING {
            if self.output.len() >= MAX_WAITING * CHUNK {
                break;
            }
            let Ok(news) = self.news.try_recv() else { break };
            self.keep(news);
        }
    }

    fn keep(&mut self, news: News) {
        match news {
            News::Output(bytes) => self.output.extend(bytes),
            News::Errors(bytes) => {
                self.errors.extend(bytes);
                let surplus = self.errors.len().saturating_sub(KEPT_ERRORS);
                self.errors.drain(..surplus);
            }
            News::OutputEnds => self.output_ends = true,
        }
    }
}

/// Forwards the output of a pipe, until the pipe or the receiver is closed.
fn forward(mut pipe: impl Read, tell: &SyncSender<News>, news: impl Fn(Vec<u8>) -> News) {
    let mut room = vec![0; CHUNK];
    loop {
        match pipe.read(&mut room) {
            Ok(0) => break,
            Ok(count) if tell.send(news(room[..count].to_vec())).is_err() => break,
            Ok(_) => {}
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(_) => break,
        }
    }
}

/// Writes the outgoing bytes to a pipe, until it breaks or the sender is closed.
fn write_all(mut pipe: impl Write, outgoing: &Receiver<Vec<u8>>) {
    while let Ok(bytes) = outgoing.recv() {
        if pipe.write_all(&bytes).is_err() {
            break;
        }
    }
}

/// How a process ended, in words.
pub(super) fn ending(status: ExitStatus) -> String {
    match status.code() {
        // An exception, such as 0xc0000005 for an access violation.
        Some(code) if code < 0 => format!("exited with status {code:#x}"),
        Some(code) => format!("exited with status {code}"),
        None => "exited".to_owned(),
    }
}
