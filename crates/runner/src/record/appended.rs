//! Files that grow by whole records.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::folder::{ResultFile, ResultsFolder};
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
        let file = File::create_new(&path).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self {
            file,
            path,
            length: 0,
            unsynced: true,
        })
    }

    /// An existing file, as it is.
    pub(super) fn open(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        let open = || -> io::Result<(File, u64)> {
            let file = OpenOptions::new().append(true).open(&path)?;
            let length = file.metadata()?.len();
            Ok((file, length))
        };
        let (file, length) = open().map_err(|error| Failure::write(&path, &error))?;
        Ok(Self {
            file,
            path,
            length,
            unsynced: true,
        })
    }

    /// Cuts the file to its first `length` bytes.
    pub(super) fn cut(&mut self, length: u64) -> Result<(), Failure> {
        self.file
            .set_len(length)
            .map_err(|error| Failure::write(&self.path, &error))?;
        self.length = length;
        Ok(())
    }

    pub(super) fn append(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.unsynced = true;
        self.file.write_all(bytes).map_err(|error| {
            // Part of it may have been written. Even on a full disk a file can get shorter.
            let _ = self.file.set_len(self.length);
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

    pub(super) fn file(&self) -> &File {
        &self.file
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}
