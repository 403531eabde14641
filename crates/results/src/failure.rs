//! Failures of a command: wrong input, or a run that could not finish.

use std::any::Any;
use std::io;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};
use lmrlab_engine::engine::OutOfMemory;

/// Why a command failed. After wrong input nothing has been written.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.text(false))]
pub enum Failure {
    /// Wrong input: all mistakes, file by file.
    Input(Vec<Diagnostics>),
    /// The input was right, but the run failed.
    Run(String),
    /// Another process changed or removed what the run had written, so what was recorded may be lost.
    Changed {
        /// What happened to which file.
        message: String,
        /// What to do.
        help: String,
    },
    /// The user stopped it before its end. What was done is saved, and the command has said so.
    Interrupted,
}

impl Failure {
    /// Wrong input outside of files, such as an option; `help` may be empty.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(vec![complaint(message, help)])
    }

    /// A file that could not be written during a run.
    pub fn write(path: &Path, error: &io::Error) -> Self {
        Self::Run(format!("cannot write `{}`: {error}", path.display()))
    }

    /// A panic in `what`: a bug of this program, unless an engine found no memory for its table.
    pub fn mistake(what: &str, panic: &(dyn Any + Send)) -> Self {
        if let Some(error) = panic.downcast_ref::<OutOfMemory>() {
            return Self::Run(error.to_string());
        }
        let reason = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        Self::Run(format!(
            "{what} panicked: {reason}; this is a bug in lmrlab, please report it"
        ))
    }

    /// The exit status of the program: 2 for wrong input, 1 for a failed run, 130 when it was interrupted.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Run(_) | Self::Changed { .. } => 1,
            Self::Interrupted => 130,
        }
    }

    /// The messages in one line, for another sentence.
    pub fn in_a_line(&self) -> String {
        match self {
            Self::Run(message) | Self::Changed { message, .. } => message.clone(),
            Self::Interrupted => "interrupted".to_owned(),
            Self::Input(reports) => {
                let all = reports.iter().flat_map(|report| &report.list);
                all.map(|diagnostic| diagnostic.message.as_str())
                    .collect::<Vec<_>>()
                    .join("; ")
            }
        }
    }

    /// The message, in colour.
    pub fn render(&self) -> String {
        self.text(true)
    }

    fn text(&self, color: bool) -> String {
        match self {
            Self::Input(reports) => reports
                .iter()
                .map(|report| report.render(color))
                .collect::<Vec<_>>()
                .join("\n\n"),
            Self::Run(message) => complaint(message.clone(), "").render(color),
            Self::Changed { message, help } => complaint(message.clone(), help.clone()).render(color),
            Self::Interrupted => self.in_a_line(),
        }
    }
}

/// A message that belongs to no file; `help` may be empty.
pub fn complaint(message: impl Into<String>, help: impl Into<String>) -> Diagnostics {
    let mut diagnostic = Diagnostic::error(message);
    let help = help.into();
    if !help.is_empty() {
        diagnostic = diagnostic.help(help);
    }
    Diagnostics::new(Source::new("", ""), vec![diagnostic])
}

/// A warning that belongs to no file.
pub fn warning(message: impl Into<String>) -> Diagnostics {
    Diagnostics::new(Source::new("", ""), vec![Diagnostic::warning(message)])
}
