//! Failures of a command: wrong input, or a run that could not finish.

use std::any::Any;
use std::fmt::Display;
use std::io;
use std::path::{Path, PathBuf};

use crate::{Diagnostic, Diagnostics, Source};

/// Why a command failed. After wrong input nothing has been written. The kind decides the exit status.
#[derive(Debug, thiserror::Error)]
#[error("{}", self.text("", false))]
pub enum Failure {
    /// Wrong input: all mistakes, file by file.
    Input(Vec<Diagnostics>),
    /// The request cannot be fulfilled here; the advice depends on how it was made.
    Refused(#[from] Refusal),
    /// The input was right, but the run failed.
    Run(#[from] RunFailure),
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

/// The mistakes of one file.
impl From<Diagnostics> for Failure {
    fn from(mistakes: Diagnostics) -> Self {
        Self::Input(vec![mistakes])
    }
}

/// The system has no memory for a transposition table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no memory for a transposition table of {mebibytes} MiB: {reason}")]
pub struct OutOfMemory {
    /// The size of the table.
    pub mebibytes: u32,
    /// The error of the system.
    pub reason: String,
}

/// Why a run is refused before it begins.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what they are")]
pub enum Refusal {
    #[error("the results cannot go to `{}`, which is not a folder", .0.display())]
    NotAFolder(PathBuf),
    #[error("the folder `{}` exists already", .0.display())]
    FolderExists(PathBuf),
    #[error("the folder `{}` exists already and does not hold the results of a run", .0.display())]
    NotARun(PathBuf),
    #[error("the results cannot be written to `{}`: {error}", path.display())]
    FolderUnwritable { path: PathBuf, error: io::Error },
    #[error("another lmrlab has begun a run in `{}`", .0.display())]
    BegunElsewhere(PathBuf),
    #[error("the input `{}` is in the folder that is to be replaced", .0.display())]
    ReplacesInput(PathBuf),
    #[error("`{}` holds a tuning run that was interrupted", .0.display())]
    InterruptedTuning(PathBuf),
    #[error("the transposition tables take {needed_mib} MiB ({tables}), and {free_mib} MiB {of_what}")]
    TooLittleMemory {
        needed_mib: u64,
        tables: String,
        free_mib: u64,
        of_what: &'static str,
    },
}

/// A number of games that follow each other.
pub fn in_a_row(games: u64) -> String {
    match games {
        1 => "a game".to_owned(),
        _ => format!("{games} games in a row"),
    }
}

/// Why a run failed although its input was right.
#[derive(Debug, thiserror::Error)]
#[expect(missing_docs, reason = "the messages say what they are")]
pub enum RunFailure {
    #[error("cannot write `{}`: {reason}", path.display())]
    Write { path: PathBuf, reason: String },
    #[error("{what} cannot be written: {reason}")]
    Encode { what: &'static str, reason: String },
    #[error("cannot start {threads} threads: {reason}")]
    Threads { threads: usize, reason: String },
    #[error("{what} panicked: {reason}; this is a bug in lmrlab, please report it")]
    Panic { what: String, reason: String },
    #[error(transparent)]
    OutOfMemory(OutOfMemory),
    #[error("{engine} {what}")]
    Machine { engine: String, what: String },
    #[error("`{engine}` has lost {} by {by}; in game {game} it {fault}", in_a_row(*lost))]
    FaultsInARow {
        engine: String,
        lost: u64,
        by: &'static str,
        game: u64,
        fault: String,
    },
    #[error("{0} cannot be played")]
    Unplayable(String),
    #[error("stopped before the first game")]
    Stopped,
    #[error("{0}")]
    Other(String),
}

impl Failure {
    /// Wrong input outside of files; `help` may be empty.
    pub fn input(message: impl Into<String>, help: impl Into<String>) -> Self {
        Self::Input(vec![complaint(message, help)])
    }

    /// A failure of a run, in words.
    pub fn run(message: impl Into<String>) -> Self {
        Self::Run(RunFailure::Other(message.into()))
    }

    /// A file that could not be written during a run.
    pub fn write(path: &Path, error: &io::Error) -> Self {
        let (path, reason) = (path.to_owned(), error.to_string());
        Self::Run(RunFailure::Write { path, reason })
    }

    /// A value that its file cannot hold.
    pub fn encode(what: &'static str, reason: &dyn Display) -> Self {
        let reason = reason.to_string();
        Self::Run(RunFailure::Encode { what, reason })
    }

    /// A panic in `what`: a bug of this program, unless the system had no memory for an engine's table.
    pub fn mistake(what: &str, panic: &(dyn Any + Send)) -> Self {
        if let Some(error) = panic.downcast_ref::<OutOfMemory>() {
            return Self::Run(RunFailure::OutOfMemory(error.clone()));
        }
        let reason = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied())
            .unwrap_or("no reason given");
        Self::Run(RunFailure::Panic {
            what: what.to_owned(),
            reason: reason.to_owned(),
        })
    }

    /// The exit status of the program: 2 for wrong input, 1 for a failed run, 130 when it was interrupted. `lmrlab` itself says which
    /// signal interrupted it.
    pub fn exit_status(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Refused(_) => 2,
            Self::Run(_) | Self::Changed { .. } => 1,
            Self::Interrupted => 130,
        }
    }

    /// The messages in one line, for another sentence.
    pub fn in_a_line(&self) -> String {
        match self {
            Self::Refused(refusal) => refusal.to_string(),
            Self::Run(failure) => failure.to_string(),
            Self::Changed { message, .. } => message.clone(),
            Self::Interrupted => "interrupted".to_owned(),
            Self::Input(reports) => {
                let all = reports.iter().flat_map(|report| &report.list);
                all.map(|diagnostic| diagnostic.message.as_str())
                    .collect::<Vec<_>>()
                    .join("; ")
            }
        }
    }

    /// The message in colour; `advice` says what to do about a refusal or a failure of a run, and may be empty.
    pub fn render(&self, advice: &str) -> String {
        self.text(advice, true)
    }

    fn text(&self, advice: &str, color: bool) -> String {
        match self {
            Self::Input(reports) => reports
                .iter()
                .map(|report| report.render(color))
                .collect::<Vec<_>>()
                .join("\n\n"),
            Self::Refused(_) | Self::Run(_) => complaint(self.in_a_line(), advice).render(color),
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
