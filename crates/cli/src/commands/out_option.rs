//! `--out` and `--force` of the commands that make one file.

use std::path::PathBuf;

use clap::Args;
use lmrlab_results::failure::Failure;

use crate::output_files::{refuse_existing, write_or_print};

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

/// The file that a command makes, or standard output.
#[derive(Debug, Args)]
pub(crate) struct FileOrOutput {
    /// Write to this file instead of standard output.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Overwrite this file.
    #[arg(long)]
    force: bool,
}

impl FileOrOutput {
    /// As [`OutOption::refuse_existing`]. `-` is standard output.
    pub(crate) fn refuse_existing(&self) -> Result<(), Failure> {
        let file = self.out.as_ref().filter(|file| file.as_os_str() != "-");
        refuse_existing(file, self.force)
    }

    pub(crate) fn write(&self, text: &str) -> Result<(), Failure> {
        write_or_print(self.out.as_deref(), text)
    }
}
