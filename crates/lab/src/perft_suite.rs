//! Perft suites: positions with their counts, one a line, as `FEN ;D1 20 ;D2 400`.

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_engine::perft::perft;
use lmrlab_engine::position::Position;
use lmrlab_runner::epd::{self, Errors, Line, Operation};

/// The greatest depth of a perft, in plies. No machine can count that far.
pub const MAX_DEPTH: u32 = 20;

/// A position and what its perft should be.
#[derive(Debug, Clone)]
pub struct Case {
    /// Line in the file, from 1.
    pub line: usize,
    /// The position.
    pub position: Position,
    /// Depth in plies, and the number of leaves there.
    pub counts: Vec<(u32, u64)>,
}

/// A count that was checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Check {
    /// Depth in plies.
    pub depth: u32,
    /// What the suite says.
    pub expected: u64,
    /// What was counted.
    pub counted: u64,
}

/// Reads a suite. Blank lines and lines that begin with `#` are skipped.
///
/// # Errors
/// When the file cannot be read; and for every line that has no legal position or no counts, with its number.
pub fn parse(source: Source) -> Result<Vec<Case>, Diagnostics> {
    let mut cases = Vec::new();
    let mut errors = Errors::new("this line is not a perft of a position");
    for line in epd::lines(&source.text) {
        match case(line) {
            Ok(case) => cases.push(case),
            Err(reason) => errors.push(line.place(), reason),
        }
    }
    if !errors.is_empty() {
        return Err(errors.finish(source, "lines that are not a perft of a position"));
    }
    if cases.is_empty() {
        let error = Diagnostic::error(format!("`{}` has no positions", source.name))
            .help("a line looks like `rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400`");
        return Err(Diagnostics::new(source, vec![error]));
    }
    Ok(cases)
}

fn case(line: Line<'_>) -> Result<Case, String> {
    let (position, operations) = line.position()?;
    let count = |operation: Operation| {
        let Operation { code, operands } = operation;
        let depth = code.strip_prefix(['D', 'd']);
        let depth: Option<u32> = depth.and_then(|depth| depth.parse().ok());
        let (depth, leaves) = depth
            .zip(operands.parse().ok())
            .ok_or_else(|| format!("`{}` is not of the form `D3 8902`", format!("{code} {operands}").trim()))?;
        if depth > MAX_DEPTH {
            return Err(format!("`{code}`: the depth must be at most {MAX_DEPTH} plies"));
        }
        Ok((depth, leaves))
    };
    let counts: Vec<(u32, u64)> = operations.into_iter().map(count).collect::<Result<_, _>>()?;
    if counts.is_empty() {
        return Err("no counts follow the position".to_owned());
    }
    Ok(Case {
        line: line.number,
        position,
        counts,
    })
}

impl Case {
    /// Counts every depth with an expected count of at most `max_nodes`.
    pub fn check(&self, max_nodes: u64) -> Vec<Check> {
        self.counts
            .iter()
            .filter(|(_, expected)| *expected <= max_nodes)
            .map(|(depth, expected)| Check {
                depth: *depth,
                expected: *expected,
                counted: perft(&self.position, *depth),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_of_each_wrong_line_is_named() {
        let position = "8/8/8/8/8/4k3/8/4K3 w - - 0 1";
        for (counts, reason) in [("", "no counts"), (" ;D1 x", "not of the form")] {
            let said = parse(Source::new("suite.epd", format!("{position}{counts}"))).unwrap_err();
            assert!(said.to_string().contains(reason), "{said}");
        }
    }
}
