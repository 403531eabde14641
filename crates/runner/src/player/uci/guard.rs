//! Engines do not outlive the run, not even when the run is killed: a second process waits for the end of the first, and
//! then kills the process groups that are still there.

use std::collections::BTreeSet;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The word on the command line that makes a process a guard.
pub const GUARD_COMMAND: &str = "guard-engines";

/// The input of the guard, once there is one.
static GUARD: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// The process that outlives this one. Dropping it ends the process, and with it every engine that is left.
#[derive(Debug)]
pub struct Guard {
    child: Child,
}

impl Guard {
    /// Starts a guard for the engines that this process will start: `program` must call [`stand_guard`] when its command
    /// line is [`GUARD_COMMAND`].
    ///
    /// # Errors
    /// When the program cannot be started.
    pub fn start(program: &Path) -> io::Result<Self> {
        let mut child = Command::new(program)
            .arg(GUARD_COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        *GUARD.lock().unwrap_or_else(PoisonError::into_inner) = child.stdin.take();
        Ok(Self { child })
    }

    /// A process has been started, which leads a group of the same number.
    pub(super) fn watch(pid: Pid) {
        tell('+', pid);
    }

    /// A process has been collected; its number may soon be another's.
    pub(super) fn forget(pid: Pid) {
        tell('-', pid);
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        *GUARD.lock().unwrap_or_else(PoisonError::into_inner) = None;
        let _ = self.child.wait();
    }
}

fn tell(sign: char, pid: Pid) {
    let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(input) = &mut *guard {
        // A guard that has been killed guards no more; the run goes on without.
        let _ = input.write_all(format!("{sign}{}\n", pid.as_raw_nonzero()).as_bytes());
    }
}

/// What the guard does: hears which processes come and go until its input ends, which it does with the process at the
/// other end, however that ends; then kills those that are left.
pub fn stand_guard() {
    let mut there = BTreeSet::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let number = |text: &str| text.parse().ok().and_then(Pid::from_raw);
        if let Some(pid) = line.strip_prefix('+').and_then(number) {
            there.insert(pid.as_raw_nonzero());
        } else if let Some(pid) = line.strip_prefix('-').and_then(number) {
            there.remove(&pid.as_raw_nonzero());
        }
    }
    for number in there {
        if let Some(pid) = Pid::from_raw(number.get()) {
            let _ = kill_process_group(pid, Signal::KILL);
        }
    }
}
