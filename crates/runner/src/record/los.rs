//! los.csv: the likelihood of superiority (LOS, or CFS: chance for superiority) of every engine over every other, from the
//! ratings of all.

use serde::Serialize;

use super::csv_file::Row;
use super::fixed::Fixed;
use super::tally::Tally;
use lmrlab_stats::ratings::Ratings;

/// A line of los.csv.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct LosRow {
    /// The engine.
    pub engine: String,
    /// The opponent.
    pub opponent: String,
    /// Likelihood, 0 to 1, that the engine is the stronger, from the ratings of all; empty when the results do not
    /// connect the two.
    pub los: Fixed<6>,
}

impl Row for LosRow {
    const COLUMNS: &[&str] = &["engine", "opponent", "los"];
}

/// The lines of los.csv: every engine with every other, in the order of the tournament file.
pub fn los(tally: &Tally, ratings: &Ratings) -> Vec<LosRow> {
    let names = tally.names();
    let mut rows = Vec::new();
    for (engine, name) in names.iter().enumerate() {
        for (opponent, opponent_name) in names.iter().enumerate() {
            if engine != opponent {
                rows.push(LosRow {
                    engine: name.clone(),
                    opponent: opponent_name.clone(),
                    los: ratings.los(engine, opponent).into(),
                });
            }
        }
    }
    rows
}
