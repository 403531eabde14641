//! The log of all lines between lmrlab and the programs that play.

use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use lmrlab_results::utc::Utc;

use lmrlab_results::failure::Failure;

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
    /// A new log. A file of this name is replaced.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let wrong = |error: io::Error| {
            Failure::input(
                format!("cannot write the log `{}`: {error}", path.display()),
                "name a file in a folder that exists",
            )
        };
        let mut file = File::create(path).map_err(wrong)?;
        writeln!(
            file,
            "# {}: seconds since then, engine, game, > sent or < received or ! error output, line",
            Utc::now()
        )
        .map_err(wrong)?;
        Ok(Self {
            path: path.to_owned(),
            begun: Instant::now(),
            open: Mutex::new(Open { file, failed: None }),
        })
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
