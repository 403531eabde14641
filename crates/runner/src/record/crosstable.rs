//! crosstable.csv: one line for each engine and each of its opponents.

use super::tally::Tally;
use lmrlab_results::rows::standings::CrosstableRow;
use lmrlab_stats::Estimate;

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
                wins: encounter.games.wins(),
                draws: encounter.games.draws(),
                losses: encounter.games.losses(),
                points: encounter.points().into(),
                score: estimate.score.into(),
                elo: estimate.elo.0.into(),
                elo_error_95: estimate.elo_error_95.map(|error| error.0).into(),
            });
        }
    }
    rows
}
