//! A command plays the parts of a run: it is started for each of them.
//!
//! The command plays the part in a folder, as `lmrlab resume FOLDER` does, and ends when the part is played. It may start
//! processes here, tasks of a scheduler, or programs on other hosts.

pub mod command;
mod given_out;
mod process;

use self::command::ExecutorCommand;
pub(crate) use self::given_out::Parts;
use lmrlab_results::manifest::Invocation;

/// A command that plays parts of runs.
pub struct Executor {
    command: ExecutorCommand,
    /// This program.
    program: Invocation,
    /// Gets what the user should know.
    warn: Box<dyn Fn(&str) + Sync>,
}

impl Executor {
    /// An executor with this command. `program` is this program. `warn` gets what the user should know.
    pub fn new(command: ExecutorCommand, program: Invocation, warn: impl Fn(&str) + Sync + 'static) -> Self {
        Self {
            command,
            program,
            warn: Box::new(warn),
        }
    }
}
