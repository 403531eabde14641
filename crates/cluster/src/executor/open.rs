//! The executor of settings.

use std::path::Path;

use lmrlab_runner::failure::Failure;

use super::Executor;
use super::command::command;
use super::local::local;
use super::settings::Settings;
use super::slurm::Slurm;

impl Settings {
    /// The executor. `program` is lmrlab, where the settings name no other.
    ///
    /// # Errors
    /// When it cannot work here, such as without Slurm's commands.
    pub fn executor(&self, program: &Path) -> Result<Box<dyn Executor>, Failure> {
        Ok(match self {
            Self::Local(settings) => Box::new(local(settings, program)?),
            Self::Slurm(settings) => Box::new(Slurm::new(settings.clone(), program)?),
            Self::Command(settings) => Box::new(command(settings)),
        })
    }
}
