//! The files that a command writes. Files that exist are not overwritten by accident.

use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::print::print_out;
use lmrlab_diagnostics::inputs;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{MANIFEST, check_writable};
use lmrlab_results::output_file::{self, OutputFile};

/// Refuses files that exist, unless they may be overwritten. Also refuses files in folders that do not exist, and one
/// file for two outputs.
pub(crate) fn refuse_existing<'p>(files: impl IntoIterator<Item = &'p PathBuf>, force: bool) -> Result<(), Failure> {
    let files: Vec<&PathBuf> = files.into_iter().collect();
    refuse_twice(&files)?;
    for file in files {
        // The advice is --force, so what it does not help against is refused before.
        refuse_unwritable(file)?;
        if file.is_file() && !force {
            return Err(Failure::input(
                format!("`{}` exists already", file.display()),
                "name another file, or overwrite it with --force",
            ));
        }
    }
    Ok(())
}

/// Refuses what cannot be written: a folder, a file in a folder that does not exist, or a file that the system
/// protects.
pub(crate) fn refuse_unwritable(file: &Path) -> Result<(), Failure> {
    let shown = file.display();
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    if let Some(folder) = folder.filter(|folder| !folder.is_dir()) {
        return Err(Failure::input(
            format!("there is no folder `{}` for `{shown}`", folder.display()),
            "create it first, or name a file in another folder",
        ));
    }
    if file.is_dir() {
        return Err(Failure::input(format!("`{shown}` is a folder"), "name a file"));
    }
    // Opening and closing a pipe here would end it for its reader.
    if !file.exists() || file.is_file() {
        OutputFile::create(file)?;
    }
    inputs::announce_output(file);
    Ok(())
}

/// Refuses a path for a folder when something else has this path.
pub(crate) fn refuse_no_folder(folder: &Path) -> Result<(), Failure> {
    if folder.is_dir() || !folder.exists() {
        return Ok(());
    }
    Err(Failure::input(
        format!("`{}` is not a folder", folder.display()),
        "name a folder, or one that does not exist yet",
    ))
}

/// Refuses a folder that cannot be written to, that of a run, and one that is not empty unless `force` is set.
pub(crate) fn refuse_used_folder(folder: &Path, force: bool) -> Result<(), Failure> {
    refuse_no_folder(folder)?;
    if folder.join(MANIFEST.name()).exists() {
        return Err(Failure::input(
            format!("`{}` holds a run", folder.display()),
            "name another folder",
        ));
    }
    check_writable(folder).map_err(|error| {
        Failure::input(
            format!("cannot write into `{}`: {error}", folder.display()),
            "name another folder",
        )
    })?;
    let is_empty = !folder.exists() || std::fs::read_dir(folder).is_ok_and(|mut entries| entries.next().is_none());
    if !is_empty && !force {
        return Err(Failure::input(
            format!("the folder `{}` is not empty", folder.display()),
            "name another folder, or write into it with --force",
        ));
    }
    Ok(())
}

/// A folder for temporary files. It is removed when the value is dropped. Its path is absolute.
pub(crate) fn temporary_folder() -> Result<TempDir, Failure> {
    tempfile::tempdir().map_err(|error| Failure::run(format!("cannot make a folder for temporary files: {error}")))
}

/// Writes a text to a file, or to standard output when there is none or it is `-`.
pub(crate) fn write_or_print(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    match file.filter(|file| *file != Path::new("-")) {
        Some(file) => output_file::write(file, text),
        None => {
            print_out(text);
            Ok(())
        }
    }
}

/// Refuses one file for two outputs.
fn refuse_twice(files: &[&PathBuf]) -> Result<(), Failure> {
    for (index, file) in files.iter().enumerate() {
        // Two outputs can share a device.
        let is_device = file.exists() && !file.is_file();
        if !is_device && files[..index].iter().any(|other| identity(other) == identity(file)) {
            return Err(Failure::input(
                format!("two outputs would go to the same file, `{}`", file.display()),
                "name a file for each of them",
            ));
        }
    }
    Ok(())
}

/// The same path for all paths that lead to a file, even if it does not exist yet.
fn identity(file: &Path) -> PathBuf {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let in_folder = || {
        let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
        Some(folder.join(file.file_name()?))
    };
    (file.canonicalize().ok())
        .or_else(in_folder)
        .unwrap_or_else(|| file.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_the_same_by_any_path() {
        let folder = tempfile::tempdir().unwrap();
        let there = folder.path().join("there");
        std::fs::write(&there, "x").unwrap();
        let around = folder.path().join(".").join("there");
        assert_eq!(identity(&around), identity(&there));
        let absent = folder.path().join("absent");
        assert!(refuse_twice(&[&absent, &folder.path().join(".").join("absent")]).is_err());
        assert!(refuse_twice(&[&absent, &there]).is_ok());
    }

    #[test]
    fn what_cannot_be_written_is_refused_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        for force in [false, true] {
            let said = |path: &PathBuf| match refuse_existing([path], force) {
                Ok(()) => "accepted".to_owned(),
                Err(error) => error.to_string(),
            };
            assert_eq!(said(&file), "accepted");
            assert!(!file.exists(), "a check leaves nothing");
            assert!(said(&folder.path().to_owned()).contains("is a folder"));
            assert!(said(&file.join("below")).contains("there is no folder"));
        }
        std::fs::write(&file, "x").unwrap();
        assert!(refuse_existing([&file], false).is_err());
        assert!(refuse_existing([&file], true).is_ok());
        assert_eq!(std::fs::read(&file).unwrap(), b"x");
    }
}
