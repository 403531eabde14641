//! Where parts are played: one small interface and its implementations.

mod child;
mod local;
mod open;
mod process_id;
mod processes;
pub mod settings;
mod slurm;
pub mod template;

use std::path::{Path, PathBuf};

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::COMPLETION;

/// A part to be played. Its folder has everything that is needed, and gets the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The folder, absolute. `lmrlab resume FOLDER` plays what is in it.
    pub folder: PathBuf,
    /// The host where the same pairs failed before. The job should run on another host, if there is one.
    pub avoid: Option<String>,
}

/// The file in a part's folder with the output of the program that plays it.
const OUTPUT: &str = "output.txt";

/// Whether the part in a folder has been played to its end.
fn is_complete(folder: &Path) -> bool {
    folder.join(COMPLETION.name()).is_file()
}

impl Job {
    /// The folder as text, for commands and scripts.
    ///
    /// # Errors
    /// When the folder cannot stand in a command: it is not UTF-8, not absolute, or has a line break.
    fn folder_text(&self) -> Result<&str, Failure> {
        let text = self.folder.to_str().filter(|text| !text.contains(['\n', '\r', '\0']));
        text.filter(|_| self.folder.is_absolute()).ok_or_else(|| {
            let message = format!("`{}` cannot be the folder of a part", self.folder.display());
            Failure::input(
                message,
                "its path has to be absolute UTF-8 text without line breaks; name another folder",
            )
        })
    }
}

/// The name of a job for its executor. A later process can use it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct JobId(pub String);

/// How a job goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobState {
    /// It has not begun.
    Waiting,
    /// It is being played.
    Running {
        /// Where, if that is known.
        host: Option<String>,
    },
    /// It ended without an error; the files in its folder say whether it succeeded.
    Ended {
        /// Where, if that is known.
        host: Option<String>,
    },
    /// It ended with an error, was killed, or is no longer known.
    Failed {
        /// Where, if that is known.
        host: Option<String>,
        /// The reason: the rest of a sentence that begins with "it", such as `was killed by signal 9`.
        why: String,
    },
}

/// Places jobs on machines.
///
/// After a [`Failure::Run`] the same call may succeed later, for example when a scheduler is being restarted. A
/// [`Failure::Input`] is permanent: a mistake in the settings, or no scheduler at all.
pub trait Executor: Send {
    /// How many jobs are worth having at the same time.
    fn slots(&self) -> usize;

    /// Submits jobs. Returns their ids in the same order.
    ///
    /// # Errors
    /// When the command that submits them fails.
    fn submit(&mut self, jobs: &[Job]) -> Result<Vec<JobId>, Failure>;

    /// Asks for the states of jobs. Returns them in the same order. For a job that another process submitted, the
    /// answer is what can still be known.
    ///
    /// # Errors
    /// When there is no answer, for example while a scheduler is being restarted. The caller asks again later.
    fn ask(&mut self, jobs: &[JobId]) -> Result<Vec<JobState>, Failure>;

    /// Cancels jobs. Jobs that have already ended stay as they are.
    ///
    /// # Errors
    /// When the command that cancels them fails.
    fn cancel(&mut self, jobs: &[JobId]) -> Result<(), Failure>;

    /// How long to wait before asking again.
    fn pause(&self) -> std::time::Duration {
        std::time::Duration::from_millis(200)
    }
}
