//! A text in a temporary file, for programs that read files.

use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use tempfile::TempPath;

/// A text that is written to a file when it is first needed. The file is removed with the value.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    text: String,
    path: Mutex<Option<TempPath>>,
}

impl TemporaryFile {
    /// A text without a file.
    pub(super) fn new(text: String) -> Self {
        Self {
            text,
            path: Mutex::new(None),
        }
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// The absolute path of its file. Writes the file when it is missing: some systems remove old temporary files
    /// during a long run.
    pub(super) fn path(&self) -> io::Result<PathBuf> {
        let mut known = self.path.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = known.as_ref().filter(|path| path.is_file()) {
            return Ok(path.to_path_buf());
        }
        let folder = std::path::absolute(std::env::temp_dir())?;
        let mut file = tempfile::Builder::new()
            .prefix("lmrlab-")
            .suffix(".policy")
            .tempfile_in(folder)?;
        file.write_all(self.text.as_bytes())?;
        Ok(known.insert(file.into_temp_path()).to_path_buf())
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn the_file_is_there_while_it_is_needed() {
        let file = TemporaryFile::new("text\n".to_owned());
        let path = file.path().unwrap();
        assert!(path.is_absolute());
        assert_eq!(fs::read_to_string(&path).unwrap(), "text\n");
        assert_eq!(file.path().unwrap(), path);
        fs::remove_file(&path).unwrap();
        let again = file.path().unwrap();
        assert_eq!(fs::read_to_string(&again).unwrap(), "text\n");
        drop(file);
        assert!(!again.exists() && !path.exists());
    }
}
