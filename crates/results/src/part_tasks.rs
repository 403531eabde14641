//! tasks.csv of a part of a run: the pairs to play. It has the columns `opening` and `fen` for every kind of run, so a
//! part needs no openings file.

use std::collections::HashMap;
use std::path::Path;

use crate::text_file::open_file;
use lmrlab_diagnostics::failure::Failure;

/// The positions in the file, each once, with their indices in the openings file, from 0.
///
/// # Errors
/// When the file cannot be read, or a line has no such columns.
pub fn openings(path: &Path) -> Result<HashMap<usize, Box<str>>, Failure> {
    let damaged = |what: String| {
        Failure::input(
            format!("cannot read `{}`: {what}", path.display()),
            "it was cut short or edited; copy the folder of the part again",
        )
    };
    let mut reader = open_file(path)
        .map(csv::Reader::from_reader)
        .map_err(|error| damaged(error.to_string()))?;
    let headers = reader.headers().map_err(|error| damaged(error.to_string()))?;
    let column = |name: &str| {
        let place = headers.iter().position(|header| header == name);
        place.ok_or_else(|| damaged(format!("it has no column `{name}`")))
    };
    let (opening, fen) = (column("opening")?, column("fen")?);
    let mut positions: HashMap<usize, Box<str>> = HashMap::new();
    let mut record = csv::StringRecord::new();
    while reader
        .read_record(&mut record)
        .map_err(|error| damaged(error.to_string()))?
    {
        let index = record
            .get(opening)
            .and_then(|cell| cell.parse::<usize>().ok()?.checked_sub(1));
        let fen = record.get(fen).filter(|fen| !fen.is_empty());
        let (Some(index), Some(fen)) = (index, fen) else {
            let line = record.position().map_or(0, csv::Position::line);
            return Err(damaged(format!("line {line} is no task")));
        };
        positions.entry(index).or_insert_with(|| fen.into());
    }
    Ok(positions)
}
