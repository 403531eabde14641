//! A finished pair as the files have it, and whether games are those of a pair.

use std::collections::BTreeMap;

use super::game_rows::{game_row, timing_row};
use crate::game::play::PlayedGame;
use crate::tournament::schedule::Pair;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::rows::timings::TimingRow;

/// Finished pairs that are not recorded yet, by number.
pub type Waiting = BTreeMap<u64, RecordedPair>;

/// A finished pair as the files have it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedPair {
    /// The pair.
    pub pair: Pair,
    /// Its games.
    pub games: [GameRow; 2],
    /// `None` when the pair was read from a journal.
    pub(crate) timings: Option<[TimingRow; 2]>,
}

impl RecordedPair {
    /// A pair that was just played from this position by engines of these names. The times of its moves are recorded when
    /// time counted.
    pub fn new(pair: Pair, fen: &str, names: &[String], timed: bool, games: &[PlayedGame; 2]) -> Self {
        let rows = [0, 1].map(|which| game_row(&pair, which, fen, names, timed, &games[which]));
        let timings = [0, 1].map(|which| timing_row(rows[which].game, &games[which]));
        Self {
            pair,
            games: rows,
            timings: Some(timings),
        }
    }
}

/// Whether these are the games of a pair of engines with these names, and begin with this position, where it is known.
pub fn is_of(games: &[GameRow; 2], pair: &Pair, fen: Option<&str>, names: &[String]) -> bool {
    let engines = [pair.pairing.first, pair.pairing.second].map(|engine| &names[engine]);
    games.iter().enumerate().all(|(which, row)| {
        let overrides = pair.overrides.as_ref();
        row.game == 2 * pair.index + which as u64 + 1
            && fen.is_none_or(|fen| row.fen == fen)
            && row.white == *engines[which]
            && row.black == *engines[1 - which]
            && row.overrides == overrides.map(|both| [both[which].clone(), both[1 - which].clone()])
    })
}
