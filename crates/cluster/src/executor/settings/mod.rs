//! The settings of an executor: a few words on the command line, or a file.

mod read;
mod shorthand;

use std::path::{Path, PathBuf};
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostics, Document, Source};
use lmrlab_results::failure::Failure;

use super::template::Template;

/// The default number of pairs in a part.
const PAIRS: usize = 16;

/// The settings of an executor.
#[derive(Debug, Clone, PartialEq)]
pub struct Settings {
    /// Which executor, and its own settings.
    pub kind: Kind,
    /// Pairs of a part, at least 1. The last parts of a run may have fewer.
    pub pairs: usize,
    text: String,
}

/// Which executor, and its own settings.
#[derive(Debug, Clone, PartialEq)]
pub enum Kind {
    /// Processes on this machine.
    Local(LocalSettings),
    /// Tasks of Slurm.
    Slurm(SlurmSettings),
    /// Commands such as ssh.
    Command(CommandSettings),
}

/// Settings for processes on this machine.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct LocalSettings {
    /// Parts at the same time; when absent, as many as the processors allow.
    pub slots: Option<usize>,
    /// Threads of a part; 1 when absent.
    pub threads: Option<usize>,
}

/// Settings for Slurm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmSettings {
    /// The greatest number of tasks in the queue at the same time, waiting ones included.
    pub slots: usize,
    /// The greatest number of tasks in an array.
    pub array: usize,
    /// Processors of a task; also its number of threads.
    pub cpus_per_task: usize,
    /// Partition, or several with commas between them; the default one when absent.
    pub partition: Option<String>,
    /// Time limit of a task, in sbatch's format.
    pub time: Option<String>,
    /// Memory of a task, in sbatch's format.
    pub memory: Option<String>,
    /// The account for the charges.
    pub account: Option<String>,
    /// The features that nodes must have.
    pub constraint: Option<String>,
    /// Nodes that get no task.
    pub exclude: Vec<String>,
    /// More options for sbatch.
    pub extra: Vec<String>,
    /// The path of lmrlab on the nodes; this program's own path when absent.
    pub program: Option<String>,
    /// The folder of sbatch, squeue and the other commands; when absent, `PATH` is searched.
    pub commands: Option<PathBuf>,
    /// For how long an answer of squeue is used again.
    pub poll: Duration,
}

impl Default for SlurmSettings {
    fn default() -> Self {
        Self {
            slots: 64,
            // Slurm's own default for MaxArraySize is 1001, and indices are below it.
            array: 1000,
            cpus_per_task: 1,
            partition: None,
            time: None,
            memory: None,
            account: None,
            constraint: None,
            exclude: Vec::new(),
            extra: Vec::new(),
            program: None,
            commands: None,
            poll: Duration::from_secs(10),
        }
    }
}

/// A machine that runs parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// Its name in the commands.
    pub name: String,
    /// Parts that it plays at the same time.
    pub slots: usize,
}

/// Settings for commands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommandSettings {
    /// The machines.
    pub hosts: Vec<Host>,
    /// Plays a part.
    pub play: Template,
    /// Copies the part to its host; runs before `play`.
    pub send: Option<Template>,
    /// Copies the results back; runs after `play`.
    pub fetch: Option<Template>,
    /// Ends a part on its host.
    pub cancel: Option<Template>,
    /// Time limit of each command; none when absent.
    pub timeout: Option<Duration>,
}

impl Settings {
    /// An executor from the command line: a few words, such as `local:4`, or the path of a file.
    ///
    /// # Errors
    /// When the words have no known form, or the file has a mistake.
    pub fn argument(text: &str) -> Result<Self, Failure> {
        let path = Path::new(text);
        let is_file = path.extension().is_some_and(|extension| extension == "toml") || path.is_file();
        let source = match is_file {
            true => Source::read(path)?,
            false => Source::new("executor", shorthand::settings(text)?),
        };
        Self::read(source).map_err(Failure::from)
    }

    /// A file of settings.
    ///
    /// # Errors
    /// When it has mistakes; all of them are listed.
    pub fn read(source: Source) -> Result<Self, Diagnostics> {
        let text = source.piece(0..source.end() - 1).unwrap_or_default().to_owned();
        let document = Document::parse(source)?;
        let settings = read::settings(document.root());
        document.finish(settings).map(|((kind, pairs), _)| Self {
            kind,
            pairs: pairs.unwrap_or(PAIRS),
            text,
        })
    }

    /// The settings as the text of a file, which [`Settings::read`] reads.
    pub fn text(&self) -> &str {
        &self.text
    }
}

#[cfg(test)]
mod tests;
