//! standings.csv: one line an engine, the best first.

use serde::Serialize;

use super::Row;
use super::fixed::Fixed;
use super::tally::Tally;
use crate::stats::Estimate;

/// A line of standings.csv.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct StandingRow {
    /// Place, from 1; engines with the same score share one.
    pub rank: usize,
    /// The engine.
    pub engine: String,
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
    /// Logistic Elo against the other engines of the tournament taken together, from the score over pairs of games;
    /// empty when everything was won or lost.
    pub elo: Fixed<4>,
    /// Half the width of the 95% interval of `elo`; empty when undefined.
    pub elo_error_95: Fixed<4>,
    /// Likelihood, 0 to 1, of being stronger than the others taken together.
    pub los: Fixed<6>,
    /// Share of the games that were drawn, 0 to 1.
    pub draw_ratio: Fixed<6>,
    /// Mean depth of a search, in plies.
    pub mean_depth: Fixed<2>,
    /// Mean nodes of a search.
    pub mean_nodes: Fixed<1>,
    /// Games lost on time, or drawn so against a bare king.
    pub time_losses: u64,
    /// Games lost by an answer that was no legal move.
    pub illegal_moves: u64,
    /// Games lost because its process died.
    pub crashes: u64,
    /// Games lost because it did not answer.
    pub stalls: u64,
}

impl Row for StandingRow {
    const COLUMNS: &[&str] = &[
        "rank",
        "engine",
        "games",
        "wins",
        "draws",
        "losses",
        "points",
        "score",
        "elo",
        "elo_error_95",
        "los",
        "draw_ratio",
        "mean_depth",
        "mean_nodes",
        "time_losses",
        "illegal_moves",
        "crashes",
        "stalls",
    ];
}

/// The lines of standings.csv.
pub fn standings(tally: &Tally) -> Vec<StandingRow> {
    let mut rows: Vec<StandingRow> = tally
        .names()
        .iter()
        .enumerate()
        .map(|(index, name)| {
            let total = tally.total(index);
            let effort = tally.effort(index);
            let faults = tally.faults(index);
            let estimate = Estimate::of(&total.pairs);
            StandingRow {
                rank: 0,
                engine: name.clone(),
                games: total.games.games(),
                wins: total.games.wins,
                draws: total.games.draws,
                losses: total.games.losses,
                points: total.points().into(),
                score: total.games.score().into(),
                elo: estimate.map(|estimate| estimate.elo.0).into(),
                elo_error_95: estimate
                    .and_then(|estimate| estimate.elo_error_95)
                    .map(|error| error.0)
                    .into(),
                los: estimate.map(|estimate| estimate.los).into(),
                draw_ratio: total.games.draw_ratio().into(),
                mean_depth: Fixed::mean(effort.depths, effort.moves),
                mean_nodes: Fixed::mean(effort.nodes, effort.moves),
                time_losses: faults.time_losses,
                illegal_moves: faults.illegal_moves,
                crashes: faults.crashes,
                stalls: faults.stalls,
            }
        })
        .collect();
    // Who has not played comes last; who has the same score stays in the order of the tournament file.
    let score = |row: &StandingRow| row.score.0.unwrap_or(-1.0);
    rows.sort_by(|a, b| score(b).total_cmp(&score(a)));
    for index in 0..rows.len() {
        rows[index].rank = if index > 0 && score(&rows[index]) == score(&rows[index - 1]) {
            rows[index - 1].rank
        } else {
            index + 1
        };
    }
    rows
}
