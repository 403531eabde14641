//! pairs.csv: one line a pair, with the results of its pairing so far. They can be plotted as a trajectory.

use super::tally::Encounter;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::rows::pairs::PairRow;
use lmrlab_stats::{Estimate, Sprt};

/// The line of a pair that `encounter` already counts.
pub fn pair_row(games: &[GameRow; 2], encounter: &Encounter, before: &Encounter, sprt: Option<&Sprt>) -> PairRow {
    let pairs = &encounter.pairs;
    let [n_ll, n_ld, n_dd_wl, n_wd, n_ww] = pairs.counts();
    let estimate = Estimate::of(pairs);
    PairRow {
        pair: games[0].pair,
        round: games[0].round,
        first: games[0].white.clone(),
        second: games[0].black.clone(),
        opening: games[0].opening,
        score: (encounter.points() - before.points()).into(),
        n_ll,
        n_ld,
        n_dd_wl,
        n_wd,
        n_ww,
        elo: estimate.map(|estimate| estimate.elo.0).into(),
        elo_error_95: estimate
            .and_then(|estimate| estimate.elo_error_95)
            .map(|error| error.0)
            .into(),
        normalized_elo: estimate.map(|estimate| estimate.normalized_elo.0).into(),
        los: estimate.map(|estimate| estimate.los).into(),
        llr: sprt.map(|sprt| sprt.llr(pairs)).into(),
        llr_lower: sprt.map(|sprt| sprt.bounds().0).into(),
        llr_upper: sprt.map(|sprt| sprt.bounds().1).into(),
    }
}
