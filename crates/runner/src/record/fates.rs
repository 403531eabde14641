//! race.csv: the fate of each engine in a race.

use serde::Serialize;

use super::csv_file::Row;
use super::tally::Tally;
use crate::tournament::race::{RaceCourse, fate_name};
use lmrlab_stats::race::Fate;

/// A line of race.csv.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FateRow {
    /// The engine.
    pub engine: String,
    /// `accepted`, `dropped`, `racing` while undecided, or `baseline`.
    pub fate: &'static str,
    /// Rounds that it had played by then, or has played so far.
    pub rounds: u64,
    /// Pairs of games that it has played.
    pub pairs: u64,
    /// Number of the pair in pairs.csv after which its fate was decided; empty while undecided.
    pub decided_at_pair: Option<u64>,
}

impl Row for FateRow {
    const COLUMNS: &[&str] = &["engine", "fate", "rounds", "pairs", "decided_at_pair"];
}

/// The lines of race.csv, in the order of the tournament file.
pub fn fates(tally: &Tally, race: &RaceCourse) -> Vec<FateRow> {
    let names = tally.names().iter().enumerate();
    names
        .map(|(engine, name)| {
            let fate = race.fate(engine);
            FateRow {
                engine: name.clone(),
                fate: fate_name(fate),
                rounds: match fate {
                    Fate::Dropped { rounds } | Fate::Accepted { rounds } => rounds,
                    Fate::Racing | Fate::Baseline => race.rounds(),
                },
                pairs: tally.total(engine).pairs.pairs(),
                decided_at_pair: race.decided_at(engine),
            }
        })
        .collect()
}
