//! Writes a trace.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

use super::header::TraceHeader;
use super::record::Record;

/// A trace that is being written.
#[derive(Debug)]
pub(crate) struct TraceWriter {
    path: String,
    file: Mutex<File>,
    has_positions: bool,
    has_records: AtomicBool,
    /// Whether a write has failed. Then nothing more is written.
    failed: AtomicBool,
}

impl TraceWriter {
    /// Begins a trace with its header.
    pub(crate) fn begin(path: &str, header: &TraceHeader) -> Result<Self, String> {
        let begin = || {
            File::create(path)?.write_all(header.to_string().as_bytes())?;
            OpenOptions::new().append(true).open(path)
        };
        let file = begin().map_err(|error| format!("{path} cannot be written: {error}"))?;
        Ok(Self {
            path: path.to_owned(),
            file: Mutex::new(file),
            has_positions: header.has_positions,
            has_records: AtomicBool::new(false),
            failed: AtomicBool::new(false),
        })
    }

    /// The file.
    pub(crate) fn path(&self) -> &str {
        &self.path
    }

    /// Whether it has no record.
    pub(crate) fn is_empty(&self) -> bool {
        !self.has_records.load(Ordering::Relaxed)
    }

    /// Whether a write has failed.
    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Appends a record.
    pub(crate) fn write(&self, record: &Record) -> io::Result<()> {
        self.has_records.store(true, Ordering::Relaxed);
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let written = file.write_all(&record.write(self.has_positions));
        self.failed.fetch_or(written.is_err(), Ordering::Relaxed);
        written
    }
}
