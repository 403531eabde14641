//! The lock on a journal: one process writes to a results folder at a time.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::text_file::refuse_other_kinds;
use lmrlab_diagnostics::failure::Failure;

/// How long to wait for a lock. A program that is being started holds the locks of its parent for a moment, between
/// `fork` and `exec`. So a lock that another thread has just released can still be taken.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// Opens a journal and takes its lock. The lock lasts until the file is closed or the process is killed. Other
/// processes can still read.
///
/// # Errors
/// When another process has it, or the file cannot be opened.
pub fn open_locked(options: &mut OpenOptions, path: &Path, folder: &Path) -> Result<File, Failure> {
    refuse_no_file(path)?;
    let start = Instant::now();
    loop {
        match open(options, path, true) {
            Ok(Some(file)) => return Ok(file),
            Ok(None) if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            Ok(None) => return Err(taken(folder)),
            Err(error) => return Err(Failure::write(path, &error)),
        }
    }
}

/// Opens a file, which is created if it does not exist, and takes its lock; `None` when another process keeps the lock.
pub(crate) fn create_or_take(path: &Path) -> io::Result<Option<File>> {
    let start = Instant::now();
    loop {
        let file = open(OpenOptions::new().write(true).create(true).truncate(false), path, true)?;
        match file {
            // The process that had the lock has moved the file after it was opened here.
            Some(file) if !is_at(&file, path) => {}
            // Who asks whether the lock is taken has it for a moment.
            None if start.elapsed() < PATIENCE => std::thread::sleep(PAUSE),
            taken => return Ok(taken),
        }
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |data: std::fs::Metadata| (data.dev(), data.ino());
    let opened = file.metadata().map(identity);
    opened.is_ok_and(|opened| path.metadata().is_ok_and(|there| identity(there) == opened))
}

#[cfg(windows)]
fn is_at(_: &File, path: &Path) -> bool {
    path.exists()
}

/// The failure when another process writes to a folder.
pub fn taken(folder: &Path) -> Failure {
    Failure::input(
        format!("another lmrlab is writing to `{}`", folder.display()),
        "wait until it ends, or end it",
    )
}

/// Refuses a pipe or a device in place of a file of a run.
///
/// # Errors
/// When it is one.
pub fn refuse_no_file(path: &Path) -> Result<(), Failure> {
    refuse_other_kinds(path).map_err(|error| {
        Failure::input(
            format!("cannot write `{}`: {error}", path.display()),
            "a run has files only: put the file back, or remove this",
        )
    })
}

/// Whether a process holds the lock of a journal: its run is playing.
pub fn is_taken(path: &Path) -> bool {
    if !path.is_file() {
        return false;
    }
    let mut options = OpenOptions::new();
    // On Windows only an attempt to write shows it.
    options.read(true).write(cfg!(windows));
    matches!(open(&mut options, path, false), Ok(None))
}

/// The file with its lock; `None` when another process has it. Several readers can check it at the same time.
#[cfg(unix)]
fn open(options: &mut OpenOptions, path: &Path, to_write: bool) -> io::Result<Option<File>> {
    use rustix::fs::{FlockOperation, flock};
    let file = options.open(path)?;
    let lock = match to_write {
        true => FlockOperation::NonBlockingLockExclusive,
        false => FlockOperation::NonBlockingLockShared,
    };
    match flock(&file, lock) {
        Err(rustix::io::Errno::WOULDBLOCK) => Ok(None),
        // Some file systems have no locks. There the user has to take care.
        _ => Ok(Some(file)),
    }
}

/// Opens the file so that no other process may open it to write; `None` when another process has done so. On Windows a
/// lock on the bytes would also keep readers out.
#[cfg(windows)]
fn open(options: &mut OpenOptions, path: &Path, _to_write: bool) -> io::Result<Option<File>> {
    use std::os::windows::fs::OpenOptionsExt;
    const SHARE_READ: u32 = 1;
    const SHARE_DELETE: u32 = 4;
    const SHARING_VIOLATION: i32 = 32;
    match options.share_mode(SHARE_READ | SHARE_DELETE).open(path) {
        Err(error) if error.raw_os_error() == Some(SHARING_VIOLATION) => Ok(None),
        opened => opened.map(Some),
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    fn take(path: &Path) -> Result<File, Failure> {
        open_locked(OpenOptions::new().append(true).create(true), path, path)
    }

    #[test]
    fn a_lock_that_was_given_up_can_be_taken_while_programs_start() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("journal");
        std::thread::scope(|scope| {
            let starts = scope.spawn(|| {
                for _ in 0..50 {
                    let _ = Command::new("true").stdout(Stdio::null()).status();
                }
            });
            while !starts.is_finished() {
                drop(take(&path).unwrap());
            }
        });
    }
}
