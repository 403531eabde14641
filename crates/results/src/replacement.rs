//! Files that are replaced as a whole: readers see the old file or the new one, even after a kill.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::PathBuf;

use super::appended::gone;
use super::folder::{ResultFile, ResultsFolder};
use super::lock::{self, refuse_no_file, taken};
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

/// A new version of a file, written beside the old one until it is complete. The process that writes it has its lock. What
/// a killed process has left is written over.
pub struct Replacement {
    pub(crate) out: BufWriter<File>,
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
    /// Begins a new version of `path` in the file `beside`. `None` when another process has the lock.
    pub(crate) fn open(path: PathBuf, beside: PathBuf) -> io::Result<Option<Self>> {
        let Some(file) = lock::create_or_take(&beside)? else {
            return Ok(None);
        };
        file.set_len(0)?;
        Ok(Some(Self {
            out: BufWriter::new(file),
            path,
            beside,
            finished: false,
        }))
    }

    /// Begins a new version of a file of a results folder.
    ///
    /// # Errors
    /// When it cannot be created, or another process writes it.
    pub fn begin(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        Self::begin_unless_taken(folder, file)?.ok_or_else(|| taken(folder.path()))
    }

    /// As [`Self::begin`]. `None` when another process writes it.
    pub(crate) fn begin_unless_taken(folder: &ResultsFolder, file: ResultFile) -> Result<Option<Self>, Failure> {
        let (path, beside) = (folder.file(file), folder.unfinished(file));
        refuse_no_file(&beside)?;
        Self::open(path.clone(), beside.clone()).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => gone(&path),
            _ => Failure::write(&beside, &error),
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

    /// As [`Self::finish`]. The lock lasts as long as what is returned.
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
