//! A process of the executor's command. It is polled, never waited for. Its output goes to a file.
//!
//! It ends with the coordinator. When the coordinator is killed, it plays its part to the end; Windows kills it, too.

use std::fs::OpenOptions;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::time::Duration;

use crate::child_group::{self, ChildGroup};
use lmrlab_results::text_file::{open_file, refuse_other_kinds};
use lmrlab_results::visible::visible;

/// Lines at the end of an output that messages show, and the number of bytes in which they are searched.
const SHOWN_LINES: usize = 3;
const SHOWN_BYTES: u64 = 2048;

/// How long a process may take to end after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// A process of the command.
pub(super) struct Process(ChildGroup);

impl Process {
    /// Starts a command. What it prints is appended to `output`.
    pub(super) fn start(words: &[String], output: &Path) -> io::Result<Self> {
        refuse_other_kinds(output)?;
        let file = OpenOptions::new().create(true).append(true).open(output)?;
        let errors = file.try_clone()?;
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| io::Error::other("the command is empty"))?;
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::null()).stdout(file).stderr(errors);
        ChildGroup::spawn(&mut command).map(Self)
    }

    /// How it ended; `None` while it runs. What it has started ends with it.
    pub(super) fn ended(&mut self) -> io::Result<Option<ExitStatus>> {
        match self.0.has_exited()? {
            true => self.0.kill().map(Some),
            false => Ok(None),
        }
    }

    /// Asks it and its children to end, and kills them after two seconds. Returns when the process is gone.
    pub(super) fn end(mut self) {
        self.0.ask_to_end();
        self.0.exits_within(GRACE);
    }
}

/// How a process ended, with the last lines of its output.
pub(super) fn ending(status: ExitStatus, output: &Path) -> String {
    let lines = last_lines(output).map_or_else(String::new, |lines| format!(": {lines}"));
    format!("{}{lines}", child_group::ending(status))
}

/// The last lines of an output, on one line; `None` when there is nothing in it.
fn last_lines(output: &Path) -> Option<String> {
    let mut file = open_file(output).ok()?;
    let length = file.metadata().ok()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(SHOWN_BYTES))).ok()?;
    let mut bytes = Vec::new();
    file.take(SHOWN_BYTES).read_to_end(&mut bytes).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    let lines: Vec<&str> = text.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
    let shown = &lines[lines.len().saturating_sub(SHOWN_LINES)..];
    (!shown.is_empty()).then(|| visible(&shown.join(" / ")).into_owned())
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn start(folder: &Path, script: &str) -> (Process, std::path::PathBuf) {
        let output = folder.join("output.txt");
        let words = ["sh", "-c", script].map(str::to_owned);
        (Process::start(&words, &output).unwrap(), output)
    }

    #[test]
    fn how_it_ended_and_what_it_printed_last() {
        let folder = tempfile::tempdir().unwrap();
        for (script, said) in [
            ("exit 3", "exited with status 3"),
            ("kill -9 $$", "was killed by signal 9"),
            (
                "printf 'a\\n\\nb\\nerror: c\\n  --> \\033[31md\\n'; exit 1",
                "exited with status 1: b / error: c / --> ␛[31md",
            ),
        ] {
            let (mut process, output) = start(folder.path(), script);
            let status = loop {
                if let Some(status) = process.ended().unwrap() {
                    break status;
                }
            };
            assert_eq!(ending(status, &output), said);
        }
    }

    #[test]
    fn it_ends_even_when_it_ignores_signals() {
        let folder = tempfile::tempdir().unwrap();
        let script = "trap '' TERM; echo deaf; while true; do sleep 1; done";
        let (process, output) = start(folder.path(), script);
        let pid = process.0.child.id();
        while last_lines(&output).is_none() {}
        process.end();
        assert!(!Path::new(&format!("/proc/{pid}")).exists());
    }
}
