//! timings.csv: the part of the results that depends on the clock.

use std::time::Duration;

use crate::fixed::Fixed;
use crate::row::rows;

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

/// When the last of these games ended, after the start of the run. Zero when that is not known.
pub fn end(rows: impl IntoIterator<Item = TimingRow>) -> Duration {
    let ends = rows
        .into_iter()
        .filter_map(|row| Some(row.start_ms.0? + row.duration_ms.0?));
    Duration::try_from_secs_f64(ends.fold(0.0, f64::max) / 1_000.0).unwrap_or_default()
}
