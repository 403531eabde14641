//! Files that grow by whole records.

use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use tempfile::TempPath;

use super::folder::{ResultFile, ResultsFolder};
use super::replacement::{begin, changed, is_at, unwritable};
use crate::text_file::refuse_other_kinds;
use lmrlab_diagnostics::failure::Failure;

/// A file that only grows. Each append is one write, so nothing waits in a buffer when the process is killed. An append
/// that fails is rolled back. When another process has changed, replaced or removed the file, every further append
/// fails.
pub struct AppendedFile {
    file: File,
    path: PathBuf,
    /// Where it is until it takes the place of an older one.
    beside: Option<TempPath>,
    length: u64,
    unsynced: bool,
}

impl AppendedFile {
    /// A file with this text, in the place of the one that an earlier process has left. That one stays until the new one is
    /// whole.
    ///
    /// # Errors
    /// When it cannot be written. Then the old file is still there.
    pub fn replace(folder: &ResultsFolder, file: ResultFile, text: &[u8]) -> Result<Self, Failure> {
        let mut new = Self::begin(folder, file)?;
        new.append(text)?;
        new.put_in_place()?;
        Ok(new)
    }

    /// A new version of a file. The old one stays until [`Self::put_in_place`].
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn begin(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        let (file, beside) = begin(&path).map_err(|error| unwritable(&path, &error))?.into_parts();
        Ok(Self {
            file,
            path,
            beside: Some(beside),
            length: 0,
            unsynced: true,
        })
    }

    /// Puts a new version in the place of the old file.
    ///
    /// # Errors
    /// When the system refuses. Then the old file is still there.
    pub fn put_in_place(&mut self) -> Result<(), Failure> {
        self.sync()?;
        match self.beside.take() {
            Some(beside) => beside
                .persist(&self.path)
                .map_err(|error| unwritable(&self.path, &error.error)),
            None => Ok(()),
        }
    }

    /// A file as an earlier process left it, or a new one.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        refuse_other_kinds(&path).map_err(|error| {
            Failure::input(
                format!("cannot write `{}`: {error}", path.display()),
                "a run has files only: put the file back, or remove this",
            )
        })?;
        // Windows does not cut a file that is opened for appending.
        let opened = File::options().write(true).create(true).truncate(false).open(&path);
        match opened.and_then(|mut file| Ok((file.seek(SeekFrom::End(0))?, file))) {
            Ok((length, file)) => Ok(Self {
                length,
                file,
                path,
                beside: None,
                unsynced: true,
            }),
            Err(error) => Err(unwritable(&path, &error)),
        }
    }

    /// Cuts the file to its first `length` bytes.
    ///
    /// # Errors
    /// When it cannot be cut.
    pub fn cut(&mut self, length: u64) -> Result<(), Failure> {
        self.shorten(length)
            .map_err(|error| Failure::write(&self.path, &error))?;
        self.length = length;
        Ok(())
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    /// Adds bytes with one write.
    ///
    /// # Errors
    /// When they cannot be written, or the file is not as the last append left it. Then the file has none of these
    /// bytes.
    pub fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.check()?;
        self.unsynced = true;
        self.file.write_all(bytes).map_err(|error| {
            // Part of it may have been written. Cutting a file works even on a full disk.
            let _ = self.shorten(self.length);
            Failure::write(&self.path, &error)
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Checks that the file is as the last append left it.
    ///
    /// # Errors
    /// When another process has changed, replaced or removed it.
    pub fn check(&self) -> Result<(), Failure> {
        if self.beside.is_some() {
            return Ok(());
        }
        let found = is_at(&self.file, &self.path).and_then(|is_there| Ok((is_there, self.file.metadata()?.len())));
        let (is_there, now) = found.map_err(|error| unwritable(&self.path, &error))?;
        if !is_there {
            return Err(changed(&self.path, "is another file now: it was replaced"));
        }
        if now != self.length {
            let what = format!("has {now} bytes instead of {}: it was changed", self.length);
            return Err(changed(&self.path, &what));
        }
        Ok(())
    }

    /// Makes what was appended survive a loss of power, as far as the system can promise that.
    ///
    /// # Errors
    /// When the system cannot promise that, or another process has changed, replaced or removed the file.
    pub fn sync(&mut self) -> Result<(), Failure> {
        self.check()?;
        if self.unsynced {
            self.file
                .sync_data()
                .map_err(|error| Failure::write(&self.path, &error))?;
            self.unsynced = false;
        }
        Ok(())
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}
