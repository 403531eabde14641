//! Files that grow by whole records.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::folder::{ResultFile, ResultsFolder};
use super::lock::{open_locked, refuse_no_file};
use crate::failure::Failure;

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
        let path = folder.file(file);
        let opened = File::create_new(&path).map_err(|error| Failure::write(&path, &error))?;
        Self::at_end(opened, path)
    }

    /// A new file with a lock on it.
    ///
    /// # Errors
    /// When it exists already, cannot be written, or another process has the lock.
    pub fn create_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        let opened = open_locked(OpenOptions::new().write(true).create_new(true), &path, folder.path())?;
        Self::at_end(opened, path)
    }

    /// An existing file, as it is.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn open(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let path = folder.file(file);
        // Windows does not cut a file that is opened for appending.
        refuse_no_file(&path)?;
        let opened = OpenOptions::new().write(true).open(&path);
        let opened = opened.map_err(|error| Failure::write(&path, &error))?;
        Self::at_end(opened, path)
    }

    /// An existing file, as it is, with a lock on it.
    ///
    /// # Errors
    /// When it cannot be written, or another process has the lock.
    pub fn open_locked(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::folder::{GAMES, MANIFEST};

    fn file(folder: &Path) -> AppendedFile {
        fs::write(folder.join(MANIFEST.name()), "").unwrap();
        let mut file = AppendedFile::create(&ResultsFolder::to_read(folder).unwrap(), GAMES).unwrap();
        file.append(b"1234").unwrap();
        file
    }

    #[test]
    fn a_file_that_another_process_changed_is_not_written_to() {
        type Change = fn(&Path);
        let changes: &[(Change, &str, &str)] = &[
            (|path| fs::write(path, "12").unwrap(), "has 2 bytes instead of 4", "12"),
            (|path| fs::write(path, "").unwrap(), "has 0 bytes instead of 4", ""),
            (
                |path| fs::write(path, "12345").unwrap(),
                "has 5 bytes instead of 4",
                "12345",
            ),
            #[cfg(unix)]
            (
                |path| {
                    fs::copy(path, path.with_extension("new")).unwrap();
                    fs::rename(path.with_extension("new"), path).unwrap();
                },
                "it was replaced",
                "1234",
            ),
            (|path| fs::remove_file(path).unwrap(), "games.csv` is gone", ""),
        ];
        for &(change, complaint, left) in changes {
            let dir = tempfile::tempdir().unwrap();
            let mut file = file(dir.path());
            change(file.path());
            for refused in [file.append(b"56"), file.sync()] {
                let refused = refused.unwrap_err();
                assert_eq!(refused.exit_status(), 1);
                assert!(refused.to_string().contains(complaint), "{refused}");
            }
            assert_eq!(fs::read_to_string(file.path()).unwrap_or_default(), left);
        }
    }

    #[test]
    fn a_folder_that_is_gone_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("run");
        fs::create_dir(&run).unwrap();
        let mut file = file(&run);
        fs::rename(&run, dir.path().join("elsewhere")).unwrap();
        let refused = file.append(b"56").unwrap_err().to_string();
        assert!(refused.contains("the folder `"), "{refused}");
        assert!(refused.contains("run` is gone"), "{refused}");
    }
}
