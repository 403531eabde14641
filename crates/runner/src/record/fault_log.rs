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
/// The longest faults.log of a part that is added to that of the run, in bytes.
const MAX_PART: u64 = 1 << 28;

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

/// Adds the faults of a part to those of the run in `folder`. A part without faults has no file.
///
/// # Errors
/// When the file cannot be written.
pub fn add_faults(folder: &Path, part: &Path) -> Result<(), Failure> {
    let path = part.join(FAULTS.name());
    if !path.exists() {
        return Ok(());
    }
    // The file is no result, so an unreadable one is left out.
    match text_file::read_utf8(&path, MAX_PART) {
        Ok(text) => append(&ResultsFolder::unchecked(folder), &text),
        Err(_) => Ok(()),
    }
}

fn append(folder: &ResultsFolder, text: &str) -> Result<(), Failure> {
    AppendedFile::open(folder, FAULTS)?.append(text.as_bytes())
}
