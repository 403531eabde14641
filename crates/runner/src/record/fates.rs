//! race.csv: the fate of each engine in a race.

use super::tally::Tally;
use crate::tournament::race::{RaceCourse, fate_name};
use lmrlab_results::rows::standings::FateRow;
use lmrlab_stats::race::RaceFate;

/// The lines of race.csv, in the order of the tournament file.
pub fn fates(tally: &Tally, race: &RaceCourse) -> Vec<FateRow> {
    let names = tally.names().iter().enumerate();
    names
        .map(|(engine, name)| {
            let fate = race.fate(engine);
            FateRow {
                engine: name.clone(),
                fate: fate_name(fate).to_owned(),
                rounds: match fate {
                    RaceFate::Dropped { rounds } | RaceFate::Accepted { rounds } => rounds,
                    RaceFate::Racing | RaceFate::Baseline => race.rounds(),
                },
                pairs: tally.total(engine).pairs.pairs(),
                decided_at_pair: race.decided_at(engine),
            }
        })
        .collect()
}
