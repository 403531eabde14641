//! `--threads` and `--executor`: where the games of a run are played.

use std::path::Path;

use lmrlab_diagnostics::Source;

use crate::frame::common::Options;
use crate::frame::print::print_err;
use crate::invocation::invocation;
use crate::trust;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::EXECUTOR;
use lmrlab_results::text_file;
use lmrlab_runner::parts::executor::Machines;
use lmrlab_runner::parts::executor::settings::Settings;

/// What `--executor` is for this process.
const HERE: &str = "here";
/// The longest file of settings that is read, in bytes.
const MAX_SETTINGS: u64 = 1 << 20;

/// Where to play.
#[derive(Debug, Clone, Default)]
pub(crate) struct MachineOptions {
    /// The value of `--executor`.
    pub(crate) executor: Option<String>,
}

impl MachineOptions {
    /// Those that the user asks for.
    pub(crate) fn of(options: &Options) -> Self {
        Self {
            executor: options.executor.clone(),
        }
    }

    /// The machines for a new run.
    pub(crate) fn machines(&self) -> Result<Machines, Failure> {
        match self.executor.as_deref() {
            None | Some(HERE) => Ok(Machines::Here),
            Some(text) => {
                let settings = Settings::argument(text)?;
                trust::record(&[], Some(&settings));
                Ok(executor(settings))
            }
        }
    }

    /// The machines for a run that is resumed: those that it began with, unless the user gives others.
    ///
    /// # Errors
    /// As [`Self::machines`]; and when the settings in the folder of the run cannot be read.
    pub(crate) fn machines_of(&self, run: &Path) -> Result<Machines, Failure> {
        match self.of_run(run)? {
            Some(settings) => Ok(executor(settings)),
            None => self.machines(),
        }
    }

    /// The settings that a run began with, unless the user gives others.
    pub(crate) fn of_run(&self, run: &Path) -> Result<Option<Settings>, Failure> {
        let saved = run.join(EXECUTOR.name());
        if self.executor.is_some() || !saved.exists() {
            return Ok(None);
        }
        let shown = saved.display().to_string();
        let text = text_file::read_utf8(&saved, MAX_SETTINGS)
            .map_err(|error| Failure::input(format!("cannot read `{shown}`: {error}"), "name one with `--executor`"))?;
        Settings::read(Source::new(shown, text)).map(Some)
    }
}

fn executor(settings: Settings) -> Machines {
    Machines::of(settings, invocation(), |text| {
        print_err(&format!("warning: {text}"));
    })
}
