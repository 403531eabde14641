//! Sets of positions to search: EPD files, and the positions of the engine's bench.

use std::collections::HashSet;
use std::ops::Range;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_engine::bench;
use lmrlab_engine::position::Position;

use lmrlab_runner::epd::{self, Errors, Operation};
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
    /// The operands of an EPD operation; `None` when the line does not have it.
    pub fn operation(&self, code: &str) -> Option<&str> {
        self.operations
            .iter()
            .find(|operation| operation.code == code)
            .map(|operation| operation.operands.as_str())
    }

    /// Whether the position is one that `lmrlab-workshop mine` found: this project's own search chose it.
    pub fn is_mined(&self) -> bool {
        self.operation("c1")
            .is_some_and(|comment| comment.contains(", second best "))
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

    fn parse(text: &str) -> Result<(PositionSet, Diagnostics), Diagnostics> {
        PositionSet::parse(Source::new("set.epd", text))
    }

    #[test]
    fn operations_are_read_with_and_without_counters() {
        let (set, warnings) = parse(
            "# a comment\n\
             1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - bm Qd1+; id \"BK; one\";\n\
             8/8/p1p5/1p5p/1P5p/8/PPP2K1p/4R1rk w - - 0 1 bm Rf1;c0 \"Rf1=10, Ra1=2\"; comment\n\
             4k3/8/8/8/8/8/4P3/4K3 w - -\n",
        )
        .unwrap();
        let [first, second, third] = &set.positions[..] else {
            panic!("three positions")
        };
        assert_eq!(first.name, "BK; one");
        assert_eq!(first.operation("bm"), Some("Qd1+"));
        assert_eq!(second.name, "#2");
        assert_eq!(second.operation("c0"), Some("Rf1=10, Ra1=2"));
        assert_eq!(second.operation("comment"), Some(""));
        assert_eq!(third.operations, []);
        assert!(warnings.list.is_empty());
        assert!(set.source.text[second.place.clone()].starts_with("8/8/p1p5"));
    }

    #[test]
    fn wrong_lines_are_named_and_counted() {
        let errors = parse("nonsense\n7k/5Q2/6K1/8/8/8/8/8 b - - 0 1\n").unwrap_err();
        assert_eq!(errors.list.len(), 2);
        assert!(errors.to_string().contains("stalemate"), "{errors}");
        assert_eq!(parse(&"x\n".repeat(50)).unwrap_err().list.len(), 11);
        assert!(parse("\n# nothing\n").is_err());
    }

    #[test]
    fn the_bench_is_a_set() {
        let set = PositionSet::bench().unwrap();
        assert_eq!(set.positions.len(), bench::POSITIONS.len());
    }
}
