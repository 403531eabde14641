//! Creates the executor of some settings.

use std::path::Path;

use lmrlab_results::failure::Failure;

use super::Executor;
use super::local::local;
use super::processes::Processes;
use super::settings::{Kind, Settings};
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
            Kind::Command(settings) => Box::new(Processes::new(settings.clone(), true)),
        })
    }
}
