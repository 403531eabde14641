//! A command plays the parts of a run: it is started for each of them.
//!
//! The command plays the part in a folder, as `lmrlab resume FOLDER` does, and ends when the part is played. It may start
//! processes here, tasks of a scheduler, or programs on other hosts.

mod given_out;
mod play;
mod process;
pub mod settings;

use std::path::Path;

pub use self::play::play;
use self::settings::Settings;
use crate::conduct::threads::Threads;
use lmrlab_results::manifest::{Invocation, Manifest};

/// The run that is played.
#[derive(Debug, Clone, Copy)]
pub struct RunInPlay<'r> {
    /// Its folder.
    pub folder: &'r Path,
    /// Its manifest.
    pub manifest: &'r Manifest,
    /// The threads that it asks for.
    pub threads: Threads,
}

/// A command that plays parts of runs.
pub struct Executor {
    settings: Settings,
    /// This program.
    program: Invocation,
    /// Gets what the user should know.
    warn: Box<dyn Fn(&str) + Sync>,
}

impl Executor {
    /// An executor with these settings. `program` is this program. `warn` gets what the user should know.
    pub fn new(settings: Settings, program: Invocation, warn: impl Fn(&str) + Sync + 'static) -> Self {
        Self {
            settings,
            program,
            warn: Box::new(warn),
        }
    }
}
