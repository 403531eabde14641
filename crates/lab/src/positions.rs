//! Sets of positions to search: EPD files, and the positions of the engine's bench.

use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostics, Source};
use lmrlab_engine::bench;
use lmrlab_engine::position::Position;

use lmrlab_results::epd::{self, Operation};
use lmrlab_runner::openings::playable;

/// One position to search.
#[derive(Debug, Clone)]
pub struct LabPosition {
    /// The EPD's `id`; where there is none, `#` and the number of the position in its set, from 1.
    pub name: String,
    /// The position; it has a legal move.
    pub position: Position,
    /// What the EPD says about it, in the order of the line.
    pub operations: Vec<Operation>,
    /// The place of the line in the file's text, for messages.
    pub place: Range<usize>,
}

impl LabPosition {
    /// Whether the position is one of positions/tactics.epd: this project's own search chose it.
    pub fn is_mined(&self) -> bool {
        let mut operations = self.operations.iter();
        operations.any(|operation| operation.code == "c1" && operation.operands.contains(", second best "))
    }
}

/// Positions with the text that they were read from, for messages about single lines.
#[derive(Debug, Clone)]
pub struct PositionSet {
    /// The file.
    pub source: Source,
    /// Its positions, in their order; at least one.
    pub positions: Vec<LabPosition>,
}

impl PositionSet {
    /// The positions of the engine's bench: openings, middlegames and endgames of its own games.
    ///
    /// # Errors
    /// When one of them is not a position.
    pub fn bench() -> Result<Self, Diagnostics> {
        let text = bench::POSITIONS.join("\n");
        Self::parse(Source::new("the positions of the bench", text)).map(|(set, _)| set)
    }

    /// Reads an EPD or FEN file, one position a line. Blank lines and lines that begin with `#` are skipped. The
    /// warnings say how many positions occur more than once.
    ///
    /// # Errors
    /// When the file cannot be read or has no position, and for every line that has no position or one in which the game
    /// is over.
    pub fn load(path: &Path) -> Result<(Self, Diagnostics), Diagnostics> {
        let bytes = epd::read_file(path, "positions")?;
        // Names of players and tournaments may be in any encoding; positions are ASCII.
        let text = String::from_utf8_lossy(&bytes).into_owned();
        Self::parse(Source::new(path.display().to_string(), text))
    }

    /// Reads positions from a text; see [`PositionSet::load`].
    ///
    /// # Errors
    /// As [`PositionSet::load`].
    pub fn parse(source: Source) -> Result<(Self, Diagnostics), Diagnostics> {
        let read = epd::lines(&source.text).map(|line| {
            let read = line.position();
            let read = read.and_then(|(position, operations)| Ok((playable(position)?, operations)));
            (line.place(), read.map(|read| (read, line.place())))
        });
        let (message, more) = ("this position cannot be searched", "positions that cannot be searched");
        let read = epd::all(&source, read, message, more)?;
        let named = (1..).zip(read).map(|(number, ((position, operations), place))| {
            let id = operations.iter().find(|operation| operation.code == "id");
            LabPosition {
                name: id.map_or_else(|| format!("#{number}"), |id| id.operands.clone()),
                position,
                operations,
                place,
            }
        });
        let positions: Vec<LabPosition> = named.collect();
        let all = positions.iter().map(|of| &of.position);
        let warnings = epd::check_distinct(&source, all, "positions", "it should have one FEN or EPD a line")?;
        Ok((Self { source, positions }, warnings))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_without_positions_is_refused() {
        assert!(PositionSet::parse(Source::new("set.epd", "\n# nothing\n")).is_err());
    }
}
