//! `lmrlab positions`: finds test positions in the engine's own games and in random endgames.

mod making;
mod mine;

use clap::Subcommand;
use lmrlab_runner::failure::Failure;

/// Finds test positions.
#[derive(Debug, Subcommand)]
#[command(about = "Find test positions in the engine's own games and in random endgames")]
pub(crate) enum Arguments {
    /// Find tactics in games of the engine against itself, or zugzwangs in which the null move errs
    Mine(Box<mine::Mine>),
}

/// Runs the command.
///
/// # Errors
/// On wrong input, on a file that is there already or cannot be written, and when it was interrupted.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match arguments {
        Arguments::Mine(arguments) => mine::run(arguments),
    }
}
