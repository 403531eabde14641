//! los.csv: the likelihood of superiority (LOS, or CFS: chance for superiority) of every engine over every other, from the
//! ratings of all.

use super::tally::Tally;
use lmrlab_results::rows::standings::LosRow;
use lmrlab_stats::ratings::Ratings;

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
