//! The file `threads` in the folder of a run: how many games are played at the same time, from now on.

use std::num::NonZeroUsize;
use std::path::Path;
use std::path::PathBuf;

use lmrlab_results::folder::THREADS;
use lmrlab_results::text_file;

use crate::tournament::defaults::all_threads;

/// The longest file that is read, in bytes.
const MAX_FILE: u64 = 64;

/// The file of a run that plays in this process.
#[derive(Debug)]
pub struct ThreadsFile {
    path: PathBuf,
    /// The text that was read last.
    read: String,
    most: usize,
}

impl ThreadsFile {
    /// The file of the run in this folder. The run begins with `count` threads. Removes the file of an earlier process.
    pub fn of(folder: &Path, count: NonZeroUsize) -> Self {
        let path = folder.join(THREADS.name());
        // If the file cannot be removed, its number counts, and the user sees that.
        let _ = std::fs::remove_file(&path);
        Self {
            path,
            read: String::new(),
            most: count.max(all_threads()).get(),
        }
    }

    /// The greatest number of threads that the file may ask for: that of the machine, or the number that the run began
    /// with when that is more.
    pub fn most(&self) -> usize {
        self.most
    }

    /// The number of threads in the file, if it has changed since the last call; 0 pauses the run. `None` when the file
    /// has not changed, or is absent.
    ///
    /// # Errors
    /// What is wrong with the file, in words.
    pub fn look(&mut self) -> Result<Option<usize>, String> {
        let Ok(text) = text_file::read_utf8(&self.path, MAX_FILE) else {
            return Ok(None);
        };
        let text = text.trim();
        // A shell empties a file before it writes to it.
        if text.is_empty() || text == self.read {
            return Ok(None);
        }
        text.clone_into(&mut self.read);
        let threads = text.parse::<usize>().ok().filter(|threads| *threads <= self.most);
        threads.map(Some).ok_or_else(|| {
            format!(
                "`{}` has `{}`, which is no number from 0 (a pause) to {}; nothing changes",
                self.path.display(),
                text.escape_debug(),
                self.most
            )
        })
    }
}

/// What a number of threads means for a run, in words.
pub fn in_words(threads: usize) -> String {
    match threads {
        0 => "paused after the running pairs".to_owned(),
        1 => "plays with 1 thread from now on".to_owned(),
        threads => format!("plays with {threads} threads from now on"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_asks_once_for_what_it_says() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("threads");
        std::fs::write(&path, "0").unwrap();
        let mut file = ThreadsFile::of(folder.path(), NonZeroUsize::new(3).unwrap());
        assert!(!path.exists());
        assert_eq!(file.look(), Ok(None));
        for (text, expected) in [
            ("2\n", Some(2)),
            ("2", None),
            ("", None),
            (" 0 \r\n", Some(0)),
            ("3", Some(3)),
        ] {
            std::fs::write(&path, text).unwrap();
            assert_eq!(file.look(), Ok(expected), "{text:?}");
        }
        for wrong in ["four", "-1", "100000", "1.5"] {
            std::fs::write(&path, wrong).unwrap();
            assert!(file.look().unwrap_err().contains(wrong));
            assert_eq!(file.look(), Ok(None));
        }
    }
}
