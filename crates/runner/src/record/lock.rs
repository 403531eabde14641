//! The lock on a journal: one process writes to a results folder at a time.

use std::fs::File;
use std::path::Path;

use rustix::fs::{FlockOperation, flock};

use crate::failure::Failure;

/// Takes the lock of a journal. It is held until the file is closed, even by a kill.
///
/// # Errors
/// When another process has it.
pub(super) fn lock(journal: &File, folder: &Path) -> Result<(), Failure> {
    match flock(journal, FlockOperation::NonBlockingLockExclusive) {
        Err(rustix::io::Errno::WOULDBLOCK) => Err(Failure::input(
            format!("another lmrlab is writing to `{}`", folder.display()),
            "wait until it ends, or end it",
        )),
        // Some file systems have no locks; there the user takes care.
        _ => Ok(()),
    }
}
