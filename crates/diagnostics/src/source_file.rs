//! Reading a source from a file.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Source;

/// The largest configuration file that is read, in bytes. Hand-written files are a thousand times smaller.
pub const MAX_SOURCE_BYTES: u64 = 1 << 20;

impl Source {
    /// Reads a file.
    ///
    /// # Errors
    /// When the file cannot be opened, is longer than [`MAX_SOURCE_BYTES`], or is not UTF-8.
    pub fn read(path: &Path) -> Result<Self, Diagnostics> {
        Self::read_as(path, &path.display().to_string())
    }

    /// Reads a file that messages call `name`, as its user wrote it.
    ///
    /// # Errors
    /// As [`Source::read`].
    pub fn read_as(path: &Path, name: &str) -> Result<Self, Diagnostics> {
        let refuse = |message: String, help: Option<&str>| {
            let mut diagnostic = Diagnostic::error(message);
            diagnostic.help = help.map(str::to_owned);
            Diagnostics::new(Source::new(name, ""), vec![diagnostic])
        };
        let metadata = std::fs::metadata(path)
            .map_err(|error| refuse(format!("cannot read `{name}`: {error}"), None))?;
        if metadata.is_dir() {
            return Err(refuse(
                format!("`{name}` is a folder, not a file"),
                Some("name a TOML file"),
            ));
        }
        let too_long = |length: &str| {
            refuse(
                format!(
                    "`{name}` {length} than the {MAX_SOURCE_BYTES} bytes that a configuration file may have"
                ),
                Some("is this the right file?"),
            )
        };
        if metadata.len() > MAX_SOURCE_BYTES {
            return Err(too_long(&format!("has {} bytes, more", metadata.len())));
        }
        // A device or a pipe has no length beforehand.
        let mut bytes = Vec::new();
        File::open(path)
            .and_then(|file| file.take(MAX_SOURCE_BYTES + 1).read_to_end(&mut bytes))
            .map_err(|error| refuse(format!("cannot read `{name}`: {error}"), None))?;
        if bytes.len() as u64 > MAX_SOURCE_BYTES {
            return Err(too_long("is longer"));
        }
        let text = String::from_utf8(bytes).map_err(|error| {
            let at = error.utf8_error().valid_up_to();
            refuse(
                format!("`{name}` is not UTF-8 text (byte {at})"),
                Some("save the file as UTF-8"),
            )
        })?;
        Ok(Self::new(name, text).located(path))
    }
}
