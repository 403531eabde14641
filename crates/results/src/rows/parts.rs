//! The lines of parts.csv: how each part of a run on many machines ended.

use serde::{Deserialize, Serialize};

use crate::row::rows;

/// How a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PartEnd {
    /// Its results count.
    Done,
    /// It failed, and its pairs were given out again.
    Failed,
}

impl PartEnd {
    /// Its name in parts.csv.
    pub fn name(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Failed => "failed",
        }
    }
}

rows! {
    /// A line of parts.csv.
    PartRow {
        part: u64 = "Part", "", "its number, from 1; pairs that are given out again make a new part";
        attempt: u64 = "Attempt", "", "the attempt at its pairs, from 1";
        host: String = "Host", "", "where it was played; empty when that is not known";
        outcome: PartEnd = "Outcome", "", "`done`: its results count; `failed`: its pairs were given out again";
        pairs: String = "Pairs", "", "its pairs, as numbers and ranges such as `1-25 27`";
        duration_ms: Option<u64> = "Time", "ms", "how long it was played, by the clock of its host; empty when it was not played to its end";
        why: String = "Why", "", "why it failed";
    }
}
