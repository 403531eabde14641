//! Files that are replaced as a whole: readers see the old file or the new one, even after a kill.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::PathBuf;

use super::appended::gone;
use super::folder::{ResultFile, ResultsFolder};
use super::lock::refuse_no_file;
use crate::failure::{Failure, Refusal};

/// Replaces a file of a results folder as a whole.
///
/// # Errors
/// When it cannot be written; then the old file is still there.
pub fn replace(folder: &ResultsFolder, file: ResultFile, text: &[u8]) -> Result<(), Failure> {
    let mut replacement = Replacement::begin(folder, file)?;
    replacement.write(text)?;
    replacement.finish()
}

/// Writes a file of a results folder that does not exist yet. When several processes try, only one succeeds.
///
/// # Errors
/// When another process has written it or is about to, or it cannot be written.
pub fn make(folder: &ResultsFolder, file: ResultFile, text: &[u8]) -> Result<(), Failure> {
    let mut replacement = Replacement::open(folder, file, File::options().write(true).create_new(true))?;
    if replacement.path.exists() {
        return Err(is_begun(folder));
    }
    replacement.write(text)?;
    replacement.finish()
}

fn is_begun(folder: &ResultsFolder) -> Failure {
    Refusal::BegunElsewhere(folder.path().to_owned()).into()
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
        Self::open(folder, file, File::options().write(true).create(true).truncate(true))
    }

    fn open(folder: &ResultsFolder, file: ResultFile, options: &fs::OpenOptions) -> Result<Self, Failure> {
        let path = folder.file(file);
        let beside = folder.unfinished(file);
        refuse_no_file(&beside)?;
        let file = options.open(&beside).map_err(|error| match error.kind() {
            io::ErrorKind::NotFound => gone(&path),
            io::ErrorKind::AlreadyExists => is_begun(folder),
            _ => Failure::write(&beside, &error),
        })?;
        Ok(Self {
            out: io::BufWriter::new(file),
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
    pub fn finish(mut self) -> Result<(), Failure> {
        let done = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_data())
            .and_then(|()| fs::rename(&self.beside, &self.path));
        done.map_err(|error| Failure::write(&self.path, &error))?;
        self.finished = true;
        Ok(())
    }
}
