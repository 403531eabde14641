//! The begin of a run: writes its folder and its manifest, or nothing.

use std::fs;
use std::path::Path;

use super::folder::{MANIFEST, ResultsFolder};
use super::replacement;
use crate::failure::Failure;

impl ResultsFolder {
    /// Begins a run: the folder, its manifest and what `make` makes. A folder with a manifest is a run that can be resumed, so the
    /// manifest comes first, and whole. When something fails, nothing of the new run stays.
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
                // What cannot be removed either is in the way of the next run, which says so.
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
