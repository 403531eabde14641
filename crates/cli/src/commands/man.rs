//! `lmrlab man`: writes manual pages.

use std::path::PathBuf;

use clap::Args;
use lmrlab_results::failure::Failure;

use crate::output_files::refuse_no_folder;
use crate::print::print_out;

/// Write manual pages, one for each command.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  lmrlab man ~/.local/share/man/man1 && man lmrlab-match")]
pub(crate) struct Arguments {
    /// The folder; it is created if needed, and older pages of lmrlab in it are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages.
pub(crate) fn run(arguments: &Arguments, command: clap::Command) -> Result<(), Failure> {
    let folder = &arguments.folder;
    refuse_no_folder(folder)?;
    std::fs::create_dir_all(folder)
        .and_then(|()| clap_mangen::generate_to(command, folder))
        .map_err(|error| Failure::write(folder, &error))?;
    print_out(&format!(
        "Wrote the manual pages to `{}`; begin with lmrlab.1\n",
        folder.display()
    ));
    Ok(())
}
