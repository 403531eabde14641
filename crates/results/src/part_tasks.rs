//! tasks.csv: the pairs that a part of a run is to play, with their openings as FEN. So a part needs no openings file.

use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::text_file::open_file;

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
    /// The overrides of the first engine, in a run that has them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub first_overrides: Option<String>,
    /// The overrides of the other engine.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub second_overrides: Option<String>,
}

/// The tasks of a file.
///
/// # Errors
/// When it cannot be read.
pub fn read_tasks(path: &Path) -> csv::Result<Vec<TaskRow>> {
    csv::Reader::from_reader(open_file(path)?).into_deserialize().collect()
}
