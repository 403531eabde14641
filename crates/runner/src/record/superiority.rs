//! superiority.csv: how sure it is, from all games together, that one engine is stronger than another.

use serde::Serialize;

use super::Row;
use super::fixed::Fixed;
use super::tally::Tally;
use lmrlab_stats::ratings::Ratings;

/// A line of superiority.csv.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SuperiorityRow {
    /// The engine.
    pub engine: String,
    /// Another.
    pub opponent: String,
    /// Likelihood, 0 to 1, that the engine is the stronger, from the ratings of all; empty when the results do not
    /// connect the two.
    pub superiority: Fixed<6>,
}

impl Row for SuperiorityRow {
    const COLUMNS: &[&str] = &["engine", "opponent", "superiority"];
}

/// The lines of superiority.csv: every engine with every other, in the order of the tournament file.
pub fn superiority(tally: &Tally, ratings: &Ratings) -> Vec<SuperiorityRow> {
    let names = tally.names();
    let mut rows = Vec::new();
    for (engine, name) in names.iter().enumerate() {
        for (opponent, opponent_name) in names.iter().enumerate() {
            if engine != opponent {
                rows.push(SuperiorityRow {
                    engine: name.clone(),
                    opponent: opponent_name.clone(),
                    superiority: ratings.los(engine, opponent).into(),
                });
            }
        }
    }
    rows
}
