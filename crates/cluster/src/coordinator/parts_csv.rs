//! parts.csv: how each part ended, one line a part. It says where every recorded pair was played.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::appended::AppendedFile;
use lmrlab_runner::record::fixed::Spaced;
use lmrlab_runner::record::folder::{PARTS, ResultsFolder};
use lmrlab_runner::text_file;

use super::numbers::Numbers;

/// How a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// Its results count.
    Done,
    /// It was cancelled: its pairs are not needed any more, or the run was asked to stop.
    Unneeded,
    /// It failed, and its pairs were submitted again.
    Failed,
}

/// A line of parts.csv.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PartRow {
    /// The part, from 1; pairs that are submitted again make a new part.
    pub part: u64,
    /// The attempt at its pairs, from 1.
    pub attempt: u64,
    /// Where it was played; empty when that is not known.
    pub host: String,
    /// How it ended.
    pub outcome: Outcome,
    /// Its pairs by their numbers, from 1.
    pub pairs: Spaced<Numbers>,
    /// Time that its pairs took, in milliseconds; empty when it was not played to its end.
    pub duration_ms: Option<u64>,
    /// Why it failed or is not needed.
    pub why: String,
}

impl PartRow {
    /// The columns.
    pub const COLUMNS: [&str; 7] = ["part", "attempt", "host", "outcome", "pairs", "duration_ms", "why"];
}

/// The parts of a run that have ended so far.
pub(super) struct PartsCsv {
    file: AppendedFile,
    rows: Vec<PartRow>,
}

impl PartsCsv {
    /// The file of a run, with the lines of earlier processes.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(super) fn open(run: &Path) -> Result<Self, Failure> {
        let path = run.join(PARTS.name());
        let rows = read(&path)?;
        // What a kill left unfinished at the end goes.
        write(&path, &rows)?;
        Ok(Self {
            file: AppendedFile::open(&ResultsFolder::to_read(run)?, PARTS)?,
            rows,
        })
    }

    /// Adds a line.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(super) fn add(&mut self, row: PartRow) -> Result<(), Failure> {
        let mut line = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        let line = line
            .serialize(&row)
            .map_err(std::io::Error::from)
            .and_then(|()| line.into_inner().map_err(csv::IntoInnerError::into_error));
        let line = line.map_err(|error| Failure::write(self.file.path(), &error))?;
        self.file.append(&line)?;
        self.rows.push(row);
        Ok(())
    }

    /// Whether the results of a part were taken by an earlier coordinator.
    pub(super) fn has(&self, part: u64) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| (row.part, row.outcome) == (part, Outcome::Done))
    }

    /// The greatest number of a part.
    pub(super) fn last_part(&self) -> u64 {
        self.rows.iter().map(|row| row.part).max().unwrap_or(0)
    }
}

/// Writes a whole parts.csv.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(path: &Path, rows: &[PartRow]) -> Result<(), Failure> {
    let unwritable =
        |error: &dyn std::fmt::Display| Failure::run(format!("cannot write `{}`: {error}", path.display()));
    let mut text = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    text.write_record(PartRow::COLUMNS)
        .map_err(|error| unwritable(&error))?;
    for row in rows {
        text.serialize(row).map_err(|error| unwritable(&error))?;
    }
    let text = text.into_inner().map_err(|error| unwritable(&error))?;
    std::fs::write(path, text).map_err(|error| unwritable(&error))
}

/// The longest parts.csv that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The lines of a parts.csv; none where there is no file.
///
/// # Errors
/// When it cannot be read. A line that a kill cut short at the end is left out.
pub fn read(path: &Path) -> Result<Vec<PartRow>, Failure> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    let text = text_file::read_utf8(path, MAX_BYTES)
        .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display()), ""))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    let mut reader = csv::Reader::from_reader(whole.as_bytes());
    let mut rows = Vec::new();
    for row in reader.deserialize() {
        rows.push(row.map_err(|error| {
            Failure::input(
                format!("cannot read `{}`: {error}", path.display()),
                "it says where each pair was played; put it back as it was",
            )
        })?);
    }
    Ok(rows)
}

/// What a host has done for a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostTotal {
    /// Parts with results that count.
    pub parts: u64,
    /// Their pairs.
    pub pairs: u64,
    /// Parts that failed.
    pub failed: u64,
    /// Time of all that ended, in milliseconds.
    pub milliseconds: u64,
}

/// What each host has done.
pub fn totals(rows: &[PartRow]) -> BTreeMap<String, HostTotal> {
    let mut totals = BTreeMap::<String, HostTotal>::new();
    for row in rows.iter().filter(|row| row.outcome != Outcome::Unneeded) {
        let host = if row.host.is_empty() {
            "an unknown host"
        } else {
            &row.host
        };
        let total = totals.entry(host.to_owned()).or_default();
        total.milliseconds += row.duration_ms.unwrap_or(0);
        if row.outcome == Outcome::Failed {
            total.failed += 1;
        } else {
            total.parts += 1;
            total.pairs += row.pairs.0.iter().map(Numbers::count).sum::<u64>();
        }
    }
    totals
}
