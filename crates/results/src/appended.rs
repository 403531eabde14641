//! Files that grow by whole records.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::folder::{ResultFile, ResultsFolder};
use super::lock::{open_locked, refuse_no_file};
use lmrlab_diagnostics::failure::Failure;

/// A file that only grows. Each append is one write, so nothing waits in a buffer when the process is killed. An append
/// that fails is rolled back. When another process has changed, replaced or removed the file, every further append
/// fails.
pub struct AppendedFile {
    file: File,
    path: PathBuf,
    length: u64,
    unsynced: bool,
}

impl AppendedFile {
    /// A new file.
    ///
    /// # Errors
    /// When it exists already, or cannot be written.
    pub fn create(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        Self::opened(folder, file, OpenOptions::new().create_new(true), false)
    }

    /// A new file with a lock on it.
    ///
    /// # Errors
    /// When it exists already, cannot be written, or another process has the lock.
    pub fn create_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        Self::opened(folder, file, OpenOptions::new().create_new(true), true)
    }

    /// An existing file, as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        Self::opened(folder, file, &mut OpenOptions::new(), false)
    }

    /// An existing file, as it is, with a lock on it.
    ///
    /// # Errors
    /// When it cannot be written, or another process has the lock.
    pub fn open_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        Self::opened(folder, file, &mut OpenOptions::new(), true)
    }

    fn opened(
        folder: &ResultsFolder,
        file: ResultFile,
        options: &mut OpenOptions,
        is_locked: bool,
    ) -> Result<Self, Failure> {
        let path = folder.file(file);
        // Windows does not cut a file that is opened for appending.
        options.write(true);
        let mut file = if is_locked {
            open_locked(options, &path, folder.path())?
        } else {
            refuse_no_file(&path)?;
            options.open(&path).map_err(|error| Failure::write(&path, &error))?
        };
        let length = file.seek(SeekFrom::End(0));
        Ok(Self {
            length: length.map_err(|error| Failure::write(&path, &error))?,
            file,
            path,
            unsynced: true,
        })
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
        let found = match fs::metadata(&self.path) {
            Ok(found) => found,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(gone(&self.path)),
            Err(error) => return Err(Failure::write(&self.path, &error)),
        };
        let open = self.file.metadata();
        let open = open.map_err(|error| Failure::write(&self.path, &error))?;
        if !is_same_file(&found, &open) {
            return Err(changed(&self.path, "is another file now: it was replaced"));
        }
        if open.len() != self.length {
            let (now, before) = (open.len(), self.length);
            let what = format!("has {now} bytes instead of {before}: it was changed");
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

/// The failure when a file of a folder, or the whole folder, is gone.
pub fn gone(path: &Path) -> Failure {
    match path.parent().filter(|folder| !folder.exists()) {
        Some(folder) => Failure::Changed {
            message: format!(
                "the folder `{}` is gone: it was removed or renamed during the run",
                folder.display()
            ),
            help: "if it was renamed, resume the run in its new place; if it was removed, begin the run again"
                .to_owned(),
        },
        None => changed(path, "is gone: it was removed or renamed"),
    }
}

fn changed(path: &Path, what: &str) -> Failure {
    Failure::Changed {
        message: format!("`{}` {what} during the run", path.display()),
        help: "let no other program write to this folder; restore the file if you can, then resume the run: it makes again what \
               is missing"
            .to_owned(),
    }
}

#[cfg(unix)]
fn is_same_file(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

/// The system refuses to replace an open file.
#[cfg(not(unix))]
fn is_same_file(_: &Metadata, _: &Metadata) -> bool {
    true
}
