//! The file of the games that were played here with and without an idea. It has a line for each idea, baseline, preset and number of
//! nodes.

use std::num::NonZeroU64;

use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_stats::Pentanomial;
use serde::Deserialize;

use super::lines::lines;

/// The file of the games, in the folder of the ideas.
pub const GAMES_FILE: &str = "games.csv";

/// The bench fingerprint of the search that played them, in nodes.
pub const GAMES_BENCH: u64 = 542_078;

/// Pairs of games of a policy with an idea against one without, in all presets together.
#[derive(Debug, Clone, PartialEq)]
pub struct IdeaGames {
    /// The name of the idea.
    pub idea: String,
    /// The baseline.
    pub on: String,
    /// Nodes a move.
    pub nodes: u64,
    /// The pairs, from the side of the idea.
    pub pairs: Pentanomial,
}

/// A line of the file. The pairs are counted by their score.
#[derive(Deserialize)]
struct Line {
    idea: String,
    on: String,
    match_nodes: NonZeroU64,
    n_ll: u32,
    n_ld: u32,
    n_dd_wl: u32,
    n_wd: u32,
    n_ww: u32,
}

/// Reads the text of the file.
///
/// # Errors
/// When a column is missing, or a line is wrong.
pub(super) fn parse_games(source: &Source) -> Result<Vec<IdeaGames>, Diagnostics> {
    let mut all: Vec<IdeaGames> = Vec::new();
    for line in lines::<Line>(source, |_| Vec::new())? {
        let pairs = [line.n_ll, line.n_ld, line.n_dd_wl, line.n_wd, line.n_ww].map(u64::from);
        let games = IdeaGames {
            idea: line.idea,
            on: line.on,
            nodes: line.match_nodes.get(),
            pairs: Pentanomial::new(pairs),
        };
        let same =
            |other: &&mut IdeaGames| (&other.idea, &other.on, other.nodes) == (&games.idea, &games.on, games.nodes);
        match all.iter_mut().rev().find(same) {
            Some(other) => other.pairs += games.pairs,
            None => all.push(games),
        }
    }
    Ok(all)
}
