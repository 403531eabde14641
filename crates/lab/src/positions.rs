//! Sets of positions to search: EPD files, and the positions of the engine's bench.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_engine::bench;
use lmrlab_engine::position::Position;

use lmrlab_results::epd::{self, Errors, Operation};
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
        let mut positions: Vec<LabPosition> = Vec::new();
        let mut keys = HashSet::new();
        let mut errors = Errors::new("this position cannot be searched");
        for line in epd::lines(&source.text) {
            let read = line
                .position()
                .and_then(|(position, operations)| Ok((playable(position)?, operations)));
            match read {
                Ok((position, operations)) => {
                    keys.insert(position.key());
                    let id = operations.iter().find(|operation| operation.code == "id");
                    let number = positions.len() + 1;
                    positions.push(LabPosition {
                        name: id.map_or_else(|| format!("#{number}"), |id| id.operands.clone()),
                        position,
                        operations,
                        place: line.place(),
                    });
                }
                Err(reason) => errors.push(line.place(), reason),
            }
        }
        if !errors.is_empty() {
            return Err(errors.finish(source, "positions that cannot be searched"));
        }
        if positions.is_empty() {
            let message = format!("`{}` has no positions", source.name);
            let error = Diagnostic::error(message).help("it should have one FEN or EPD a line");
            return Err(Diagnostics::new(source, vec![error]));
        }
        let repeated = positions.len() - keys.len();
        let mut warnings = Vec::new();
        if repeated > 0 {
            warnings.push(Diagnostic::warning(format!(
                "{repeated} of the {} positions in `{}` repeat an earlier one",
                positions.len(),
                source.name
            )));
        }
        let warnings = Diagnostics::new(source.clone(), warnings);
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
