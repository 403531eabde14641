//! A process that plays a part. It is polled, never waited for. Its output goes to a file.
//!
//! It leads a process group, so that Ctrl-C in a terminal reaches the coordinator alone. Unless it is ended, it
//! outlives the coordinator: it finishes its part, and the next coordinator takes the results.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use lmrlab_results::text_file::{open_file, refuse_other_kinds};
use lmrlab_results::visible::visible;

use super::process_id::ProcessId;

/// Lines at the end of an output that messages show, and the number of bytes in which they are searched.
const SHOWN_LINES: usize = 3;
const SHOWN_BYTES: u64 = 2048;

/// How long a process may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// A process that was started here, or by an earlier process of this program.
pub(super) enum Process {
    /// It was started here.
    Own(Child),
    /// It was started by another process.
    Adopted(ProcessId),
}

/// Whether a process runs.
pub(super) enum ProcessState {
    /// It runs.
    Running,
    /// It ended; without a status when it was started by another process.
    Ended(Option<ExitStatus>),
}

impl Process {
    /// Starts a command. What it prints is appended to `output`.
    pub(super) fn start(words: &[String], output: &Path) -> io::Result<Self> {
        refuse_other_kinds(output)?;
        let file = OpenOptions::new().create(true).append(true).open(output)?;
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(file.try_clone()?)
            .stderr(file);
        in_own_group(&mut command);
        command.spawn().map(Self::Own)
    }

    /// An id with which a later process can find it.
    pub(super) fn id(&self) -> Option<ProcessId> {
        match self {
            Self::Own(child) => ProcessId::of(child.id()),
            Self::Adopted(id) => Some(id.clone()),
        }
    }

    /// Its state; does not wait.
    pub(super) fn poll(&mut self) -> ProcessState {
        match self {
            Self::Own(child) => match child.try_wait() {
                Ok(None) => ProcessState::Running,
                Ok(Some(status)) => ProcessState::Ended(Some(status)),
                Err(_) => ProcessState::Ended(None),
            },
            Self::Adopted(id) if id.is_alive() => ProcessState::Running,
            Self::Adopted(_) => ProcessState::Ended(None),
        }
    }

    /// Asks it and its children to end.
    fn terminate(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::TERM);
        #[cfg(not(unix))]
        self.kill();
    }

    /// Kills it and its children.
    pub(super) fn kill(&mut self) {
        #[cfg(unix)]
        self.signal(rustix::process::Signal::KILL);
        #[cfg(not(unix))]
        if let Self::Own(child) = self {
            // It may have ended by itself.
            let _ = child.kill();
        }
    }

    /// Sends a signal to the process group. The group's number is that of the process, so the process must not be
    /// reaped yet.
    #[cfg(unix)]
    fn signal(&mut self, signal: rustix::process::Signal) {
        use rustix::process::{Pid, kill_process_group};
        if matches!(self.poll(), ProcessState::Ended(_)) {
            return;
        }
        let pid = match self {
            Self::Own(child) => Some(Pid::from_child(child)),
            Self::Adopted(id) => i32::try_from(id.pid).ok().and_then(Pid::from_raw),
        };
        if let Some(pid) = pid {
            // It may have ended since.
            let _ = kill_process_group(pid, signal);
        }
    }

    /// Kills it and its children, and reaps it as soon as it is dead.
    pub(super) fn end_now(&mut self) {
        self.kill();
        let deadline = Instant::now() + GRACE;
        while matches!(self.poll(), ProcessState::Running) && Instant::now() < deadline {
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}

/// Asks processes to end, and kills them after two seconds. Returns when all are gone.
pub(super) fn end_all(processes: &mut [Process]) {
    for process in &mut *processes {
        process.terminate();
    }
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline
        && processes
            .iter_mut()
            .any(|process| matches!(process.poll(), ProcessState::Running))
    {
        std::thread::sleep(Duration::from_millis(5));
    }
    for process in processes {
        process.end_now();
    }
}

/// Makes the process that a command starts the leader of a process group.
#[cfg(unix)]
pub(super) fn in_own_group(command: &mut Command) {
    use std::os::unix::process::CommandExt;
    command.process_group(0);
}

/// Makes the process that a command starts the leader of a process group.
#[cfg(windows)]
pub(super) fn in_own_group(command: &mut Command) {
    use std::os::windows::process::CommandExt;
    /// The creation flag CREATE_NEW_PROCESS_GROUP.
    const NEW_PROCESS_GROUP: u32 = 0x200;
    command.creation_flags(NEW_PROCESS_GROUP);
}

/// How a process ended, as the rest of a sentence that begins with "it".
pub(super) fn ending(status: ExitStatus) -> String {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return format!("was killed by signal {signal}");
    }
    match status.code() {
        Some(code) => format!("exited with status {code}"),
        None => "exited".to_owned(),
    }
}

/// The last lines of an output, on one line; `None` when there is nothing in it.
pub(super) fn last_lines(output: &Path) -> Option<String> {
    let mut file = open_file(output).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SHOWN_BYTES))).ok()?;
    let mut bytes = Vec::new();
    file.take(SHOWN_BYTES).read_to_end(&mut bytes).ok()?;
    last_lines_of(&bytes)
}

/// The last lines of some bytes, on one line.
pub(super) fn last_lines_of(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    (!shown.is_empty()).then(|| visible(&shown.join(" / ")).into_owned())
}

/// Makes a program from a shell script. Another process writes the file: if this process had it open for writing, a
/// child that another test starts would also have it open, and the system would not run it.
#[cfg(test)]
#[cfg(unix)]
pub(super) fn fake_program(path: &Path, script: &str) {
    let make = ["-c", "printf '#!/bin/sh\\n%s\\n' \"$1\" > \"$0\" && chmod +x \"$0\""];
    let status = Command::new("sh").args(make).arg(path).arg(script).status();
    assert!(status.unwrap().success());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_are_shown_without_control_characters() {
        let last = |text: &str| last_lines_of(text.as_bytes());
        assert_eq!(last(""), None);
        assert_eq!(last("\n \n"), None);
        assert_eq!(
            last("a\n\nb\nerror: c\n  --> \x1b[31md\n\n").unwrap(),
            "b / error: c / --> ␛[31md"
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("x");
        assert_eq!(last_lines(&file), None);
        std::fs::write(&file, format!("{}\nlast", "x".repeat(10_000))).unwrap();
        assert!(last_lines(&file).unwrap().ends_with("x / last"));
    }
}
