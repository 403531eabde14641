//! timings.csv: the part of the results that depends on the clock.

use std::path::Path;
use std::time::Duration;

use crate::csv_file::header;
use crate::fixed::Fixed;
use crate::journal::Lines;
use crate::row::rows;
use crate::text_file::open_file;

rows! {
    /// A line of timings.csv.
    TimingRow {
        game: u64 = "Game", "", "as in games.csv";
        start_ms: Fixed<3> = "Start", "ms", "when the game began, after the start of the run, without pauses between its processes";
        duration_ms: Fixed<3> = "Duration", "ms", "how long the game took";
        white_time_ms: Fixed<3> = "White's time", "ms", "thinking time";
        black_time_ms: Fixed<3> = "Black's time", "ms", "thinking time";
        white_nps: Fixed<0> = "White's speed", "nodes/s", "nodes per second of thinking time";
        black_nps: Fixed<0> = "Black's speed", "nodes/s", "nodes per second of thinking time";
    }
}

impl TimingRow {
    /// The line of a game without known times.
    pub fn unknown(number: u64) -> Self {
        Self {
            game: number,
            start_ms: Fixed(None),
            duration_ms: Fixed(None),
            white_time_ms: Fixed(None),
            black_time_ms: Fixed(None),
            white_nps: Fixed(None),
            black_nps: Fixed(None),
        }
    }
}

/// The lines of a timings.csv that can be read.
pub fn rows(path: &Path) -> impl Iterator<Item = TimingRow> + use<> {
    let rows = open_file(path).map(|file| csv::Reader::from_reader(file).into_deserialize::<TimingRow>());
    rows.into_iter().flatten().flatten()
}

/// When the last game ended, after the start of the run. Zero when that is not known.
pub fn end(path: &Path) -> Duration {
    let ends = rows(path).filter_map(|row| Some(row.start_ms.0? + row.duration_ms.0?));
    Duration::try_from_secs_f64(ends.fold(0.0, f64::max) / 1_000.0).unwrap_or_default()
}

/// The length of timings.csv, in bytes, up to the end of its last complete line of a game up to number `games`.
pub fn length_up_to(path: &Path, games: u64) -> Option<u64> {
    let mut lines = Lines::open(path).ok()?;
    if lines.next_line().ok()?? != header::<TimingRow>() {
        return None;
    }
    let mut length = lines.read;
    while let Ok(Some(line)) = lines.next_line() {
        let game = line.split(',').next().and_then(|cell| cell.parse().ok());
        if !line.ends_with('\n') || game.is_none_or(|game: u64| game > games) {
            break;
        }
        length = lines.read;
    }
    Some(length)
}
