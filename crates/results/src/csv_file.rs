//! CSV files: rows with named columns, as text.

use std::path::Path;

use super::folder::{ResultFile, ResultsFolder, replace};
use crate::row::Row;
use crate::text_file::open_file;
use lmrlab_diagnostics::failure::Failure;

/// The first line of a file of such rows, with its end.
pub fn header<R: Row>() -> String {
    format!("{}\n", R::names().join(","))
}

/// Rows as CSV, without the line of column names.
///
/// # Errors
/// When a row cannot be written as CSV.
pub fn csv_lines<R: Row>(rows: &[R]) -> Result<Vec<u8>, Failure> {
    let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    let written = rows.iter().try_for_each(|row| writer.serialize(row));
    let lines = written.and_then(|()| Ok(writer.into_inner().map_err(csv::IntoInnerError::into_error)?));
    lines.map_err(|error| Failure::encode("a row", &error))
}

/// A whole CSV file.
///
/// # Errors
/// As [`csv_lines`].
pub fn csv_text<R: Row>(rows: &[R]) -> Result<Vec<u8>, Failure> {
    Ok([header::<R>().into_bytes(), csv_lines(rows)?].concat())
}

/// Writes a whole CSV file; a reader sees the old one or the new one.
///
/// # Errors
/// When it cannot be written; then the old file is still there.
pub fn replace_rows<R: Row>(folder: &ResultsFolder, file: ResultFile, rows: &[R]) -> Result<(), Failure> {
    replace(folder, file, &csv_text(rows)?)
}

/// The rows of a file that can be read. A line that was cut short or has another format is left out.
pub fn rows<R: Row>(path: &Path) -> impl Iterator<Item = R> + use<R> {
    let rows = open_file(path).map(|file| csv::Reader::from_reader(file).into_deserialize());
    rows.into_iter().flatten().flatten()
}
