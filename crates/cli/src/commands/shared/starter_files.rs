//! The first files of `init` and `host init`: written only where no file exists, and listed.

use std::fmt::Write as _;
use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::output_file;

use crate::frame::output_files::refuse_no_folder;

/// Writes files, each with its path in the folder, its text and its description. Returns the list of them for the user.
pub(crate) fn write(folder: &Path, files: &[(&str, &str, &str)], command: &str) -> Result<String, Failure> {
    refuse_no_folder(folder)?;
    let mut paths = files.iter().map(|(path, ..)| folder.join(path));
    if let Some(there) = paths.find(|path| path.symlink_metadata().is_ok()) {
        return Err(Failure::input(
            format!("`{}` exists already; nothing was written", there.display()),
            format!("name another folder; `{command}` overwrites no file"),
        ));
    }
    let width = files.iter().map(|(path, ..)| path.len()).max().unwrap_or(0);
    let mut list = String::new();
    for (path, text, what) in files {
        let _ = writeln!(list, "{}", format!("  {path:width$}  {what}").trim_end());
        let path = folder.join(path);
        let parent = path.parent().unwrap_or(folder);
        std::fs::create_dir_all(parent).map_err(|error| Failure::write(parent, &error))?;
        output_file::write(&path, text)?;
    }
    Ok(list)
}
