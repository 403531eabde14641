//! `lmrlab index`: a page that lists all runs of a folder.

use std::path::PathBuf;

use clap::Args;

use crate::frame::Frame;
use crate::invocation::working_folder;
use crate::open_outcome::listed;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::project;
use lmrlab_results::report::index;

/// Write a page that lists all results of a folder, with their verdicts.
///
/// Example:
///   lmrlab index results
///
/// Subfolders are searched, too. A result links to its report.html, where there is one. The page is index.html in the folder, unless
/// --out names it.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The folder with the results [default: results in the project of the working directory, or in the working directory]
    #[arg(value_name = "DIR")]
    folder: Option<PathBuf>,
}

/// Writes the list.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let folder = match &arguments.folder {
        Some(folder) => folder.clone(),
        None => project::results(&working_folder()?),
    };
    frame.page(
        &index::page(&folder, listed)?,
        &frame.page_file(|| folder.join("index.html")),
    )
}
