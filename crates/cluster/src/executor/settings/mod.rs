//! What an executor is told: `--executor` on the command line, or a file with all settings.

mod argument;
mod read;
mod write;

use std::path::PathBuf;
use std::time::Duration;

use lmrlab_diagnostics::{Diagnostics, Document, Source};
use lmrlab_runner::failure::Failure;

use super::template::Template;

/// What an executor is told. Read from the command line or a file; written again so that a run can be resumed.
#[derive(Debug, Clone, PartialEq)]
pub enum Settings {
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
    /// Parts at the same time; as many as processors allow when absent.
    pub slots: Option<usize>,
    /// Threads of a part; 1 when absent.
    pub threads: Option<usize>,
}

/// Settings for Slurm.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SlurmSettings {
    /// Tasks in the queue at the same time, waiting ones included.
    pub slots: usize,
    /// Tasks of an array at most.
    pub array: usize,
    /// Processors, and threads, of a task.
    pub cpus_per_task: usize,
    /// Partition, or several with commas between them; the default one when absent.
    pub partition: Option<String>,
    /// Time of a task at most, as sbatch reads it.
    pub time: Option<String>,
    /// Memory of a task, as sbatch reads it.
    pub memory: Option<String>,
    /// The account that pays.
    pub account: Option<String>,
    /// What nodes must have.
    pub constraint: Option<String>,
    /// Nodes that get nothing.
    pub exclude: Vec<String>,
    /// More options for sbatch.
    pub extra: Vec<String>,
    /// lmrlab on the nodes; this program's own path when absent.
    pub program: Option<String>,
    /// The folder of sbatch, squeue and the rest; searched in `PATH` when absent.
    pub commands: Option<PathBuf>,
    /// How long an answer of squeue is used.
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

/// A machine that commands reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Host {
    /// What the commands call it.
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
    /// Runs before it, and brings the part to its host.
    pub send: Option<Template>,
    /// Runs after it, and brings the results back.
    pub fetch: Option<Template>,
    /// Ends a part on its host.
    pub cancel: Option<Template>,
    /// Time for each of these commands; no limit when absent.
    pub timeout: Option<Duration>,
}

impl Settings {
    /// What `--executor` says: a kind, such as `local:4`, or a file.
    ///
    /// # Errors
    /// When it says nothing that is known, or there is a mistake in the file.
    pub fn argument(text: &str) -> Result<Self, Failure> {
        argument::settings(text)
    }

    /// A file of settings.
    ///
    /// # Errors
    /// When it has mistakes; all of them are in the list.
    pub fn read(source: Source) -> Result<Self, Diagnostics> {
        read_kind(source, None)
    }

    /// The settings as a file, for [`Settings::read`].
    pub fn to_toml(&self) -> String {
        write::settings(self)
    }
}

/// A file of settings; `kind` where the command line says it.
fn read_kind(source: Source, kind: Option<read::Kind>) -> Result<Settings, Diagnostics> {
    let document = Document::parse(source)?;
    let settings = read::settings(document.root(), kind);
    document.finish(settings).map(|(settings, _)| settings)
}

#[cfg(test)]
mod tests;
