//! The pairs of all parts in the order of the schedule, read a few hundred at a time, in several threads.

use std::collections::VecDeque;
use std::io;

use rayon::prelude::*;

use super::survey::{Content, Found, damaged, name};
use crate::conduct::pair_lines::PlayedLines;
use crate::record::recorded_pair::RecordedPair;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::RESULTS;
use lmrlab_results::journal::{LineReader, Lines};

/// Pairs that are read in one batch: a few megabytes.
const BATCH: u64 = 256;

/// Reads the pairs of parts, one part after the other.
pub(super) struct Pairs<'s> {
    left: VecDeque<&'s Found>,
    open: Option<Open<'s>>,
}

/// A part that is being read.
struct Open<'s> {
    found: &'s Found,
    lines: Lines,
    format: PlayedLines,
    content: Content,
    /// The number of its pairs that were read.
    read: u64,
}

impl<'s> Pairs<'s> {
    pub(super) fn new(parts: &'s [Found]) -> Self {
        Self {
            left: parts.iter().collect(),
            open: None,
        }
    }

    /// The next pairs; none after the last one.
    pub(super) fn next(&mut self) -> Result<Vec<RecordedPair>, Failure> {
        loop {
            let Some(open) = &mut self.open else {
                match self.left.pop_front() {
                    Some(found) => self.open = Some(Open::of(found)?),
                    None => return Ok(Vec::new()),
                }
                continue;
            };
            let pairs = open.batch()?;
            if !pairs.is_empty() {
                return Ok(pairs);
            }
            self.open = None;
        }
    }
}

impl<'s> Open<'s> {
    fn of(found: &'s Found) -> Result<Self, Failure> {
        let path = found.folder.folder().file(RESULTS);
        let lines = Lines::open(&path).map_err(|error| unreadable(found, &error))?;
        let content = Content::of(&found.folder)?;
        Ok(Self {
            found,
            lines,
            format: PlayedLines {
                names: content.names.clone(),
                has_overrides: false,
            },
            content,
            read: 0,
        })
    }

    fn batch(&mut self) -> Result<Vec<RecordedPair>, Failure> {
        let mut lines = Vec::new();
        while self.read < self.found.recorded && (lines.len() as u64) < BATCH {
            let line = self.lines.next_line().map_err(|error| unreadable(self.found, &error))?;
            let line =
                line.ok_or_else(|| damaged(&self.found.folder, "has lost lines of its results while they were read"))?;
            lines.push((self.read, line.to_owned()));
            self.read += 1;
        }
        let format = &self.format;
        let pairs = lines.par_iter().map_init(
            || LineReader::new(format),
            |reader, (number, line)| {
                let wrong = || {
                    let what = format!("has a result that is not of its pair {}", number + 1);
                    damaged(&self.found.folder, &what)
                };
                let pair = reader.line_of(format, line).ok_or_else(wrong)?;
                if self.content.has(*number, &pair) {
                    Ok(pair)
                } else {
                    Err(wrong())
                }
            },
        );
        pairs.collect()
    }
}

fn unreadable(found: &Found, error: &io::Error) -> Failure {
    Failure::run(format!(
        "the results of {} cannot be read: {error}",
        name(&found.folder)
    ))
}
