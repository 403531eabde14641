//! Why a command ended without doing what it was asked to.

use std::any::Any;
use std::fmt;
use std::io;
use std::path::Path;

use lmrlab_diagnostics::{Diagnostic, Diagnostics, Source};

/// Why a command failed. Nothing has been written when the input was wrong.
#[derive(Debug)]
pub enum Failure {
    /// The input was wrong; everything that is wrong with it, file by file.
    Input(Vec<Diagnostics>),
    /// The input was right, but the run could not be carried through.
    Run(String),
}

impl Failure {
    /// Wrong input that is no place in a file, such as an option.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(vec![complaint(message, help)])
    }

    /// A file that could not be written in the middle of a run.
    pub fn write(path: &Path, error: &io::Error) -> Self {
        Self::Run(format!("cannot write `{}`: {error}", path.display()))
    }

    /// A panic, which is a mistake of this program, in `what`.
    pub fn mistake(what: &str, panic: &(dyn Any + Send)) -> Self {
        let reason = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        Self::Run(format!(
            "{what} broke down: {reason}; this is a mistake of lmrlab, please report it"
        ))
    }

    /// The exit status that tells a script what happened: 2 for wrong input, 1 for a run that failed.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Input(_) => 2,
            Self::Run(_) => 1,
        }
    }

    /// The message for a person, in colour if asked.
    pub fn render(&self, color: bool) -> String {
        match self {
            Self::Input(reports) => reports
                .iter()
                .map(|report| report.render(color))
                .collect::<Vec<_>>()
                .join("\n\n"),
            Self::Run(message) => complaint(message.clone(), "").render(color),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Failure {}

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
