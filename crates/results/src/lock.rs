//! The lock on the folder of a run: one process writes to it at a time.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::replacement::is_at;
use lmrlab_diagnostics::failure::Failure;

/// The locked file. It is there while a process writes to the run, and after a kill.
pub(crate) const LOCK: &str = ".lmrlab.lock";

/// How long to wait for a lock. A program that is being started holds the locks of its parent for a moment, between
/// `fork` and `exec`. Who asks whether the lock is taken has it for a moment, too.
const PATIENCE: Duration = Duration::from_secs(1);

/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(5);

/// The lock. It lasts as long as this value; a killed process loses it. Other processes can still read.
#[derive(Debug)]
pub(crate) struct FolderLock {
    file: File,
    path: PathBuf,
}

impl FolderLock {
    /// Takes the lock of a folder. The folder is created when it does not exist.
    pub(crate) fn take(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(LOCK);
        let start = Instant::now();
        loop {
            match open(folder, &path) {
                Ok(Some(file)) => return Ok(Self { file, path }),
                Ok(None) if start.elapsed() >= PATIENCE => return Err(taken(folder)),
                // A process that could not begin a run here has removed the folder.
                Err(error) if error.kind() != io::ErrorKind::NotFound || start.elapsed() >= PATIENCE => {
                    return Err(Failure::write(folder, &error));
                }
                _ => std::thread::sleep(PAUSE),
            }
        }
    }
}

impl Drop for FolderLock {
    fn drop(&mut self) {
        if is_at(&self.file, &self.path).is_ok_and(|is_there| is_there) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// The locked file; `None` when another process has it, or has just removed it.
fn open(folder: &Path, path: &Path) -> io::Result<Option<File>> {
    fs::create_dir_all(folder)?;
    let file = File::options().write(true).create(true).truncate(false).open(path)?;
    match file.try_lock() {
        Err(TryLockError::WouldBlock) => Ok(None),
        // Some file systems have no locks. There the user has to take care.
        Ok(()) | Err(TryLockError::Error(_)) => Ok(is_at(&file, path)?.then_some(file)),
    }
}

/// Whether a process holds the lock of a folder: it begins a run there, or plays one.
pub fn is_taken(folder: &Path) -> bool {
    let file = File::open(folder.join(LOCK));
    file.is_ok_and(|file| matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)))
}

/// The failure when another process writes to a folder.
pub(crate) fn taken(folder: &Path) -> Failure {
    Failure::input(
        format!("another lmrlab is writing to `{}`", folder.display()),
        "wait until it ends, or end it",
    )
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_lock_that_was_given_up_can_be_taken_while_programs_start() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            let starts = scope.spawn(|| {
                for _ in 0..50 {
                    let mut command = Command::new("true");
                    command.stdin(Stdio::null()).stdout(Stdio::null());
                    assert!(command.status().unwrap().success());
                }
            });
            while !starts.is_finished() {
                let lock = FolderLock::take(dir.path()).unwrap();
                assert!(is_taken(dir.path()));
                drop(lock);
            }
        });
        let lock = FolderLock::take(dir.path()).unwrap();
        assert!(FolderLock::take(dir.path()).is_err());
        drop(lock);
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 0);
    }
}
