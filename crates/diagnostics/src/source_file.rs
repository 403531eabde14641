//! Reading a source from a file.

use std::path::Path;

use crate::configuration_files::Files;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Source;

impl Source {
    /// Reads a file of the disk.
    ///
    /// # Errors
    /// When the file cannot be opened, is longer than [`MAX_SOURCE_BYTES`](crate::MAX_SOURCE_BYTES), or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::read_from(&Files::on_disk(), path, &path.display().to_string())
    }

    /// Reads one of `files` that messages call `name`, as its user wrote it.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_from(files: &Files, path: &Path, name: &str) -> Result<Self, Diagnostics> {
        let text = files.text(path, name).map_err(|unreadable| {
            let mut diagnostic = Diagnostic::error(unreadable.message);
            diagnostic.help = unreadable.help.map(str::to_owned);
            Diagnostics::new(Self::new(name, ""), vec![diagnostic])
        })?;
        Ok(Self::new(name, text).located(path).with_files(files.clone()))
    }
}
