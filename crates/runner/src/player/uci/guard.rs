//! Engines do not outlive the run, not even when the run is killed: a second process waits for the end of the first, and
//! then kills the process groups that are still there. So that none is missed that has just been started, an engine's
//! process begins as this program, which becomes the engine when it is told that the guard knows of it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use rustix::process::{Pid, Signal, kill_process_group};

/// The word on the command line that makes a process a guard.
pub const GUARD_COMMAND: &str = "guard-engines";

/// The word on the command line that makes a process wait, and then become the program that follows.
pub const START_COMMAND: &str = "start-engine";

/// The byte on its input that lets a waiting process become the engine.
const GO: u8 = b'\n';

/// The input of the guard, once there is one.
static GUARD: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// The process that outlives this one. Dropping it ends the process, and with it every engine that is left.
#[derive(Debug)]
pub struct Guard {
    child: Child,
}

impl Guard {
    /// Starts a guard for the engines that this process will start. The program that runs must call [`stand_guard`] when
    /// its command line is [`GUARD_COMMAND`], and [`become_engine`] when it begins with [`START_COMMAND`].
    ///
    /// # Errors
    /// When the program cannot be started a second time.
    pub fn start() -> io::Result<Self> {
        let mut child = Command::new(own_program()?)
            .arg(GUARD_COMMAND)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        *GUARD.lock().unwrap_or_else(PoisonError::into_inner) = child.stdin.take();
        Ok(Self { child })
    }

    /// How to start `program`, and whether [`Guard::release`] is needed before it does anything. Without a guard it is
    /// not.
    pub(super) fn command(program: &Path) -> (Command, bool) {
        let guarded = GUARD
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .is_some();
        if guarded && let Ok(own) = own_program() {
            let mut command = Command::new(own);
            command.arg(START_COMMAND).arg(program);
            return (command, true);
        }
        (Command::new(program), false)
    }

    /// A process has been started, which leads a group of the same number.
    pub(super) fn watch(pid: Pid) {
        tell('+', pid);
    }

    /// Lets a process that the guard knows of become the engine.
    ///
    /// # Errors
    /// When the process is not there any more.
    pub(super) fn release(input: &mut ChildStdin) -> io::Result<()> {
        input.write_all(&[GO])
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

/// The file of the program that runs: the same program even when another has taken its place since, where the system
/// knows.
fn own_program() -> io::Result<PathBuf> {
    let itself = Path::new("/proc/self/exe");
    if itself.exists() {
        return Ok(itself.to_owned());
    }
    std::env::current_exe()
}

/// Waits for the byte that says that a guard knows of this process, then becomes the program that is named, with the
/// arguments after it. Without that byte, which is when the run has ended, it does nothing.
///
/// # Errors
/// When the program cannot be started.
pub fn become_engine(command: &[OsString]) -> io::Result<()> {
    // Nothing is read ahead: what follows is the engine's.
    let mut byte = [0];
    let read = loop {
        match rustix::io::read(io::stdin(), &mut byte) {
            Err(rustix::io::Errno::INTR) => {}
            read => break read?,
        }
    };
    match command {
        [program, arguments @ ..] if read == 1 && byte == [GO] => {
            Err(Command::new(program).args(arguments).exec())
        }
        _ => Ok(()),
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
