//! The files that a command writes. Files that exist are not overwritten by accident.

use std::path::Path;

use tempfile::TempDir;

use super::print::print_out;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_diagnostics::inputs;
use lmrlab_results::folder::{MANIFEST, check_writable};
use lmrlab_results::output_file::{self, OutputFile};

/// Refuses a file that exists, unless it may be overwritten. Also refuses one that cannot be written.
pub(crate) fn refuse_existing(file: Option<&Path>, force: bool) -> Result<(), Failure> {
    let Some(file) = file else {
        return Ok(());
    };
    // The advice is --force, so what it does not help against is refused before.
    refuse_unwritable(file)?;
    if file.is_file() && !force {
        return Err(Failure::input(
            format!("`{}` exists already", file.display()),
            "name another file, or overwrite it with --force",
        ));
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

/// Writes a text to a file, or to standard output when there is none.
pub(super) fn write_or_print(file: Option<&Path>, text: &str) -> Result<(), Failure> {
    match file {
        Some(file) => output_file::write(file, text),
        None => {
            print_out(text);
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_refused_and_nothing_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        for force in [false, true] {
            let said = |path: &Path| match refuse_existing(Some(path), force) {
                Ok(()) => "accepted".to_owned(),
                Err(error) => error.to_string(),
            };
            assert_eq!(said(&file), "accepted");
            assert!(!file.exists(), "a check leaves nothing");
            assert!(said(folder.path()).contains("is a folder"));
            assert!(said(&file.join("below")).contains("there is no folder"));
        }
        std::fs::write(&file, "x").unwrap();
        assert!(refuse_existing(Some(&file), false).is_err());
        assert!(refuse_existing(Some(&file), true).is_ok());
        assert_eq!(std::fs::read(&file).unwrap(), b"x");
    }
}
