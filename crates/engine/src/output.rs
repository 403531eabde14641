//! Writes to standard output and standard error. The program ends when standard output is lost.

use std::io::{self, ErrorKind, Write};
use std::process::exit;

/// Writes text to standard output at once. If that fails, the process ends: quietly with status 0 when the reader has
/// gone away, otherwise with a message and status 1.
pub(crate) fn print(text: &str) {
    let mut output = io::stdout().lock();
    if let Err(error) = output.write_all(text.as_bytes()).and_then(|()| output.flush()) {
        if error.kind() == ErrorKind::BrokenPipe {
            exit(0);
        }
        complain(&format!("error: cannot write to standard output: {error}"));
        exit(1);
    }
}

/// Writes a line to standard output at once; see [`print`].
pub(crate) fn say(line: &str) {
    print(&format!("{line}\n"));
}

/// Writes a line to standard error. An error of standard error is ignored.
pub(crate) fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}
