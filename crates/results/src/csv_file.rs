//! CSV files: rows with named columns.

use super::appended::AppendedFile;
use super::folder::{ResultFile, ResultsFolder, replace};
use crate::row::Row;
use lmrlab_diagnostics::failure::Failure;

/// The first line of a file of such rows, with its end.
pub fn header<R: Row>() -> String {
    format!("{}\n", R::names().join(","))
}

/// Rows as CSV, without the line of column names.
///
/// # Errors
/// When a row cannot be written as CSV.
pub fn csv_lines<R: Row>(rows: &[R]) -> Result<Vec<u8>, csv::Error> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

/// A CSV file that grows row by row.
pub struct CsvFile(pub AppendedFile);

impl CsvFile {
    /// A file with these rows, in the place of the one that an earlier process has left.
    ///
    /// # Errors
    /// As [`replace_rows`].
    pub fn replace<R: Row>(folder: &ResultsFolder, file: ResultFile, rows: &[R]) -> Result<Self, Failure> {
        let text = table(folder, file, rows)?;
        Ok(Self(AppendedFile::replace(folder, file, &text)?))
    }

    /// Appends rows with one write.
    ///
    /// # Errors
    /// As [`AppendedFile::append`], and when a row cannot be written as CSV.
    pub fn append<R: Row>(&mut self, rows: &[R]) -> Result<(), Failure> {
        let lines = csv_lines(rows).map_err(|error| Failure::write(self.0.path(), &error.into()))?;
        self.0.append(&lines)
    }
}

/// Writes a whole CSV file; a reader sees the old one or the new one.
///
/// # Errors
/// When it cannot be written; then the old file is still there.
pub fn replace_rows<R: Row>(folder: &ResultsFolder, file: ResultFile, rows: &[R]) -> Result<(), Failure> {
    replace(folder, file, &table(folder, file, rows)?)
}

fn table<R: Row>(folder: &ResultsFolder, file: ResultFile, rows: &[R]) -> Result<Vec<u8>, Failure> {
    let lines = csv_lines(rows).map_err(|error| Failure::write(&folder.file(file), &error.into()))?;
    Ok([header::<R>().into_bytes(), lines].concat())
}
