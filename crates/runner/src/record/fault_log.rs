//! faults.log: the last lines between lmrlab and a program before a fault of the program ended the game.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use lmrlab_results::appended::AppendedFile;
use lmrlab_results::folder::{FAULTS, ResultsFolder};
use lmrlab_results::text_file;

use crate::player::traffic_log::TrafficLog;
use lmrlab_diagnostics::failure::Failure;

/// Faults that are written by one process. An engine that loses every game must not fill the disk.
const MOST: u64 = 1_000;
/// The longest faults.log that is read, in bytes.
const MAX_READ: u64 = 1 << 28;

/// Where the lines of programs are written: faults.log, which is there from the first fault on, and the log of all lines if one
/// was asked for.
#[derive(Debug)]
pub struct EngineLogs {
    folder: ResultsFolder,
    /// How many faults this process has written.
    written: Mutex<u64>,
    /// The log of all lines.
    pub traffic: Option<Arc<TrafficLog>>,
}

impl EngineLogs {
    /// The logs of a run in this folder.
    pub fn new(folder: &Path, traffic: Option<Arc<TrafficLog>>) -> Self {
        Self {
            folder: ResultsFolder::unchecked(folder),
            written: Mutex::new(0),
            traffic,
        }
    }

    /// Writes the fault of an engine in a game, and the last lines before it. Writes nothing without lines: then the
    /// engine is no program.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub(crate) fn fault(&self, (engine, game): (&str, u64), what: &str, lines: &[String]) -> Result<(), Failure> {
        if lines.is_empty() {
            return Ok(());
        }
        let mut written = self.written.lock().unwrap_or_else(PoisonError::into_inner);
        *written += 1;
        if *written > MOST {
            return Ok(());
        }
        let mut text = format!("game {game}: `{engine}` {what}\n");
        for line in lines {
            let _ = writeln!(text, "  {line}");
        }
        if *written == MOST {
            let _ = writeln!(text, "\n{MOST} faults are here; later ones are not written");
        }
        text.push('\n');
        append(&self.folder, &text)
    }
}

/// Adds the faults of a part to those of the run in `folder`, unless a process has added them that was killed then. A part
/// without faults has no file.
///
/// # Errors
/// When the file cannot be written.
pub fn add_faults(folder: &Path, part: &Path) -> Result<(), Failure> {
    let path = part.join(FAULTS.name());
    if !path.exists() {
        return Ok(());
    }
    let folder = ResultsFolder::unchecked(folder);
    let there = text_file::read_utf8(&folder.file(FAULTS), MAX_READ).unwrap_or_default();
    // The file is no result, so an unreadable one is left out.
    match text_file::read_utf8(&path, MAX_READ) {
        Ok(text) if !there.contains(&text) => append(&folder, &text),
        _ => Ok(()),
    }
}

fn append(folder: &ResultsFolder, text: &str) -> Result<(), Failure> {
    AppendedFile::open(folder, FAULTS)?.append(text.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_faults_of_a_part_are_added_once() {
        let (run, part) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let log = run.path().join(FAULTS.name());
        std::fs::write(&log, "game 1: `x` crashed\n\n").unwrap();
        for _ in 0..2 {
            add_faults(run.path(), part.path()).unwrap();
            std::fs::write(part.path().join(FAULTS.name()), "game 3: `x` crashed\n\n").unwrap();
        }
        add_faults(run.path(), part.path()).unwrap();
        let both = "game 1: `x` crashed\n\ngame 3: `x` crashed\n\n";
        assert_eq!(std::fs::read_to_string(log).unwrap(), both);
    }
}
