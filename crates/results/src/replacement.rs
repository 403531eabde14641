//! Files that are replaced as a whole: readers see the old file or the new one, even after a kill.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use super::appended::gone;
use super::folder::{ResultFile, ResultsFolder};
use super::lock::{self, refuse_no_file};
use lmrlab_diagnostics::failure::Failure;

/// Replaces a file of a results folder as a whole.
///
/// # Errors
/// When it cannot be written; then the old file is still there.
pub fn replace(folder: &ResultsFolder, file: ResultFile, text: &[u8]) -> Result<(), Failure> {
    let mut replacement = Replacement::begin(folder, file)?;
    replacement.write(text)?;
    replacement.finish()
}

/// A new version of a file, written beside the old one until it is complete.
pub struct Replacement {
    out: io::BufWriter<File>,
    path: PathBuf,
    beside: PathBuf,
    finished: bool,
}

impl Drop for Replacement {
    fn drop(&mut self) {
        if !self.finished {
            let _ = fs::remove_file(&self.beside);
        }
    }
}

impl Replacement {
    /// Begins a new version.
    ///
    /// # Errors
    /// When the file cannot be created.
    pub fn begin(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let beside = folder.unfinished(file);
        refuse_no_file(&beside)?;
        Self::of(folder, file, File::create(&beside))
    }

    /// As [`Self::begin`], with a lock on the new version. `None` when another process has the lock.
    ///
    /// # Errors
    /// As [`Self::begin`].
    pub(crate) fn begin_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Option<Self>, Failure> {
        let beside = folder.unfinished(file);
        refuse_no_file(&beside)?;
        let Some(opened) = lock::create_or_take(&beside).transpose() else {
            return Ok(None);
        };
        // A process that was killed may have written a part of it.
        let empty = |file: File| file.set_len(0).map(|()| file);
        Self::of(folder, file, opened.and_then(empty)).map(Some)
    }

    fn of(folder: &ResultsFolder, file: ResultFile, opened: io::Result<File>) -> Result<Self, Failure> {
        let path = folder.file(file);
        let beside = folder.unfinished(file);
        let opened = opened.map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => gone(&path),
            _ => Failure::write(&beside, &error),
        })?;
        Ok(Self {
            out: io::BufWriter::new(opened),
            path,
            beside,
            finished: false,
        })
    }

    /// Adds bytes to it.
    ///
    /// # Errors
    /// When they cannot be written.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out
            .write_all(bytes)
            .map_err(|error| Failure::write(&self.beside, &error))
    }

    /// Puts it in the place of the old file.
    ///
    /// # Errors
    /// When it cannot be written to its end; then the old file is still there.
    pub fn finish(self) -> Result<(), Failure> {
        self.finish_locked().map(drop)
    }

    /// As [`Self::finish`]. A lock lasts as long as what is returned.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_locked(mut self) -> Result<Self, Failure> {
        let done = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_data())
            .and_then(|()| fs::rename(&self.beside, &self.path));
        done.map_err(|error| Failure::write(&self.path, &error))?;
        self.finished = true;
        Ok(self)
    }
}
