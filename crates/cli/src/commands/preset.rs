//! `lmrlab preset`: lists and prints search presets.

use clap::Subcommand;
use lmrlab_diagnostics::Files;
use lmrlab_engine::preset::{PRESET_FOLDER, Preset};
use lmrlab_results::failure::Failure;

use super::configuration;
use crate::invocation::working_folder;

/// List and print search presets: the search around a policy.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// List the presets of the project and the built-in ones.
    List,
    /// Print a preset, of the project or built in. Standard error says which.
    #[command(after_help = "Example:\n  lmrlab preset cat standard > configs/engines/mine.toml")]
    Cat {
        /// A name in configs/engines or a file.
        preset: String,
    },
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let here = working_folder()?;
    let files = Files::on_disk();
    match arguments {
        Arguments::List => configuration::list(files.named(PRESET_FOLDER, &here), |path| {
            let (preset, _) = Preset::load(path)?;
            Ok(vec![preset.description().to_owned()])
        }),
        Arguments::Cat { preset } => {
            let path = Preset::locate(&files, preset, &here)?;
            configuration::cat(&path)
        }
    }
}
