//! crosstable.csv: one line for each engine and each opponent that it met.

use serde::Serialize;

use super::csv_file::Row;
use super::fixed::Fixed;
use super::tally::Tally;
use lmrlab_stats::Estimate;

/// A line of crosstable.csv, seen from the side of `engine`.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CrosstableRow {
    /// The engine.
    pub engine: String,
    /// Who it played against.
    pub opponent: String,
    /// Games played.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// A win is 1 point, a draw 1/2.
    pub points: Fixed<1>,
    /// Points for each game, 0 to 1.
    pub score: Fixed<6>,
    /// Logistic Elo from the score over pairs of games; empty when everything was won or lost.
    pub elo: Fixed<4>,
    /// Half the width of the 95% interval of `elo`; empty when undefined.
    pub elo_error_95: Fixed<4>,
}

impl Row for CrosstableRow {
    const COLUMNS: &[&str] = &[
        "engine",
        "opponent",
        "games",
        "wins",
        "draws",
        "losses",
        "points",
        "score",
        "elo",
        "elo_error_95",
    ];
}

/// The lines of crosstable.csv, engines and opponents in the order of the tournament file.
pub fn crosstable(tally: &Tally) -> Vec<CrosstableRow> {
    let names = tally.names();
    let mut rows = Vec::new();
    for (engine, name) in names.iter().enumerate() {
        for (opponent, opponent_name) in names.iter().enumerate() {
            let encounter = tally.encounter(engine, opponent);
            let Some(estimate) = Estimate::of(&encounter.pairs) else {
                continue;
            };
            rows.push(CrosstableRow {
                engine: name.clone(),
                opponent: opponent_name.clone(),
                games: encounter.games.games(),
                wins: encounter.games.wins,
                draws: encounter.games.draws,
                losses: encounter.games.losses,
                points: encounter.points().into(),
                score: estimate.score.into(),
                elo: estimate.elo.0.into(),
                elo_error_95: estimate.elo_error_95.map(|error| error.0).into(),
            });
        }
    }
    rows
}
