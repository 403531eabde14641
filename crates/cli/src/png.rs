//! Pictures as PNG files, made by the program rsvg-convert of librsvg.

use std::io::{self, Write as _};
use std::process::{Command, Output, Stdio};

use lmrlab_report::chart::Picture;
use lmrlab_results::failure::Failure;

const PROGRAM: &str = "rsvg-convert";
/// Pixels for each unit of a picture.
const ZOOM: &str = "2";

/// Checks that the program is there.
pub(crate) fn check() -> Result<(), Failure> {
    converted(&["--version"], "").map(|_| ())
}

/// A picture as the bytes of a PNG file, on light ground.
pub(crate) fn of(picture: &Picture) -> Result<Vec<u8>, Failure> {
    converted(&["--format", "png", "--zoom", ZOOM], &picture.file(true))
}

/// What the program makes of a text.
fn converted(arguments: &[&str], text: &str) -> Result<Vec<u8>, Failure> {
    let output = run(arguments, text).map_err(|error| {
        Failure::run(format!(
            "`{PROGRAM}` cannot be started: {error}; it makes the PNG files: install librsvg2-bin or librsvg, or write SVG files with --svg"
        ))
    })?;
    match output.status.success() {
        true => Ok(output.stdout),
        false => Err(Failure::run(format!(
            "`{PROGRAM}` failed: {}",
            String::from_utf8_lossy(&output.stderr).trim()
        ))),
    }
}

fn run(arguments: &[&str], text: &str) -> io::Result<Output> {
    let mut child = Command::new(PROGRAM)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()?;
    if let Some(mut input) = child.stdin.take() {
        // A program that reads nothing reports why when it ends.
        let _ = input.write_all(text.as_bytes());
    }
    child.wait_with_output()
}
