//! A command plays the parts of a run: it is started for each of them.
//!
//! The command plays the part in a folder, as `lmrlab resume FOLDER` does, and ends when the part is played. It may start
//! processes here, tasks of a scheduler, or programs on other hosts.

mod given_out;
mod process;
pub mod settings;

pub(crate) use self::given_out::Parts;
use self::settings::Settings;
use lmrlab_results::manifest::Invocation;

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
