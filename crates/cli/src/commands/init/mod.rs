//! `lmrlab init`: writes a project to begin with.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_engine::preset::PRESET_FOLDER;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;

use crate::output_files::refuse_no_folder;
use crate::print::print_out;

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

/// Where to write.
#[derive(Debug, Args)]
#[command(
    about = "Write a project to begin with: folders, a policy, a tournament and a README",
    after_help = "Example:\n  lmrlab init my-reductions\n\nFiles that are there already are never overwritten."
)]
pub(crate) struct Arguments {
    /// The folder; it is created if needed
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
}

/// Writes the files and says what to do next.
///
/// # Errors
/// When one of the files is there already, and when one cannot be written.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let folder = &arguments.folder;
    refuse_no_folder(folder)?;
    let paths = FILES.map(|(path, ..)| folder.join(path));
    if let Some(there) = paths.iter().find(|path| path.symlink_metadata().is_ok()) {
        return Err(Failure::input(
            format!("`{}` exists already; nothing was written", there.display()),
            "name another folder; `lmrlab init` overwrites no file",
        ));
    }
    let make = |folder: &Path| std::fs::create_dir_all(folder).map_err(|error| Failure::write(folder, &error));
    make(&folder.join(PRESET_FOLDER))?;
    for (path, (_, text, _)) in paths.iter().zip(FILES) {
        make(path.parent().unwrap_or(folder))?;
        output_file::write(path, text)?;
    }
    print_out(&next_steps(folder));
    Ok(())
}

fn next_steps(folder: &Path) -> String {
    let here = folder == Path::new(".");
    let place = if here {
        "this folder".to_owned()
    } else {
        format!("`{}`", folder.display())
    };
    let mut text = format!("Wrote a project to {place}:\n");
    let width = FILES.iter().map(|(path, ..)| path.len()).max().unwrap_or(0);
    for (path, _, what) in FILES {
        let _ = writeln!(text, "  {path:width$}  {what}");
    }
    text.push_str("\nNext:\n");
    if !here {
        let _ = writeln!(text, "  cd {}", folder.display());
    }
    text.push_str(
        "  lmrlab policy show my-idea           # its reductions by depth and move\n  \
         lmrlab match my-idea mediocre-2007   # 100 pairs of games against a published scheme\n  \
         lmrlab run my-tournament             # against two policies\n",
    );
    text
}
