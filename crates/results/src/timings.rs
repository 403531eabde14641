//! timings.csv: what depends on the clock, and on nothing else.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::csv_file::Row;
use super::csv_file::header;
use super::fixed::Fixed;
use super::journal::TextLines;

/// A line of timings.csv.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TimingRow {
    /// Number of the game, as in games.csv.
    pub game: u64,
    /// When the game began, after the beginning of the run.
    pub start_ms: Fixed<3>,
    /// How long it took.
    pub duration_ms: Fixed<3>,
    /// Time that White thought.
    pub white_time_ms: Fixed<3>,
    /// Time that Black thought.
    pub black_time_ms: Fixed<3>,
    /// Nodes that White searched in a second of thinking.
    pub white_nps: Fixed<0>,
    /// Nodes that Black searched in a second of thinking.
    pub black_nps: Fixed<0>,
}

impl Row for TimingRow {
    const COLUMNS: &[&str] = &[
        "game",
        "start_ms",
        "duration_ms",
        "white_time_ms",
        "black_time_ms",
        "white_nps",
        "black_nps",
    ];
}

impl TimingRow {
    /// The line of a game whose times nobody knows any more.
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

/// The length of timings.csv up to the end of its last complete line of a game up to number `games`.
pub fn length_up_to(path: &Path, games: u64) -> Option<u64> {
    let mut lines = TextLines::open(path).ok()?;
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
