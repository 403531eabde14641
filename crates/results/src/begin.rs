//! The beginning of a run: writes its folder and its manifest, or nothing.

use std::fs;
use std::path::Path;

use super::folder::{MANIFEST, ResultsFolder};
use super::replacement::Replacement;
use lmrlab_diagnostics::failure::{Failure, Refusal};

/// How often the folder is created again when another process, which could not begin here, removes it.
const ATTEMPTS: u32 = 10;

impl ResultsFolder {
    /// Begins a run: the folder, its manifest and what `make` makes. The manifest is written first, and as a whole,
    /// because a folder with a manifest can be resumed. When something fails, the files of the new run are removed.
    ///
    /// The manifest is locked until `make` has ended. So one of several processes begins a run here, and no process
    /// replaces a run that has no journal yet.
    ///
    /// # Errors
    /// As [`Self::create`], when another process begins a run in the same folder, and when `make` fails.
    pub fn begin<T>(&self, manifest: &str, make: impl FnOnce(&Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let above = self.path().ancestors();
        let missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
        let made = self.write_manifest(manifest).and_then(|_lock| {
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

    /// Writes the manifest, and removes the run that is replaced. The manifest is locked as long as the returned value
    /// lasts.
    fn write_manifest(&self, text: &str) -> Result<Replacement, Failure> {
        let mut manifest = self.begin_manifest()?;
        manifest.write(text.as_bytes())?;
        manifest.finish_locked()
    }

    /// The manifest of a run that begins here, empty and locked. The folder is created, and the run that is replaced is
    /// removed.
    ///
    /// # Errors
    /// As [`Self::create`], and when another process has begun a run here, or is about to.
    pub fn begin_manifest(&self) -> Result<Replacement, Failure> {
        let begun_elsewhere = || Failure::from(Refusal::BegunElsewhere(self.path().to_owned()));
        let mut attempts = ATTEMPTS;
        let manifest = loop {
            self.create_folder()?;
            attempts -= 1;
            match Replacement::begin_unless_taken(self, MANIFEST) {
                Err(_) if attempts > 0 && !self.path().exists() => {}
                begun => break begun?.ok_or_else(begun_elsewhere)?,
            }
        };
        self.remove_replaced()?;
        if self.file(MANIFEST).exists() {
            return Err(begun_elsewhere());
        }
        Ok(manifest)
    }
}
