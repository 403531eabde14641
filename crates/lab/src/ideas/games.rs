//! The file of the games that were played here with and without an idea. It has a line for each idea, baseline, preset and number of
//! nodes.

use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Files, Source};
use lmrlab_stats::Pentanomial;

/// The file of the games, in the folder of the ideas.
pub const GAMES_FILE: &str = "games.csv";

/// The bench fingerprint of the search that played them, in nodes.
pub const GAMES_BENCH: u64 = 542_078;

const COLUMNS: [&str; 9] = [
    "idea",
    "on",
    "setting",
    "match_nodes",
    "n_ll",
    "n_ld",
    "n_dd_wl",
    "n_wd",
    "n_ww",
];

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

/// Reads the file.
///
/// # Errors
/// When it cannot be read, a column is missing, or a line is wrong; then the first one.
pub fn read_games(files: &Files, path: &Path, name: &str) -> Result<Vec<IdeaGames>, Diagnostics> {
    parse_games(&Source::read_from(files, path, name)?)
}

/// Reads the text of the file.
///
/// # Errors
/// As [`read_games`].
pub(super) fn parse_games(source: &Source) -> Result<Vec<IdeaGames>, Diagnostics> {
    let wrong = |message: String| Diagnostics::new(source.clone(), vec![Diagnostic::error(message)]);
    let mut reader = csv::Reader::from_reader(source.text.as_bytes());
    let headers = reader
        .headers()
        .map_err(|error| wrong(format!("this is not a CSV file: {error}")))?;
    let mut places = [0; COLUMNS.len()];
    for (place, column) in places.iter_mut().zip(COLUMNS) {
        let found = headers.iter().position(|header| header == column);
        *place = found.ok_or_else(|| wrong(format!("there is no column `{column}`")))?;
    }
    let mut all: Vec<IdeaGames> = Vec::new();
    for record in reader.records() {
        let record = record.map_err(|error| wrong(format!("this is not a CSV file: {error}")))?;
        let line = record.position().map_or(0, csv::Position::line);
        let cells = places.map(|place| record.get(place).unwrap_or_default());
        let games = games(cells).ok_or_else(|| {
            wrong(format!(
                "line {line} is wrong: `match_nodes` and the counts must be whole numbers, and `match_nodes` above 0"
            ))
        })?;
        let same =
            |other: &&mut IdeaGames| (&other.idea, &other.on, other.nodes) == (&games.idea, &games.on, games.nodes);
        match all.iter_mut().rev().take(MOST_BETWEEN).find(same) {
            Some(other) => other.pairs += games.pairs,
            None => all.push(games),
        }
    }
    Ok(all)
}

/// A line is added to the result of the same idea among the last results, of this number: such lines follow each other.
const MOST_BETWEEN: usize = 64;

fn games([idea, on, _setting, nodes, counts @ ..]: [&str; COLUMNS.len()]) -> Option<IdeaGames> {
    let mut numbers = [0; 5];
    for (number, text) in numbers.iter_mut().zip(counts) {
        *number = text.parse().ok().filter(|count| *count < 1 << 40)?;
    }
    Some(IdeaGames {
        idea: idea.to_owned(),
        on: on.to_owned(),
        nodes: nodes.parse().ok().filter(|nodes| *nodes > 0)?,
        pairs: Pentanomial::new(numbers),
    })
}
