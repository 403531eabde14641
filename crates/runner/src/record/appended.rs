//! Files that grow by whole records.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::folder::{ResultFile, ResultsFolder};
use super::lock::{open_locked, refuse_no_file};
use crate::failure::Failure;

/// A file that only grows. Each append is one write, so nothing waits in a buffer when the process is killed. An append
/// that fails is rolled back.
pub(super) struct AppendedFile {
    file: File,
    path: PathBuf,
    length: u64,
    unsynced: bool,
}

impl AppendedFile {
    /// A new file.
    pub(super) fn create(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        let opened = File::create_new(&path).map_err(|error| Failure::write(&path, &error))?;
        Self::at_end(opened, path)
    }

    /// A new file with a lock on it.
    pub(super) fn create_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        let opened = open_locked(OpenOptions::new().write(true).create_new(true), &path, folder.path())?;
        Self::at_end(opened, path)
    }

    /// An existing file, as it is.
    pub(super) fn open(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        // Windows does not let a file that is opened to append be cut.
        refuse_no_file(&path)?;
        let opened = OpenOptions::new().write(true).open(&path);
        let opened = opened.map_err(|error| Failure::write(&path, &error))?;
        Self::at_end(opened, path)
    }

    /// An existing file, as it is, with a lock on it.
    pub(super) fn open_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        let opened = open_locked(OpenOptions::new().write(true), &path, folder.path())?;
        Self::at_end(opened, path)
    }

    fn at_end(mut file: File, path: PathBuf) -> Result<Self, Failure> {
        let length = file
            .seek(SeekFrom::End(0))
            .map_err(|error| Failure::write(&path, &error))?;
        Ok(Self {
            file,
            path,
            length,
            unsynced: true,
        })
    }

    /// Cuts the file to its first `length` bytes.
    pub(super) fn cut(&mut self, length: u64) -> Result<(), Failure> {
        self.shorten(length)
            .map_err(|error| Failure::write(&self.path, &error))?;
        self.length = length;
        Ok(())
    }

    fn shorten(&mut self, length: u64) -> io::Result<()> {
        self.file.set_len(length)?;
        self.file.seek(SeekFrom::Start(length)).map(drop)
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.unsynced = true;
        self.file.write_all(bytes).map_err(|error| {
            // Part of it may have been written. Even on a full disk a file can get shorter.
            let _ = self.shorten(self.length);
            Failure::write(&self.path, &error)
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Makes what was appended survive a loss of power, as far as the system can promise that.
    pub(super) fn sync(&mut self) -> Result<(), Failure> {
        if self.unsynced {
            self.file
                .sync_data()
                .map_err(|error| Failure::write(&self.path, &error))?;
            self.unsynced = false;
        }
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
