//! The only way to write a file that a command makes. It replaces no file that the command reads, and no file of a run.
//! A failure loses nothing.
//!
//! A file is written beside the old one and renamed when it is complete. Only regular files are replaced. Symbolic links are
//! followed. Devices and pipes are written to directly.

use std::fs::{self, File};
use std::io::{self, BufWriter, IntoInnerError, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use lmrlab_diagnostics::inputs;

use crate::folder;
use crate::replacement;
use lmrlab_diagnostics::failure::Failure;

/// A file that is being written.
pub struct OutputFile {
    out: Out,
    path: PathBuf,
}

enum Out {
    /// The new version, and the path with its links resolved.
    File(BufWriter<NamedTempFile>, PathBuf),
    /// A device or a pipe.
    Stream(File),
}

impl OutputFile {
    /// Begins to write. The file that is there stays until [`Self::finish`].
    ///
    /// # Errors
    /// When the file may not be replaced, or its folder cannot be written.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        refuse(path)?;
        let open = || -> io::Result<Out> {
            let target = target(path);
            if is_stream(path, &target) {
                return File::options().append(true).open(path).map(Out::Stream);
            }
            let new = replacement::begin(&target)?;
            if let Ok(old) = fs::metadata(&target) {
                // A file that its owner has made read-only stays as it is.
                File::options().append(true).open(&target)?;
                fs::set_permissions(new.path(), old.permissions())?;
            }
            Ok(Out::File(BufWriter::new(new), target))
        };
        Ok(Self {
            out: open().map_err(|error| unwritable(path, &error))?,
            path: path.to_owned(),
        })
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    /// When it cannot be written to its end, or the command has read the old file meanwhile. Then the old file is still
    /// there.
    pub fn finish(self) -> Result<(), Failure> {
        if let Out::File(new, target) = self.out {
            refuse(&self.path)?;
            let new = new.into_inner().map_err(IntoInnerError::into_error);
            let written = new.and_then(|new| replacement::finish(new, &target));
            written.map_err(|error| Failure::write(&self.path, &error))?;
        }
        inputs::output_written(&self.path);
        Ok(())
    }

    /// Adds the last bytes, and renames the file to its final name.
    ///
    /// # Errors
    /// As [`Self::finish`].
    pub fn finish_with(mut self, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
        self.write_all(bytes.as_ref())
            .map_err(|error| Failure::write(&self.path, &error))?;
        self.finish()
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.out {
            Out::File(new, _) => new.write(bytes),
            Out::Stream(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.out {
            Out::File(new, _) => new.flush(),
            Out::Stream(stream) => stream.flush(),
        }
    }
}

/// Writes a whole file.
///
/// # Errors
/// As [`OutputFile::create`] and [`OutputFile::finish`].
pub fn write(path: &Path, bytes: impl AsRef<[u8]>) -> Result<(), Failure> {
    OutputFile::create(path)?.finish_with(bytes)
}

/// Opens a file to add to its end. It is created when it does not exist.
///
/// # Errors
/// When it may not be written, as [`refuse`] says, or the system refuses.
pub fn append(path: &Path) -> Result<File, Failure> {
    refuse(path)?;
    let opened = File::options().append(true).create(true).open(path);
    opened.map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> Failure {
    Failure::input(
        format!("cannot write `{}`: {error}", path.display()),
        "name a file in a folder that can be written",
    )
}

/// Whether an output takes the place of a file, or is added to one. Otherwise the path is that of a device or a pipe.
pub fn is_file(path: &Path) -> bool {
    !is_stream(path, &target(path))
}

/// Refuses an output that this command has read, or that belongs to a run.
///
/// # Errors
/// When it may not be replaced.
pub fn refuse(path: &Path) -> Result<(), Failure> {
    let shown = path.display();
    if inputs::is_read(path) {
        return Err(Failure::input(
            format!("an output would overwrite the input `{shown}`"),
            "name another file",
        ));
    }
    if folder::is_of_a_run(&target(path)) {
        return Err(folder::of_a_run(path));
    }
    Ok(())
}

/// The path with its links resolved. A link to nothing is followed, too.
fn target(path: &Path) -> PathBuf {
    let linked = || Some(path.parent()?.join(fs::read_link(path).ok()?));
    dunce::canonicalize(path)
        .ok()
        .or_else(linked)
        .unwrap_or_else(|| path.to_owned())
}

/// Whether the path is written to instead of being replaced: a device, a pipe, or what `/dev/stdout` leads to.
fn is_stream(path: &Path, target: &Path) -> bool {
    let leads_to_open_file = || {
        let absolute = std::path::absolute(path).unwrap_or_default();
        absolute.starts_with("/dev") || absolute.starts_with("/proc")
    };
    path.exists() && (!path.is_file() || !target.is_file() || leads_to_open_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let names = fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = names
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        write(&file, "old").unwrap();
        let mut output = OutputFile::create(&file).unwrap();
        output.write_all(b"ne").unwrap();
        drop(output);
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        write(&file, "new").unwrap();
        assert_eq!(fs::read_to_string(&file).unwrap(), "new");
        assert_eq!(names(folder.path()), ["file"]);
        assert!(write(&folder.path().join("nowhere/file"), "x").is_err());
    }

    #[test]
    fn what_was_read_is_not_replaced_whenever_it_was_read() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, "old").unwrap();
        let output = OutputFile::create(&file).unwrap();
        inputs::open(&file).unwrap();
        let refused = output.finish().unwrap_err().to_string();
        assert!(refused.contains("would overwrite the input"), "{refused}");
        assert!(OutputFile::create(&file).is_err());
        assert_eq!(fs::read_to_string(&file).unwrap(), "old");
        assert_eq!(names(folder.path()), ["file"]);
    }
}
