//! A text in a temporary file, for programs that read files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::guard::Guard;

/// Names that are tried: files of earlier processes with the same id may be in the way.
const MOST_NAMES: u32 = 1_000;

/// A text that is written to a file when it is first needed. The file is removed with it, or by the guard when this process is
/// killed.
#[derive(Debug)]
pub(super) struct TemporaryFile {
    text: String,
    path: Mutex<Option<PathBuf>>,
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

    /// The absolute path of its file, which is written when it is not there: some systems remove old files from their temporary
    /// folder while a long run plays.
    pub(super) fn path(&self) -> io::Result<PathBuf> {
        let mut known = self.path.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = known.as_ref().filter(|path| path.is_file()) {
            return Ok(path.clone());
        }
        let path = create(&std::path::absolute(std::env::temp_dir())?, &self.text)?;
        Ok(known.insert(path).clone())
    }
}

/// Writes a new file in this folder.
fn create(folder: &Path, text: &str) -> io::Result<PathBuf> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let mut last = io::Error::from(io::ErrorKind::AlreadyExists);
    for _ in 0..MOST_NAMES {
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let path = folder.join(format!("lmrlab-{}-{number}.policy", std::process::id()));
        // Never a file that another user has put there.
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                Guard::watch_file(&path);
                return match file.write_all(text.as_bytes()) {
                    Ok(()) => Ok(path),
                    Err(error) => {
                        let _ = fs::remove_file(&path);
                        Err(error)
                    }
                };
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => last = error,
            Err(error) => return Err(io::Error::new(error.kind(), format!("`{}`: {error}", path.display()))),
        }
    }
    Err(last)
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        let path = self.path.get_mut().unwrap_or_else(PoisonError::into_inner);
        if let Some(path) = path {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
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
