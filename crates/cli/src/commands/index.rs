//! `lmrlab index`: a page that lists all runs of a folder.

use std::path::PathBuf;

use clap::Args;

use crate::invocation::working_folder;
use crate::pages;
use crate::print::print_out;
use lmrlab_report::index;
use lmrlab_results::failure::Failure;
use lmrlab_runner::project;

/// Write a page that lists all runs of a folder, with their verdicts.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab index results

Subfolders are searched, too. A run links to its report.html, where there is one.")]
pub(crate) struct Arguments {
    /// The folder with the runs [default: results in the project of the working directory, or in the working directory]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
    /// The page to write [default: index.html in the folder]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Writes the list.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => project::results(&working_folder()?),
    };
    let page = index::page(&folder)?;
    let out = arguments.out.clone().unwrap_or_else(|| folder.join("index.html"));
    pages::write(&page, &out)?;
    print_out(&format!("The page is {}\n", out.display()));
    Ok(())
}
