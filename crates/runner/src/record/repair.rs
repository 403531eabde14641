//! The reading of a journal that may have been cut off anywhere.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use super::journal::GameRow;
use super::table::header;
use super::{Row, timings::TimingRow};
use crate::failure::Failure;
use crate::openings::Openings;
use crate::tournament::schedule::ScheduledPair;

/// The longest line of a journal that is read, in bytes: far more than a game of the greatest length has.
const MAX_LINE: u64 = 1 << 24;

/// Shows the whole pairs of a journal one after the other; returns the length of the file up to the end of the last one.
/// What follows is the rest of a pair that was being written when the run ended. `each` tells whether a pair is the one
/// that comes next.
///
/// # Errors
/// When the file cannot be read, holds another pair than the one that comes next, or goes on after an unreadable line; or
/// when `each` fails.
pub(super) fn read_pairs(
    path: &Path,
    each: &mut dyn FnMut([GameRow; 2]) -> Result<bool, Failure>,
) -> Result<u64, Failure> {
    let shown = path.display();
    let unreadable =
        |error: io::Error| Failure::input(format!("cannot read `{shown}`: {error}"), "");
    let mut lines = Lines::open(path).map_err(unreadable)?;
    match lines.next().map_err(unreadable)? {
        Some(line) if line == header::<GameRow>() => {}
        // Cut off in the first line.
        Some(line) if !line.ends_with('\n') && header::<GameRow>().starts_with(line) => {
            return Ok(0);
        }
        None => return Ok(0),
        Some(_) => {
            return Err(Failure::input(
                format!("`{shown}` does not begin with the columns of a journal of this version"),
                "it cannot be continued; play it again with `--force`",
            ));
        }
    }
    let mut whole = lines.read;
    let mut first: Option<GameRow> = None;
    while let Some(line) = lines.next().map_err(unreadable)? {
        let Some(row) = row(line) else {
            return match lines.any(|line| row(line).is_some()).map_err(unreadable)? {
                true => Err(Failure::input(
                    format!(
                        "line {} of `{shown}` is no game, and there are games after it",
                        lines.count
                    ),
                    "somebody has changed the file; it cannot be continued",
                )),
                false => Ok(whole),
            };
        };
        let Some(one) = first.take() else {
            first = Some(row);
            continue;
        };
        if !each([one, row])? {
            return Err(Failure::input(
                format!(
                    "line {} of `{shown}` is not the game that the manifest has there",
                    lines.count
                ),
                "the file belongs to another run, or somebody has changed it",
            ));
        }
        whole = lines.read;
    }
    Ok(whole)
}

/// Pairs that were finished before an earlier one was, as far as they can be read.
pub(super) fn read_waiting(path: &Path) -> Vec<[GameRow; 2]> {
    let Ok(mut lines) = Lines::open(path) else {
        return Vec::new();
    };
    let mut pairs = Vec::new();
    let mut first: Option<GameRow> = None;
    let _ = lines.next();
    while let Ok(Some(line)) = lines.next() {
        let Some(row) = row(line) else { break };
        match first.take() {
            None => first = Some(row),
            Some(one) => pairs.push([one, row]),
        }
    }
    pairs
}

/// The length of timings.csv up to the end of its last line that is whole and no later than game `games`.
pub(super) fn timings_length(path: &Path, games: u64) -> Option<u64> {
    let mut lines = Lines::open(path).ok()?;
    if lines.next().ok()?? != header::<TimingRow>() {
        return None;
    }
    let mut length = lines.read;
    while let Ok(Some(line)) = lines.next() {
        let game = line.split(',').next().and_then(|cell| cell.parse().ok());
        if !line.ends_with('\n') || game.is_none_or(|game: u64| game > games) {
            break;
        }
        length = lines.read;
    }
    Some(length)
}

/// The game of a line that is whole.
fn row(line: &str) -> Option<GameRow> {
    if !line.ends_with('\n') {
        return None;
    }
    let mut reader = csv::ReaderBuilder::new()
        .has_headers(false)
        .from_reader(line.as_bytes());
    let mut record = csv::StringRecord::new();
    if !reader.read_record(&mut record).ok()? || record.len() != GameRow::COLUMNS.len() {
        return None;
    }
    record.deserialize(None).ok()
}

/// Whether these are the games of a scheduled pair.
pub(super) fn is_scheduled(
    pair: &[GameRow; 2],
    scheduled: ScheduledPair,
    names: &[String],
    openings: &Openings,
) -> bool {
    let fen = openings.fen(scheduled.opening).unwrap_or_default();
    let engines = [scheduled.pairing.first, scheduled.pairing.second].map(|engine| &names[engine]);
    pair.iter().enumerate().all(|(which, row)| {
        row.game == 2 * scheduled.index + which as u64 + 1
            && row.fen == fen
            && row.white == *engines[which]
            && row.black == *engines[1 - which]
    })
}

/// The lines of a file one after the other, with their ends.
struct Lines {
    file: BufReader<File>,
    line: String,
    bytes: Vec<u8>,
    /// Bytes up to the end of the last line.
    read: u64,
    /// Number of the last line, from 1.
    count: u64,
}

impl Lines {
    fn open(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufReader::new(File::open(path)?),
            line: String::new(),
            bytes: Vec::new(),
            read: 0,
            count: 0,
        })
    }

    fn next(&mut self) -> io::Result<Option<&str>> {
        self.bytes.clear();
        let mut limited = io::Read::take(&mut self.file, MAX_LINE);
        let count = limited.read_until(b'\n', &mut self.bytes)?;
        if count == 0 {
            return Ok(None);
        }
        self.read += count as u64;
        self.count += 1;
        self.line.clear();
        self.line.push_str(&String::from_utf8_lossy(&self.bytes));
        Ok(Some(&self.line))
    }

    /// Whether any of the lines that follow is one of these.
    fn any(&mut self, is: impl Fn(&str) -> bool) -> io::Result<bool> {
        let line = self.count;
        while let Some(next) = self.next()? {
            if is(next) {
                self.count = line;
                return Ok(true);
            }
        }
        Ok(false)
    }
}
