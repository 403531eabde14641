//! Where parts are played: one small interface, and what implements it.

mod child;
mod local;
mod open;
mod process_id;
mod processes;
pub mod settings;
mod slurm;
pub mod template;

use std::path::{Path, PathBuf};

use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::COMPLETION;

/// A part to be played: its folder has all that is needed, and takes the results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// The folder, absolute. `lmrlab resume FOLDER` plays what is in it.
    pub folder: PathBuf,
    /// The host where the same pairs failed before; another one gets them if that is possible.
    pub avoid: Option<String>,
}

/// The file in a part's folder that has what playing it printed.
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

/// How an executor calls a job; means something to a later process, too.
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
    /// It ended with an error, was killed, or is not known any more.
    Failed {
        /// Where, if that is known.
        host: Option<String>,
        /// What is known of it: the rest of a sentence that begins with "it", such as `was killed by signal 9`.
        why: String,
    },
}

/// Places jobs on machines.
///
/// Where one of these fails with [`Failure::Run`], the same may succeed later, such as while a scheduler is being restarted.
/// A [`Failure::Input`] stays: a mistake in the settings, or no scheduler at all.
pub trait Executor: Send {
    /// How many jobs are worth having at the same time.
    fn slots(&self) -> usize;

    /// Submits jobs; returns what they are called, in their order.
    ///
    /// # Errors
    /// When the command that submits them fails.
    fn submit(&mut self, jobs: &[Job]) -> Result<Vec<JobId>, Failure>;

    /// Asks how jobs go; the answers are in their order. A job that is asked about by another process than the one that
    /// submitted it is answered as well as that can be known.
    ///
    /// # Errors
    /// When there is no answer, such as while a scheduler is being restarted; the caller asks again later.
    fn ask(&mut self, jobs: &[JobId]) -> Result<Vec<JobState>, Failure>;

    /// Cancels jobs; those that have ended already are left alone.
    ///
    /// # Errors
    /// When the command that cancels them fails.
    fn cancel(&mut self, jobs: &[JobId]) -> Result<(), Failure>;

    /// How long to wait before asking again.
    fn pause(&self) -> std::time::Duration {
        std::time::Duration::from_millis(200)
    }
}
