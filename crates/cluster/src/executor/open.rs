//! Creates the executor of some settings, and the executor that runs the user's commands.

use std::path::Path;

use lmrlab_runner::failure::Failure;

use super::Executor;
use super::local::local;
use super::processes::{Commands, Processes, Step};
use super::settings::{CommandSettings, Kind, Settings};
use super::slurm::Slurm;

impl Settings {
    /// The executor. `program` is lmrlab, where the settings name no other.
    ///
    /// # Errors
    /// When it cannot work here, for example because Slurm's commands are missing.
    pub fn executor(&self, program: &Path) -> Result<Box<dyn Executor>, Failure> {
        Ok(match &self.kind {
            Kind::Local(settings) => Box::new(local(settings, program)?),
            Kind::Slurm(settings) => Box::new(Slurm::new(settings.clone(), program)?),
            Kind::Command(settings) => Box::new(command(settings)),
        })
    }
}

/// The executor that runs the commands of these settings.
pub(super) fn command(settings: &CommandSettings) -> Processes<CommandSettings> {
    Processes::new(settings.clone(), settings.hosts.clone(), settings.timeout)
}

impl Commands for CommandSettings {
    fn words(&self, step: Step, host: &str, folder: &str) -> Option<Vec<String>> {
        let template = match step {
            Step::Send => self.send.as_ref(),
            Step::Play => Some(&self.play),
            Step::Fetch => self.fetch.as_ref(),
            Step::Cancel => self.cancel.as_ref(),
        };
        template.map(|template| template.words(host, folder))
    }

    fn are_foreign(&self) -> bool {
        true
    }
}
