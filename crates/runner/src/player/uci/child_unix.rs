//! An engine's process on Unix: it leads a process group, and its pipes never block.

use std::io::{self, Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};

use super::guard::Guard;
use super::process::Ready;

/// A process with its pipes. [`EngineChild::kill`] ends it with its own children.
pub(super) struct EngineChild {
    child: Child,
    pid: Pid,
    stdin: ChildStdin,
    stdout: ChildStdout,
    /// `None` once the process has closed it.
    stderr: Option<ChildStderr>,
}

impl EngineChild {
    /// Starts `program` with what `configure` adds to the command.
    pub(super) fn start(program: &Path, configure: impl FnOnce(&mut Command)) -> io::Result<Self> {
        let mut child = Guard::spawn(program, |command| {
            configure(command);
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
        })?;
        let missing = || io::Error::other("a pipe is missing");
        let stdin = child.stdin.take().ok_or_else(missing)?;
        let stdout = child.stdout.take().ok_or_else(missing)?;
        let stderr = child.stderr.take();
        rustix::io::ioctl_fionbio(&stdin, true)?;
        rustix::io::ioctl_fionbio(&stdout, true)?;
        if let Some(stderr) = &stderr {
            rustix::io::ioctl_fionbio(stderr, true)?;
        }
        Ok(Self {
            pid: Pid::from_child(&child),
            child,
            stdin,
            stdout,
            stderr,
        })
    }

    /// Writes to its input what fits without waiting.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdin.write(bytes)
    }

    /// Reads its output without waiting; 0 bytes at its end.
    pub(super) fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        self.stdout.read(room)
    }

    /// Reads its error output without waiting; 0 bytes at its end.
    pub(super) fn read_errors(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Some(stderr) = &mut self.stderr else {
            return Ok(0);
        };
        let count = stderr.read(room)?;
        if count == 0 {
            self.stderr = None;
        }
        Ok(count)
    }

    /// Waits at most `time`, less than a second, until there is something to read or, with `to_write`, room to write.
    pub(super) fn poll(&mut self, to_write: bool, time: Duration) -> io::Result<Ready> {
        let time = Timespec {
            tv_sec: 0,
            tv_nsec: i64::from(time.subsec_nanos()),
        };
        let mut slots = [
            PollFd::new(&self.stdout, PollFlags::IN),
            match &self.stderr {
                Some(stderr) => PollFd::new(stderr, PollFlags::IN),
                None => PollFd::new(&self.stdout, PollFlags::empty()),
            },
            PollFd::new(&self.stdin, PollFlags::OUT),
        ];
        // The last slot would be ready at once when there is nothing to write.
        let count = slots.len() - usize::from(!to_write);
        match poll(&mut slots[..count], Some(&time)) {
            Ok(_) | Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
        let [output, errors, input] = slots.map(|slot| !slot.revents().is_empty());
        Ok(Ready { output, errors, input })
    }

    /// Whether the process exits within `time`. It stays a zombie, so that its id is not reused.
    pub(super) fn ends_within(&mut self, time: Duration) -> bool {
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

    /// Kills the process group and reaps the process. To be called once.
    pub(super) fn kill(&mut self) -> Option<ExitStatus> {
        // The process is not reaped yet, so its group id cannot belong to another.
        let _ = kill_process_group(self.pid, Signal::KILL);
        let status = self.child.wait().ok();
        Guard::forget(self.pid);
        status
    }
}

/// How a process ended, in words.
pub(super) fn ending(status: ExitStatus) -> String {
    match (status.code(), status.signal()) {
        (Some(code), _) => format!("exited with status {code}"),
        (None, Some(signal)) => format!("was killed by signal {signal}"),
        (None, None) => "exited".to_owned(),
    }
}
