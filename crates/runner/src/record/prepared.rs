//! Pairs as the files of a run have them: made in any thread, so that the one that writes only writes.

use super::csv_file::csv_lines;
use super::games::{GameFormat, GameRow};
use super::journal;
use super::line_digests::digests_of;
use super::pgn_writer::PgnWriter;
use super::recorder::RecordedPair;
use crate::failure::Failure;

/// Makes the texts of pairs.
#[derive(Debug, Clone)]
pub struct PairTexts {
    /// Nothing when the run wants no PGN.
    pub(super) pgn: Option<PgnWriter>,
}

/// A pair with the texts that go into the files of the run.
#[derive(Debug, Clone)]
pub struct PreparedPair {
    pub(super) games: [GameRow; 2],
    /// The lines of the journal.
    pub(super) journal: Vec<u8>,
    /// Their digests.
    pub(super) digests: String,
    /// The lines of timings.csv.
    pub(super) timings: Vec<u8>,
    /// The games as PGN; empty when the run wants none.
    pub(super) pgn: String,
}

impl PairTexts {
    /// The texts of a pair.
    ///
    /// # Errors
    /// When a game cannot be played through again.
    pub fn prepare(&self, pair: RecordedPair) -> Result<PreparedPair, Failure> {
        let journal = journal::lines(&GameFormat, pair.games())
            .map_err(|error| Failure::Run(format!("a pair cannot be written: {error}")))?;
        let timings = pair.timings_if_known().map_or(Ok(Vec::new()), |rows| csv_lines(rows));
        Ok(PreparedPair {
            digests: digests_of(&journal),
            journal,
            timings: timings.map_err(|error| Failure::Run(format!("a pair cannot be written: {error}")))?,
            pgn: match &self.pgn {
                Some(writer) => writer.pair(pair.games())?,
                None => String::new(),
            },
            games: pair.into_games(),
        })
    }
}
