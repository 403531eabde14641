//! pairs.csv: one line a pair, with what was known of its pairing when it ended; the trajectory to plot.

use serde::Serialize;

use super::csv_file::Row;
use super::fixed::Fixed;
use super::games::GameRow;
use super::tally::Encounter;
use lmrlab_stats::{Estimate, Sprt};

/// A line of pairs.csv. Numbers are seen from the side of `first`, over the pairing's pairs so far.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairRow {
    /// Number of the pair, from 1.
    pub pair: u64,
    /// Number of the round, from 1.
    pub round: u64,
    /// Who had White in the first game.
    pub first: String,
    /// Who had White in the second game.
    pub second: String,
    /// Number of the opening in its file, from 1.
    pub opening: u64,
    /// Points of the first engine in this pair, 0 to 2.
    pub score: Fixed<1>,
    /// Pairs in which it lost both games.
    pub n_ll: u64,
    /// Pairs with a loss and a draw.
    pub n_ld: u64,
    /// Pairs with two draws, or a win and a loss.
    pub n_dd_wl: u64,
    /// Pairs with a win and a draw.
    pub n_wd: u64,
    /// Pairs in which it won both games.
    pub n_ww: u64,
    /// Logistic Elo; empty when everything was won or lost.
    pub elo: Fixed<4>,
    /// Half the width of the 95% interval of `elo`; empty while undefined.
    pub elo_error_95: Fixed<4>,
    /// Normalized Elo; empty while undefined.
    pub normalized_elo: Fixed<4>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Fixed<6>,
    /// Log-likelihood ratio of the test; empty without one.
    pub llr: Fixed<6>,
    /// At this the test rejects.
    pub llr_lower: Fixed<6>,
    /// At this the test accepts.
    pub llr_upper: Fixed<6>,
}

impl Row for PairRow {
    const COLUMNS: &[&str] = &[
        "pair",
        "round",
        "first",
        "second",
        "opening",
        "score",
        "n_ll",
        "n_ld",
        "n_dd_wl",
        "n_wd",
        "n_ww",
        "elo",
        "elo_error_95",
        "normalized_elo",
        "los",
        "llr",
        "llr_lower",
        "llr_upper",
    ];
}

impl PairRow {
    /// The line of a pair that `encounter` already counts.
    pub fn new(games: &[GameRow; 2], encounter: &Encounter, before: &Encounter, sprt: Option<&Sprt>) -> Self {
        let pairs = &encounter.pairs;
        let [n_ll, n_ld, n_dd_wl, n_wd, n_ww] = pairs.counts();
        let estimate = Estimate::of(pairs);
        Self {
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
}
