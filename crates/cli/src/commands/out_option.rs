//! `--out` and `--force` of the commands that make one file.

use std::path::PathBuf;

use clap::Args;
use lmrlab_runner::failure::Failure;

use crate::output_files::refuse_existing;

/// The file that a command makes.
#[derive(Debug, Args)]
pub(crate) struct OutOption {
    /// The file to write; one that exists is not overwritten without --force.
    #[arg(long = "out", value_name = "FILE")]
    pub(crate) path: PathBuf,
    /// Overwrite the file.
    #[arg(long)]
    force: bool,
}

impl OutOption {
    /// Refuses a file that is there already or cannot be written.
    pub(crate) fn refuse_existing(&self) -> Result<(), Failure> {
        refuse_existing([&self.path], self.force)
    }
}
