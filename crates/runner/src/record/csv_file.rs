//! CSV files: rows with named columns.

use serde::Serialize;

use super::appended::AppendedFile;
use super::folder::{ResultFile, ResultsFolder};
use super::replacement::replace;
use crate::failure::Failure;

/// A line of a CSV file.
pub trait Row: Serialize {
    /// The names of its columns: the first line of the file, which is there even without rows.
    const COLUMNS: &[&str];
}

/// The first line of a file of such rows, with its end.
pub(super) fn header<R: Row>() -> String {
    format!("{}\n", R::COLUMNS.join(","))
}

/// Rows as CSV, without the line of column names.
pub(super) fn csv_lines<R: Row>(rows: &[R]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    for row in rows {
        writer.serialize(row)?;
    }
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A CSV file that grows row by row.
pub(super) struct CsvFile(pub(super) AppendedFile);

impl CsvFile {
    /// A new file with the names of its columns.
    pub(super) fn create<R: Row>(folder: &ResultsFolder, file: ResultFile) -> Result<Self, Failure> {
        let mut file = AppendedFile::create(folder, file)?;
        file.append(header::<R>().as_bytes())?;
        Ok(Self(file))
    }

    /// Appends rows with one write.
    pub(super) fn append<R: Row>(&mut self, rows: &[R]) -> Result<(), Failure> {
        let lines = csv_lines(rows).map_err(|error| Failure::write(self.0.path(), &error.into()))?;
        self.0.append(&lines)
    }
}

/// Writes a whole CSV file; a reader sees the old one or the new one.
pub(super) fn replace_rows<R: Row>(folder: &ResultsFolder, file: ResultFile, rows: &[R]) -> Result<(), Failure> {
    let lines = csv_lines(rows).map_err(|error| Failure::write(&folder.file(file), &error.into()))?;
    let mut text = header::<R>().into_bytes();
    text.extend(lines);
    replace(folder, file, &text)
}
