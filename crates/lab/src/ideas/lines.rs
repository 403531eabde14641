//! Reads the CSV files of ideas: a value for each line, by the names of the columns.

use std::ops::Range;

use csv::{Position, ReaderBuilder, Trim};
use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_results::line_errors;
use serde::de::DeserializeOwned;

/// The lines of a file. `check` says what is wrong with a line that can be read.
///
/// # Errors
/// All mistakes of all lines.
pub(super) fn lines<T: DeserializeOwned>(
    source: &Source,
    check: impl Fn(&T) -> Vec<&'static str>,
) -> Result<Vec<T>, Diagnostics> {
    let mut reader = ReaderBuilder::new().trim(Trim::All).from_reader(source.text.as_bytes());
    let header = reader.headers().cloned().unwrap_or_default();
    let read = reader.records().map(|record| match record {
        Ok(record) => {
            let line = record.deserialize(Some(&header));
            let line = line.map_err(|error| mistake(&error, &record, &header));
            let checked = line.and_then(|line| match check(&line) {
                none if none.is_empty() => Ok(line),
                mistakes => Err(mistakes.join("; ")),
            });
            (place(source, record.position()), checked)
        }
        Err(error) => (place(source, error.position()), Err(error.to_string())),
    });
    line_errors::all(source, read, "this line is not right", "lines that are not right")
}

/// The place of a line. Empty lines before it are skipped.
fn place(source: &Source, position: Option<&Position>) -> Range<usize> {
    let start = position.map_or(0, |position| position.byte() as usize);
    let rest = source.text.get(start..).unwrap_or_default();
    let line = rest.trim_start_matches(['\r', '\n']);
    let start = start + rest.len() - line.len();
    start..start + line.find(['\r', '\n']).unwrap_or(line.len())
}

/// What is wrong with a line, with the cell that is wrong.
fn mistake(error: &csv::Error, record: &csv::StringRecord, header: &csv::StringRecord) -> String {
    let csv::ErrorKind::Deserialize { err, .. } = error.kind() else {
        return error.to_string();
    };
    let field = err.field().and_then(|field| usize::try_from(field).ok());
    match field.and_then(|field| record.get(field).zip(header.get(field))) {
        Some((cell, column)) => format!("`{cell}` is not right in column `{column}`: {}", err.kind()),
        None => err.kind().to_string(),
    }
}
