//! `lmrlab preset`: lists and prints search presets.

use clap::Subcommand;
use lmrlab_diagnostics::Files;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::preset::{PRESET_FOLDER, Preset};

use super::shared::configuration;
use crate::frame::Frame;
use crate::invocation::working_folder;

/// List and print search presets: the search around a policy.
#[derive(Debug, Subcommand)]
pub(crate) enum Arguments {
    /// List the presets of the project and the built-in ones.
    List,
    /// Print a preset, of the project or built in. Standard error says which.
    ///
    /// Example:
    ///   lmrlab preset cat standard > configs/engines/mine.toml
    #[command(verbatim_doc_comment)]
    Cat {
        /// A name in configs/engines or a file.
        preset: String,
    },
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let here = working_folder()?;
    let files = Files::on_disk();
    match arguments {
        Arguments::List => configuration::list(frame, files.named(PRESET_FOLDER, &here), |path| {
            let (preset, _) = Preset::load(path)?;
            Ok(vec![preset.description().to_owned()])
        }),
        Arguments::Cat { preset } => {
            let path = Preset::locate(&files, preset, &here)?;
            frame.text(|| configuration::text(&path))
        }
    }
}
