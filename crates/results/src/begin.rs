//! The beginning of a run: writes its folder and its manifest, or nothing.

use std::fs;
use std::path::Path;

use super::folder::{MANIFEST, ResultsFolder};
use super::replacement;
use crate::failure::Failure;

impl ResultsFolder {
    /// Begins a run: the folder, its manifest and what `make` makes. The manifest is written first, and as a whole,
    /// because a folder with a manifest can be resumed. When something fails, the files of the new run are removed.
    ///
    /// # Errors
    /// As [`Self::create`], when another process begins a run in the same folder, and when `make` fails.
    pub fn begin<T>(&self, manifest: &str, make: impl FnOnce(&Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let above = self.path().ancestors();
        let missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
        let begun = self
            .create()
            .and_then(|()| replacement::make(self, MANIFEST, manifest.as_bytes()));
        let made = begun.and_then(|()| {
            make(self).inspect_err(|_| {
                // A file that cannot be removed blocks the next run in this folder, which reports it.
                let _ = self.remove_files();
            })
        });
        if made.is_err() {
            for folder in missing {
                let _ = fs::remove_dir(folder);
            }
        }
        made
    }
}
