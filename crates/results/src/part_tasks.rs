//! tasks.csv: the pairs that a part of a run is to play, with their openings as FEN. So a part needs no openings file.

use serde::{Deserialize, Serialize};

use crate::games::Overrides;
use crate::journal::LineFormat;

/// A line of tasks.csv: a pair.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRow {
    /// Its number, from 1.
    pub pair: u64,
    /// The number of its round, from 1.
    pub round: u64,
    /// The number of its opening, from 1, through all books.
    pub opening: u64,
    /// The opening.
    pub fen: String,
    /// The engine that has White in the first game.
    pub first: String,
    /// The other engine.
    pub second: String,
    /// The overrides of both sides, in a run that has them.
    #[serde(skip)]
    pub overrides: Option<Overrides>,
}

const COLUMNS: [&str; 6] = ["pair", "round", "opening", "fen", "first", "second"];
const OVERRIDES: [&str; 2] = ["first_overrides", "second_overrides"];

/// The format of tasks.csv.
#[derive(Debug, Clone, Copy)]
pub struct TaskFormat {
    /// Whether the sides have overrides.
    pub has_overrides: bool,
}

impl LineFormat for TaskFormat {
    type Line = TaskRow;
    const NAME: &'static str = "pair";

    fn columns(&self) -> Vec<String> {
        let more = OVERRIDES.iter().filter(|_| self.has_overrides);
        COLUMNS.iter().chain(more).map(|name| (*name).to_owned()).collect()
    }

    fn write(&self, line: &TaskRow, out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        match &line.overrides {
            Some([first, second]) => out.serialize((line, &**first, &**second)),
            None => out.serialize(line),
        }
    }

    fn read(&self, record: &csv::StringRecord) -> Option<TaskRow> {
        if !self.has_overrides {
            return record.deserialize(None).ok();
        }
        let (row, first, second): (TaskRow, &str, &str) = record.deserialize(None).ok()?;
        Some(TaskRow {
            overrides: Some([first.into(), second.into()]),
            ..row
        })
    }
}
