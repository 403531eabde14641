//! A guard process: it ends the engines and commands that a killed run leaves behind, and removes its temporary files.
//!
//! The guard waits until the run ends. Then it asks the process groups of all remaining programs to end, and kills them
//! after two seconds. To miss none, a program's process starts as this program. It becomes the other one once the guard
//! knows its process id.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, Write};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process_group, test_kill_process_group};

/// The command that makes this program the guard.
pub const GUARD_COMMAND: &str = "guard-engines";

/// The command that makes this program wait, then become the program that follows.
pub const START_COMMAND: &str = "start-engine";

/// The input byte that lets a waiting process become the engine.
const GO: u8 = b'\n';

/// How long the guard lets programs end by themselves.
const GRACE: Duration = Duration::from_secs(2);

/// The first character of a line that names a temporary file.
const FILE: char = '=';

/// The input of the running guard.
static GUARD: Mutex<Option<ChildStdin>> = Mutex::new(None);

/// A running guard process. Dropping it ends the guard, which then kills the remaining engines.
#[derive(Debug)]
pub struct Guard {
    child: Child,
}

impl Guard {
    /// Starts a guard for the engines that this process will start. This program must call [`stand_guard`] on the
    /// command [`GUARD_COMMAND`], and [`become_engine`] on [`START_COMMAND`].
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

    /// Starts `program` with what `configure` adds to the command, as the leader of a process group. When this process
    /// ends, the guard ends the group. The input of the program has to be a pipe.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn spawn(program: &Path, configure: impl FnOnce(&mut Command)) -> io::Result<Child> {
        let guarded = GUARD.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        let own = own_program().ok().filter(|_| guarded);
        let mut command = Command::new(own.as_deref().unwrap_or(program));
        if own.is_some() {
            command.arg(START_COMMAND).arg(program);
        }
        configure(&mut command);
        let mut child = command.stdin(Stdio::piped()).process_group(0).spawn()?;
        tell('+', Pid::from_child(&child));
        if own.is_some()
            && let Some(input) = &mut child.stdin
        {
            // If the process is already gone, its closed output shows that.
            let _ = input.write_all(&[GO]);
        }
        Ok(child)
    }

    /// Ends the guarding: kills the remaining engines.
    pub fn end(self) {
        drop(self);
    }

    /// Tells the guard of a temporary file.
    pub(super) fn watch_file(path: &Path) {
        // A path with a line break could not be sent.
        if let Some(path) = path.to_str().filter(|path| !path.contains(char::is_control)) {
            send(&format!("{FILE}{path}\n"));
        }
    }

    /// Tells the guard that a process is reaped: another may soon get its id.
    pub fn forget(pid: Pid) {
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
    send(&format!("{sign}{}\n", pid.as_raw_nonzero()));
}

fn send(line: &str) {
    let mut guard = GUARD.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(input) = &mut *guard {
        // When the guard was killed, the run continues without it.
        let _ = input.write_all(line.as_bytes());
    }
}

/// The file of this program; on Linux still the same one after the file was replaced.
fn own_program() -> io::Result<PathBuf> {
    let itself = Path::new("/proc/self/exe");
    if itself.exists() {
        return Ok(itself.to_owned());
    }
    std::env::current_exe()
}

/// Waits for the byte that says that the guard knows this process, then becomes the program `command`. Returns if the
/// run ends first.
///
/// # Errors
/// When the program cannot be started.
pub fn become_engine(command: &[OsString]) -> io::Result<()> {
    // Reads one byte only: the rest of the input is for the engine.
    let mut byte = [0];
    let read = loop {
        match rustix::io::read(io::stdin(), &mut byte) {
            Err(rustix::io::Errno::INTR) => {}
            read => break read?,
        }
    };
    match command {
        [program, arguments @ ..] if read == 1 && byte == [GO] => Err(Command::new(program).args(arguments).exec()),
        _ => Ok(()),
    }
}

/// The guard's work. It notes which processes start and end, until its input closes; that happens however the run ends.
/// Then it ends the remaining processes, and removes temporary files.
pub fn stand_guard() {
    let mut running = BTreeSet::new();
    let mut files = Vec::new();
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        let number = |text: &str| text.parse().ok().and_then(Pid::from_raw);
        if let Some(pid) = line.strip_prefix('+').and_then(number) {
            running.insert(pid.as_raw_nonzero());
        } else if let Some(pid) = line.strip_prefix('-').and_then(number) {
            running.remove(&pid.as_raw_nonzero());
        } else if let Some(path) = line.strip_prefix(FILE) {
            files.push(PathBuf::from(path));
        }
    }
    let running: Vec<Pid> = running
        .into_iter()
        .filter_map(|number| Pid::from_raw(number.get()))
        .collect();
    let signal_all = |signal| {
        for pid in &running {
            let _ = kill_process_group(*pid, signal);
        }
    };
    let deadline = Instant::now() + GRACE;
    // A command such as srun ends what it has started elsewhere.
    signal_all(Signal::TERM);
    while running.iter().any(|pid| test_kill_process_group(*pid).is_ok()) && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10));
    }
    signal_all(Signal::KILL);
    for file in files {
        let _ = std::fs::remove_file(file);
    }
}
