//! Records the files that this process reads and writes, so that no output replaces an input.
//!
//! Every reader of the project opens files with [`open`]. A writer asks [`is_read`] before it replaces a file.
//! A command that knows its outputs before it reads announces them ([`announce_output`]); then reading one of them fails.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Absolute paths of regular files.
struct Known {
    read: BTreeSet<PathBuf>,
    outputs: BTreeSet<PathBuf>,
}

static KNOWN: Mutex<Known> = Mutex::new(Known {
    read: BTreeSet::new(),
    outputs: BTreeSet::new(),
});

fn known() -> MutexGuard<'static, Known> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Opens a file to read it, and records it as an input.
///
/// # Errors
/// When it cannot be opened, or is an output of this command.
pub fn open(path: &Path) -> io::Result<File> {
    let file = File::open(path)?;
    if !file.metadata()?.is_file() {
        return Ok(file);
    }
    let path = std::path::absolute(path)?;
    let mut known = known();
    if known.outputs.iter().any(|output| is_same_file(output, &path)) {
        return Err(io::Error::other("this command would overwrite it with its output"));
    }
    known.read.insert(path);
    Ok(file)
}

/// Whether this process has read the file, by this path or by another one, such as a link.
pub fn is_read(path: &Path) -> bool {
    path.is_file() && known().read.iter().any(|read| is_same_file(read, path))
}

/// Whether this process has read a file below a folder.
pub fn is_read_below(folder: &Path) -> bool {
    let Ok(folder) = folder.canonicalize() else {
        return false;
    };
    let below = |read: &PathBuf| read.canonicalize().is_ok_and(|read| read.starts_with(&folder));
    known().read.iter().any(below)
}

/// Says that the command is going to replace a file. Until [`output_written`] it cannot be read.
pub fn announce_output(path: &Path) {
    if let (true, Ok(path)) = (path.is_file(), std::path::absolute(path)) {
        known().outputs.insert(path);
    }
}

/// Says that an output is written: from now on it can be read.
pub fn output_written(path: &Path) {
    if let Ok(path) = std::path::absolute(path) {
        known().outputs.remove(&path);
    }
}

/// Whether two paths lead to the same file, hard links included.
#[cfg(unix)]
fn is_same_file(one: &Path, other: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let identity = |path: &Path| fs::metadata(path).map(|data| (data.dev(), data.ino()));
    matches!((identity(one), identity(other)), (Ok(one), Ok(other)) if one == other)
}

/// Whether two paths lead to the same file.
#[cfg(not(unix))]
fn is_same_file(one: &Path, other: &Path) -> bool {
    matches!((fs::canonicalize(one), fs::canonicalize(other)), (Ok(one), Ok(other)) if one == other)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_was_read_is_known_by_any_path() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let other = folder.path().join("other");
        fs::write(&file, "x").unwrap();
        fs::write(&other, "x").unwrap();
        assert!(!is_read(&file) && !is_read_below(folder.path()));
        open(&file).unwrap();
        assert!(is_read(&folder.path().join(".").join("file")) && is_read_below(folder.path()));
        assert!(!is_read(&other));
        #[cfg(unix)]
        {
            let (symbolic, hard) = (folder.path().join("symbolic"), folder.path().join("hard"));
            std::os::unix::fs::symlink("file", &symbolic).unwrap();
            fs::hard_link(&file, &hard).unwrap();
            assert!(is_read(&symbolic) && is_read(&hard));
        }
        // A new file of this name is not the one that was read; a file system may give it the old number.
        fs::rename(&file, folder.path().join("moved")).unwrap();
        assert!(!is_read(&folder.path().join("moved")));
    }

    #[test]
    fn an_announced_output_cannot_be_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "x").unwrap();
        announce_output(&file);
        assert!(
            open(&folder.path().join(".").join("file"))
                .unwrap_err()
                .to_string()
                .contains("overwrite")
        );
        output_written(&file);
        assert!(open(&file).is_ok());
    }
}
