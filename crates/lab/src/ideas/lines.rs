//! Reads the CSV files of ideas: a value for each line, by the names of the columns.

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use serde::de::DeserializeOwned;

/// The lines of a file. `check` says what is wrong with a line that can be read.
///
/// # Errors
/// All mistakes of all lines.
pub(super) fn lines<T: DeserializeOwned>(
    source: &Source,
    check: impl Fn(&T) -> Vec<String>,
) -> Result<Vec<T>, Diagnostics> {
    let mut reader = csv::ReaderBuilder::new()
        .trim(csv::Trim::All)
        .from_reader(source.text.as_bytes());
    let (mut lines, mut wrong) = (Vec::new(), Vec::new());
    let header = reader.headers().cloned().unwrap_or_default();
    for record in reader.records() {
        let (position, mistakes) = match &record {
            Ok(record) => {
                let mistakes = match record.deserialize(Some(&header)) {
                    Ok(line) => {
                        let mistakes = check(&line);
                        lines.push(line);
                        mistakes
                    }
                    Err(error) => vec![mistake(&error, record, &header)],
                };
                (record.position(), mistakes)
            }
            Err(error) => (error.position(), vec![error.to_string()]),
        };
        // Each line would lack the same column.
        let lacks_column = mistakes.iter().any(|what| what.starts_with("missing field"));
        let start = position.map_or(0, |position| position.byte() as usize);
        let rest = source.text.get(start..).unwrap_or_default();
        let line = rest.trim_start_matches(['\r', '\n']);
        let start = start + rest.len() - line.len();
        let place = start..start + line.find(['\r', '\n']).unwrap_or(line.len());
        let mistakes = mistakes.into_iter();
        wrong.extend(mistakes.map(|what| Diagnostic::error(what).at(place.clone(), "")));
        if lacks_column {
            break;
        }
    }
    match wrong.is_empty() {
        true => Ok(lines),
        false => Err(Diagnostics::new(source.clone(), wrong)),
    }
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
