//! Files that grow by whole records.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::folder::ResultsFolder;
use super::{Row, csv_lines};
use crate::failure::Failure;

/// A file that only grows, by whole records: each append is one write, so that nothing waits in a buffer when the
/// process is killed, and one that fails is taken back.
pub(super) struct Appended {
    file: File,
    path: PathBuf,
    length: u64,
    unsynced: bool,
}

impl Appended {
    /// A new file.
    pub(super) fn create(folder: &ResultsFolder, name: &str) -> Result<Self, Failure> {
        let path = folder.file(name);
        let file = File::create_new(&path).map_err(|error| Failure::write(&path, &error))?;
        Ok(Self {
            file,
            path,
            length: 0,
            unsynced: true,
        })
    }

    /// A file that is there, cut to its first `length` bytes.
    pub(super) fn reopen(folder: &ResultsFolder, name: &str, length: u64) -> Result<Self, Failure> {
        let path = folder.file(name);
        let refuse = |error: &io::Error| Failure::write(&path, error);
        let file = OpenOptions::new()
            .append(true)
            .open(&path)
            .map_err(|error| refuse(&error))?;
        file.set_len(length).map_err(|error| refuse(&error))?;
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
            // Part of it may have been written; a disk that is full has room for less.
            let _ = self.file.set_len(self.length);
            Failure::write(&self.path, &error)
        })?;
        self.length += bytes.len() as u64;
        Ok(())
    }

    /// Lets what was appended survive a loss of power, as far as the system can promise that.
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
}

/// A CSV file that begins with the names of its columns.
pub(super) struct Table(pub(super) Appended);

impl Table {
    pub(super) fn create<R: Row>(folder: &ResultsFolder, name: &str) -> Result<Self, Failure> {
        let mut file = Appended::create(folder, name)?;
        file.append(header::<R>().as_bytes())?;
        Ok(Self(file))
    }

    pub(super) fn append<R: Row>(&mut self, rows: &[R]) -> Result<(), Failure> {
        let lines = lines_of(rows, &self.0.path)?;
        self.0.append(&lines)
    }
}

/// The first line of a CSV file, with its end.
pub(super) fn header<R: Row>() -> String {
    format!("{}\n", R::COLUMNS.join(","))
}

fn lines_of<R: Row>(rows: &[R], path: &Path) -> Result<Vec<u8>, Failure> {
    csv_lines(rows)
        .map_err(|error| Failure::Run(format!("cannot write `{}`: {error}", path.display())))
}

/// Writes a whole CSV file; whoever looks sees the old one or the new one.
pub(super) fn replace_rows<R: Row>(
    folder: &ResultsFolder,
    name: &str,
    rows: &[R],
) -> Result<(), Failure> {
    let mut file = Replacement::begin(folder, name)?;
    file.write(header::<R>().as_bytes())?;
    file.write(&lines_of(rows, &folder.file(name))?)?;
    file.finish()?;
    Ok(())
}

/// A file that is written beside the one that it will replace.
pub(super) struct Replacement {
    out: io::BufWriter<File>,
    path: PathBuf,
    beside: PathBuf,
    length: u64,
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
    pub(super) fn begin(folder: &ResultsFolder, name: &str) -> Result<Self, Failure> {
        let path = folder.file(name);
        let beside = folder.file(&format!("{name}.new"));
        let file = File::create(&beside).map_err(|error| Failure::write(&beside, &error))?;
        Ok(Self {
            out: io::BufWriter::new(file),
            path,
            beside,
            length: 0,
            finished: false,
        })
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.length += bytes.len() as u64;
        self.out
            .write_all(bytes)
            .map_err(|error| Failure::write(&self.beside, &error))
    }

    /// Puts it into its place; returns its length.
    pub(super) fn finish(mut self) -> Result<u64, Failure> {
        let done = self
            .out
            .flush()
            .and_then(|()| self.out.get_ref().sync_data())
            .and_then(|()| fs::rename(&self.beside, &self.path));
        done.map_err(|error| Failure::write(&self.path, &error))?;
        self.finished = true;
        Ok(self.length)
    }
}
