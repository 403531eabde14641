//! `lmrlab man`: writes manual pages.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::output_file::OutputFile;

use super::help;
use crate::frame::Frame;
use crate::frame::output_files::refuse_no_folder;

/// Write manual pages, one for each command.
///
/// Example:
///   lmrlab man ~/.local/share/man/man1 && man lmrlab-match
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The folder; it is created if needed, and older pages of lmrlab in it are replaced
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

/// Writes the pages.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let folder = &arguments.folder;
    refuse_no_folder(folder)?;
    std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error))?;
    let mut command = help::shown().disable_help_subcommand(true);
    command.build();
    write(command, folder)?;
    frame.print(&format!(
        "Wrote the manual pages to `{}`; begin with lmrlab.1\n",
        folder.display()
    ));
    Ok(())
}

/// Writes the page of a command, and those of its subcommands.
fn write(command: clap::Command, folder: &Path) -> Result<(), Failure> {
    for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write(command.clone(), folder)?;
    }
    let page = clap_mangen::Man::new(command);
    let mut file = OutputFile::create(&folder.join(page.get_filename()))?;
    page.render(&mut file).map_err(|error| Failure::write(folder, &error))?;
    file.finish()
}
