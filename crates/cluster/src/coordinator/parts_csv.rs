//! parts.csv: how each part ended, one line a part. It says where every recorded pair was played.

use std::collections::BTreeMap;
use std::path::Path;

use lmrlab_results::appended::AppendedFile;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{PARTS, ResultsFolder};
use lmrlab_results::text_file;

use lmrlab_results::csv_file::{CsvFile, replace_rows};
use lmrlab_results::number_ranges::Numbers;
use lmrlab_results::parts::{PartEnd, PartRow};

/// The parts of a run that have ended so far.
pub(super) struct PartsCsv {
    file: CsvFile,
    rows: Vec<PartRow>,
}

impl PartsCsv {
    /// The file of a run, with the lines of earlier processes.
    pub(super) fn open(run: &Path) -> Result<Self, Failure> {
        let path = run.join(PARTS.name());
        let rows = read(&path)?;
        // This drops an unfinished line that a kill left at the end.
        let folder = ResultsFolder::to_read(run)?;
        replace_rows(&folder, PARTS, &rows)?;
        Ok(Self {
            file: CsvFile(AppendedFile::open(&folder, PARTS)?),
            rows,
        })
    }

    /// Adds a line.
    pub(super) fn add(&mut self, row: PartRow) -> Result<(), Failure> {
        self.file.append(std::slice::from_ref(&row))?;
        self.rows.push(row);
        Ok(())
    }

    /// Whether an earlier coordinator took the results of this part.
    pub(super) fn has(&self, part: u64) -> bool {
        let mut rows = self.rows.iter();
        rows.any(|row| (row.part, row.outcome) == (part, PartEnd::Done))
    }

    /// The greatest number of a part.
    pub(super) fn last_part(&self) -> u64 {
        self.rows.iter().map(|row| row.part).max().unwrap_or(0)
    }
}

/// The longest parts.csv that is read, in bytes.
const MAX_BYTES: u64 = 1 << 30;

/// The lines of a parts.csv; empty when there is no file.
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
    /// Time of all parts that ended, in milliseconds.
    pub milliseconds: u64,
}

/// Totals by host.
pub fn totals(rows: &[PartRow]) -> BTreeMap<String, HostTotal> {
    let mut totals = BTreeMap::<String, HostTotal>::new();
    for row in rows.iter().filter(|row| row.outcome != PartEnd::Unneeded) {
        let host = if row.host.is_empty() {
            "an unknown host"
        } else {
            &row.host
        };
        let total = totals.entry(host.to_owned()).or_default();
        total.milliseconds += row.duration_ms.unwrap_or(0);
        if row.outcome == PartEnd::Failed {
            total.failed += 1;
        } else {
            total.parts += 1;
            total.pairs += row.pairs.0.iter().map(Numbers::count).sum::<u64>();
        }
    }
    totals
}
