//! `lmrlab init`: writes a project to begin with.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_engine::preset::PRESET_FOLDER;

use super::shared::starter_files;
use crate::frame::Frame;

/// The files of a new project: path, text, and what they are.
const FILES: [(&str, &str, &str); 3] = [
    (
        "configs/policies/my-idea.toml",
        include_str!("my-idea.toml"),
        "a policy with comments, to be changed",
    ),
    (
        "configs/tournaments/my-tournament.toml",
        include_str!("my-tournament.toml"),
        "a tournament of this policy",
    ),
    ("README.md", include_str!("README.md"), "what is where"),
];

/// Write a project to begin with: folders, a policy, a tournament and a README.
///
/// Example:
///   lmrlab init my-reductions
///
/// Files that are there already are never overwritten.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The folder; it is created if needed
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Writes the files and says what to do next.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let list = starter_files::write(folder, &FILES, "lmrlab init")?;
    let presets = folder.join(PRESET_FOLDER);
    std::fs::create_dir_all(&presets).map_err(|error| Failure::write(&presets, &error))?;
    let (place, change) = match folder == Path::new(".") {
        true => ("this folder".to_owned(), String::new()),
        false => (
            format!("`{}`", folder.display()),
            format!("  cd {}\n", folder.display()),
        ),
    };
    frame.print(&format!(
        "Wrote a project to {place}:\n{list}\nNext:\n{change}  \
         lmrlab policy show my-idea           # its reductions by depth and move\n  \
         lmrlab match my-idea mediocre-2007   # 100 pairs of games against a published scheme\n  \
         lmrlab run my-tournament             # against two policies\n"
    ));
    Ok(())
}
