//! parts.csv: what became of each attempt at a part, one line when it ended. It tells where every recorded pair was played.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};

use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::appended::AppendedFile;
use lmrlab_runner::record::fixed::Spaced;
use lmrlab_runner::record::folder::{PARTS, ResultsFolder};
use lmrlab_runner::text_file;

use super::numbers::Numbers;

/// How an attempt ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Fate {
    /// Its results count.
    Done,
    /// Its results were not needed: another attempt was faster, or the pairs are not needed any more.
    Unneeded,
    /// It failed.
    Failed,
    /// Its host was excluded before: none of its results count.
    Excluded,
}

/// A line of parts.csv.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AttemptRow {
    /// The part, from 1.
    pub part: u64,
    /// The attempt at it, from 1.
    pub attempt: u32,
    /// Where it was played; empty when that is not known.
    pub host: String,
    /// How it ended.
    pub fate: Fate,
    /// Its pairs by their numbers, from 1.
    pub pairs: Spaced<Numbers>,
    /// Pairs of other parts that it repeated.
    pub checks: u64,
    /// Time that its pairs took, in milliseconds; empty when it did not end.
    pub duration_ms: Option<u64>,
    /// Why it failed or does not count.
    pub why: String,
}

impl AttemptRow {
    /// The columns.
    pub const COLUMNS: [&str; 8] = [
        "part",
        "attempt",
        "host",
        "fate",
        "pairs",
        "checks",
        "duration_ms",
        "why",
    ];
}

/// What became of the attempts so far.
pub(super) struct Ledger {
    file: AppendedFile,
    rows: Vec<AttemptRow>,
}

impl Ledger {
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
    pub(super) fn add(&mut self, row: AttemptRow) -> Result<(), Failure> {
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

    /// The lines.
    pub(super) fn rows(&self) -> &[AttemptRow] {
        &self.rows
    }

    /// Whether the results of an attempt were taken by an earlier process.
    pub(super) fn has(&self, part: u64, attempt: u32) -> bool {
        self.rows
            .iter()
            .any(|row| (row.part, row.attempt, row.fate) == (part, attempt, Fate::Done))
    }

    /// The first of the pairs up to number `recorded` that come from a host; from 1.
    pub(super) fn recorded_of(&self, host: &str, recorded: u64) -> Option<u64> {
        let done = self
            .rows
            .iter()
            .filter(|row| row.fate == Fate::Done && row.host == host);
        let firsts = done.filter_map(|row| row.pairs.0.first());
        firsts.map(|range| range.first).filter(|first| *first <= recorded).min()
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
pub(super) fn write(path: &Path, rows: &[AttemptRow]) -> Result<(), Failure> {
    let unwritable =
        |error: &dyn std::fmt::Display| Failure::run(format!("cannot write `{}`: {error}", path.display()));
    let mut text = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
    text.write_record(AttemptRow::COLUMNS)
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
pub fn read(path: &Path) -> Result<Vec<AttemptRow>, Failure> {
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

/// What each host has done for a run.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HostTotal {
    /// Parts whose results count.
    pub parts: u64,
    /// Their pairs.
    pub pairs: u64,
    /// Attempts that failed.
    pub failed: u64,
    /// Pairs that were repeated, or played and not needed.
    pub overhead: u64,
    /// Time of all that ended, in milliseconds.
    pub milliseconds: u64,
}

/// What each host has done.
pub fn totals(rows: &[AttemptRow]) -> BTreeMap<String, HostTotal> {
    let mut totals = BTreeMap::<String, HostTotal>::new();
    for row in rows {
        let host = if row.host.is_empty() {
            "an unknown host"
        } else {
            &row.host
        };
        let total = totals.entry(host.to_owned()).or_default();
        let pairs: u64 = row.pairs.0.iter().map(Numbers::count).sum();
        total.milliseconds += row.duration_ms.unwrap_or(0);
        match row.fate {
            Fate::Done => {
                total.parts += 1;
                total.pairs += pairs;
                total.overhead += row.checks;
            }
            Fate::Unneeded | Fate::Excluded if row.duration_ms.is_some() => total.overhead += pairs + row.checks,
            Fate::Unneeded | Fate::Excluded => {}
            Fate::Failed => total.failed += 1,
        }
    }
    totals.retain(|_, total| (total.parts, total.failed, total.overhead) != (0, 0, 0));
    totals
}
