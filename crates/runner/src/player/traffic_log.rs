//! The log of all lines between lmrlab and the programs that play.

use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::output_file;
use lmrlab_results::utc::Utc;

/// What the first line of a log says after its time.
const HEADING: &str = ": seconds since then, engine, game, > sent or < received or ! error output, line";

/// The longest first line of a log, in bytes.
const MOST_HEADING: u64 = 200;

/// The direction of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Direction {
    /// lmrlab, to the engine.
    Sent,
    /// The engine, on its standard output.
    Received,
    /// The engine, on its error output.
    Error,
}

impl Direction {
    /// The character that stands for it in a log.
    pub fn sign(self) -> char {
        match self {
            Self::Sent => '>',
            Self::Received => '<',
            Self::Error => '!',
        }
    }
}

/// A file with all lines of all programs of a run, each as soon as it is sent or read.
#[derive(Debug)]
pub struct TrafficLog {
    path: PathBuf,
    begun: Instant,
    open: Mutex<Open>,
}

#[derive(Debug)]
struct Open {
    file: File,
    /// The first line that could not be written.
    failed: Option<io::Error>,
}

impl TrafficLog {
    /// Continues a log, or begins one. Another file of this name is replaced; see [`Self::is_one`].
    ///
    /// # Errors
    /// When it cannot be written, or the command has read it.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let wrong = |error: io::Error| Failure::write(path, &error);
        let mut file = output_file::append(path)?;
        let mut heading = format!("# {}{HEADING}\n", Utc::now());
        if output_file::is_file(path) {
            if !Self::is_one(path).map_err(wrong)? {
                // Windows does not cut a file that is opened for appending.
                drop(File::options().write(true).truncate(true).open(path).map_err(wrong)?);
            } else if file.metadata().map_err(wrong)?.len() > 0 {
                // A process that was killed may have written a part of its last line.
                heading.insert(0, '\n');
            }
        }
        file.write_all(heading.as_bytes()).map_err(wrong)?;
        Ok(Self {
            path: path.to_owned(),
            begun: Instant::now(),
            open: Mutex::new(Open { file, failed: None }),
        })
    }

    /// Whether a file is a log. An empty file and one that does not exist have nothing to lose, and count as logs.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn is_one(path: &Path) -> io::Result<bool> {
        if !path.exists() {
            return Ok(true);
        }
        let mut start = Vec::new();
        File::open(path)?.take(MOST_HEADING).read_to_end(&mut start)?;
        let start = String::from_utf8_lossy(&start);
        let heading = start.lines().next().unwrap_or_default();
        Ok(start.is_empty() || (heading.starts_with("# ") && heading.ends_with(HEADING)))
    }

    /// Writes a line. A line that cannot be written is an error at the [end](Self::end).
    pub fn write(&self, (engine, game): (&str, u64), direction: Direction, line: &[u8]) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let mut text = format!("{seconds:.6} {engine} {game} {} ", direction.sign()).into_bytes();
        text.extend_from_slice(line);
        text.push(b'\n');
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if open.failed.is_none() {
            open.failed = open.file.write_all(&text).err();
        }
    }

    /// Whether all lines were written.
    ///
    /// # Errors
    /// When one could not be.
    pub fn end(&self) -> Result<(), Failure> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        match open.failed.take() {
            Some(error) => Err(Failure::write(&self.path, &error)),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_log_is_continued_and_another_file_is_replaced() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("all.log");
        let write = |line: &str| {
            let log = TrafficLog::open(&path).unwrap();
            log.write(("one", 1), Direction::Sent, line.as_bytes());
            log.end().unwrap();
        };
        let text = || std::fs::read_to_string(&path).unwrap();
        let headings = || text().lines().filter(|line| line.starts_with('#')).count();
        write("first");
        // The process was killed.
        let cut = text().trim_end().to_owned();
        std::fs::write(&path, &cut).unwrap();
        write("second");
        assert!(text().starts_with(&format!("{cut}\n# ")), "{}", text());
        assert!(text().ends_with(" one 1 > second\n"), "{}", text());
        assert_eq!(headings(), 2);
        for other in ["notes", "# notes\n", "\n# "] {
            std::fs::write(&path, other).unwrap();
            assert!(!TrafficLog::is_one(&path).unwrap());
            write("third");
            assert_eq!((headings(), text().lines().count()), (1, 2));
        }
    }
}
