//! What `lmrlab` prints: results to standard output, messages to standard error. All results go through here, so no
//! failed write goes unnoticed.
//!
//! One loss cannot be noticed: when standard output is closed before the start (`>&-`), Rust's runtime opens `/dev/null` in
//! its place. Users that want no output pass the same.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::sync::{Mutex, PoisonError};

use lmrlab_diagnostics::Diagnostics;
use lmrlab_diagnostics::failure::Failure;
use serde::Serialize;

use crate::progress::live;

/// The first error of writing. After it, nothing more is written.
static LOST: Mutex<Option<io::Error>> = Mutex::new(None);

/// Writes text, in colour on a terminal that wants it (<https://no-color.org>). [`finish`] reports errors.
pub(crate) fn print_out(text: &str) {
    live::clear();
    unless_lost(|| anstream::stdout().write_all(text.as_bytes()));
}

/// Writes a value as JSON.
pub(crate) fn print_json(value: &impl Serialize) -> Result<(), Failure> {
    let text =
        serde_json::to_string_pretty(value).map_err(|error| Failure::run(format!("cannot write JSON: {error}")))?;
    print_out(&text);
    print_out("\n");
    Ok(())
}

/// Writes a line to standard error, in colour on a terminal that wants it.
pub(crate) fn print_err(line: &str) {
    live::above(line);
}

/// Writes the warnings about a file, if there are any, to standard error.
pub(crate) fn print_warnings(warnings: &Diagnostics) {
    if !warnings.list.is_empty() {
        print_err(&warnings.render(true));
    }
}

/// Writes a note to standard error, unless it has been written before: a command may play several runs.
pub(crate) fn print_note(note: &str) {
    static WRITTEN: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    if WRITTEN
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .insert(note.to_owned())
    {
        print_err(&format!("note: {note}"));
    }
}

/// Ends the output.
///
/// # Errors
/// When some of it could not be written. A reader that has closed the pipe, as in `lmrlab ... | head`, is no error.
pub(crate) fn finish() -> Result<(), Failure> {
    unless_lost(|| io::stdout().flush());
    match LOST.lock().unwrap_or_else(PoisonError::into_inner).take() {
        Some(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(Failure::run(format!(
            "cannot write to standard output: {error}; the output is incomplete"
        ))),
        _ => Ok(()),
    }
}

/// Writes unless an earlier write failed.
fn unless_lost(write: impl FnOnce() -> io::Result<()>) {
    let mut lost = LOST.lock().unwrap_or_else(PoisonError::into_inner);
    if lost.is_none() {
        *lost = write().err();
    }
}
