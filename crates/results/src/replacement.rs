//! Files that are replaced as a whole: readers see the old file or the new one, even after a kill. And whether a file is still the one
//! that this process writes.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use tempfile::NamedTempFile;

use lmrlab_diagnostics::failure::Failure;

/// The beginning of the names of files that are not complete yet. A killed process leaves them.
pub(crate) const UNFINISHED: &str = ".lmrlab-";

/// Replaces a file as a whole.
pub(crate) fn replace(path: &Path, text: &[u8]) -> Result<(), Failure> {
    let written = begin(path).and_then(|mut new| {
        new.write_all(text)?;
        finish(new, path)
    });
    written.map_err(|error| unwritable(path, &error))
}

/// The new version of a file, beside it until it is complete. It is removed when it is not finished.
pub(crate) fn begin(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| *folder != Path::new(""));
    tempfile::Builder::new()
        .prefix(UNFINISHED)
        .make_in(folder.unwrap_or(Path::new(".")), |new| File::create_new(new))
}

/// Puts a new version in the place of the old file.
pub(crate) fn finish(new: NamedTempFile, path: &Path) -> io::Result<()> {
    new.as_file().sync_data()?;
    new.persist(path)?;
    Ok(())
}

/// The failure when a file of a folder, or the whole folder, is gone.
pub(crate) fn gone(path: &Path) -> Failure {
    match path.parent().filter(|folder| !folder.exists()) {
        Some(folder) => Failure::Changed {
            message: format!(
                "the folder `{}` is gone: it was removed or renamed during the run",
                folder.display()
            ),
            help: "if it was renamed, resume the run in its new place; if it was removed, begin the run again"
                .to_owned(),
        },
        None => changed(path, "is gone: it was removed or renamed"),
    }
}

/// The failure when a file of a run is not as the run has left it.
pub(crate) fn changed(path: &Path, what: &str) -> Failure {
    Failure::Changed {
        message: format!("`{}` {what} during the run", path.display()),
        help: "let no other program write to this folder; restore the file if you can, then resume the run: it makes again what \
               is missing"
            .to_owned(),
    }
}

/// The failure when a file of a folder cannot be written.
pub(crate) fn unwritable(path: &Path, error: &io::Error) -> Failure {
    match error.kind() {
        io::ErrorKind::NotFound => gone(path),
        _ => Failure::write(path, error),
    }
}

/// Whether an open file is the one at a path.
#[cfg(unix)]
pub(crate) fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    use std::os::unix::fs::MetadataExt;
    let (open, there) = (file.metadata()?, fs::metadata(path)?);
    Ok((open.dev(), open.ino()) == (there.dev(), there.ino()))
}

/// Whether an open file is at a path, as far as the system says it.
#[cfg(not(unix))]
pub(crate) fn is_at(_: &File, path: &Path) -> io::Result<bool> {
    fs::metadata(path).map(|_| true)
}
