//! The folder of a merged run. The run is written to a second folder beside it, under a lock, and moved when it is
//! complete.
//!
//! A kill leaves the old run or the new one. Some systems cannot exchange two folders. There, for a moment, the old run
//! is in the second folder. The next merge moves it back.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::lock;
use lmrlab_results::paths::absolute;
use lmrlab_results::paths::from_here;

/// In the second folder: the new run, until it is complete; then the run that it replaces.
const NEW: &str = "new";
/// In the second folder: the replaced run, where two folders cannot be exchanged.
const OLD: &str = "old";
/// In the second folder: the file that a merge has locked.
const LOCK: &str = "lock";
/// How often to create the second folder again when other merges remove it.
const ATTEMPTS: u32 = 100;

/// The folder of a merged run. Checked, but nothing has been written.
#[derive(Debug)]
pub struct Place {
    /// As the user wrote it.
    out: PathBuf,
    /// The folder with its links resolved.
    target: PathBuf,
    beside: PathBuf,
    force: bool,
}

impl Place {
    /// Checks that a run can be merged into `out`: the folder does not exist or may be replaced, and no part is in it.
    ///
    /// # Errors
    /// When it may not be written.
    pub fn check(out: &Path, parts: &[PathBuf], force: bool) -> Result<Self, Failure> {
        ResultsFolder::check(out, force)?;
        let refuse = |what: String| Err(Failure::input(what, "name another folder"));
        let target = absolute(out);
        if let Some(part) = parts.iter().find(|part| absolute(part).starts_with(&target)) {
            let part = part.display();
            return refuse(format!("the part `{part}` is in the folder that is to be replaced"));
        }
        let shown = out.display();
        let Some(name) = target.file_name() else {
            return refuse(format!("`{shown}` cannot be the folder of a run"));
        };
        if target.exists() && std::env::current_dir().is_ok_and(|here| absolute(&here).starts_with(&target)) {
            return refuse(format!(
                "the working directory is in `{shown}`, which is to be replaced"
            ));
        }
        let mut beside = name.to_owned();
        beside.push(".merging");
        Ok(Self {
            beside: from_here(&target.with_file_name(beside)),
            out: out.to_owned(),
            target,
            force,
        })
    }

    /// Where the run goes.
    pub fn path(&self) -> &Path {
        &self.out
    }

    /// Takes the lock, and removes what a killed merge has left.
    pub(super) fn begin(&self) -> Result<Beside<'_>, Failure> {
        let failed = |error: io::Error| Failure::write(&self.beside, &error);
        let lock = self.lock()?;
        let beside = Beside {
            place: self,
            lock: Some(lock),
        };
        if !self.target.exists() && beside.folder(OLD).exists() {
            fs::rename(beside.folder(OLD), &self.target).map_err(failed)?;
        }
        beside.discard(NEW)?;
        beside.discard(OLD)?;
        // Another merge may have ended since the check.
        match ResultsFolder::check(&self.out, self.force) {
            Ok(_) => Ok(beside),
            Err(refused) => {
                let _ = beside.end();
                Err(refused)
            }
        }
    }

    /// Creates the second folder, and takes its lock.
    fn lock(&self) -> Result<File, Failure> {
        let mut attempts = ATTEMPTS;
        loop {
            fs::create_dir_all(&self.beside).map_err(|error| Failure::write(&self.beside, &error))?;
            attempts -= 1;
            match lock::create(&self.beside.join(LOCK), &self.out) {
                // Another merge has just ended and removed the folder.
                Err(_) if attempts > 0 && !self.beside.exists() => {}
                taken => return taken,
            }
        }
    }
}

/// The second folder, with its lock.
pub(super) struct Beside<'p> {
    place: &'p Place,
    lock: Option<File>,
}

impl Beside<'_> {
    fn folder(&self, name: &str) -> PathBuf {
        self.place.beside.join(name)
    }

    /// The folder to which the run is written.
    pub(super) fn new_run(&self) -> Result<ResultsFolder, Failure> {
        ResultsFolder::check(&self.folder(NEW), false)
    }

    /// Moves the new run to its place.
    pub(super) fn put_in_place(&self) -> Result<(), Failure> {
        let (new, target) = (self.folder(NEW), &self.place.target);
        let failed = |error: io::Error| Failure::write(&self.place.out, &error);
        let replaced = ResultsFolder::check(&self.place.out, self.place.force)?;
        if !target.exists() {
            return fs::rename(new, target).map_err(failed);
        }
        let locks = replaced.lock_to_replace()?;
        // On Windows a folder with open files cannot be renamed.
        let _locks = (!cfg!(windows)).then_some(locks);
        if exchange(&new, target) {
            return Ok(());
        }
        let old = self.folder(OLD);
        fs::rename(target, &old).map_err(failed)?;
        fs::rename(&new, target).map_err(|error| {
            let _ = fs::rename(&old, target);
            failed(error)
        })
    }

    /// Removes the run in a folder here. Other files in that folder belong to the user, and move to the new run.
    fn discard(&self, name: &str) -> Result<(), Failure> {
        let folder = self.folder(name);
        let run = ResultsFolder::new_part(&folder);
        let failed = |error: io::Error| Failure::write(&folder, &error);
        if !folder.exists() {
            return Ok(());
        }
        if self.place.target.is_dir() {
            for other in run.other_entries().map_err(failed)? {
                let to = self.place.target.join(&other);
                if fs::symlink_metadata(&to).is_err() {
                    fs::rename(folder.join(&other), to).map_err(failed)?;
                }
            }
        }
        run.remove()
    }

    /// Removes what is no longer needed, and releases the lock. Returns the second folder when something stays in it.
    pub(super) fn end(mut self) -> Result<(), PathBuf> {
        let discarded = self.discard(NEW).and_then(|()| self.discard(OLD));
        let _ = fs::remove_file(self.folder(LOCK));
        self.lock = None;
        // Another merge may begin at this moment. Then its lock is in the folder, and the folder stays.
        let _ = fs::remove_dir(&self.place.beside);
        discarded.map_err(|_| self.place.beside.clone())
    }
}

/// Exchanges two folders at once, where the system and the file system can.
#[cfg(any(target_os = "linux", target_os = "macos"))]
fn exchange(one: &Path, other: &Path) -> bool {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE).is_ok()
}

#[cfg(not(any(target_os = "linux", target_os = "macos")))]
fn exchange(_: &Path, _: &Path) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(path: &Path, games: &str) {
        fs::create_dir_all(path).unwrap();
        fs::write(path.join("manifest.toml"), "format_version = 1\nlmrlab = \"0\"").unwrap();
        fs::write(path.join("games.csv"), games).unwrap();
    }

    fn games(path: &Path) -> String {
        fs::read_to_string(path.join("games.csv")).unwrap()
    }

    #[test]
    fn one_merge_at_a_time() {
        let scratch = tempfile::tempdir().unwrap();
        let out = scratch.path().join("out");
        let place = Place::check(&out, &[], false).unwrap();
        let first = place.begin().unwrap();
        run(first.new_run().unwrap().path(), "of the first");
        let refused = place.begin().err().unwrap();
        assert_eq!(refused.exit_status(), 2);
        assert!(refused.to_string().contains("another lmrlab is writing"), "{refused}");
        first.put_in_place().unwrap();
        first.end().unwrap();
        assert_eq!(games(&out), "of the first");
        assert!(!place.beside.exists());
        assert!(place.begin().is_err(), "it exists by now");
    }

    #[test]
    fn what_else_is_in_a_replaced_folder_stays() {
        let scratch = tempfile::tempdir().unwrap();
        let out = scratch.path().join("out");
        run(&out, "old");
        fs::write(out.join("standings.csv"), "old").unwrap();
        fs::write(out.join("notes.txt"), "mine").unwrap();
        let place = Place::check(&out, &[], true).unwrap();
        let beside = place.begin().unwrap();
        run(beside.new_run().unwrap().path(), "new");
        beside.put_in_place().unwrap();
        beside.end().unwrap();
        assert_eq!(games(&out), "new");
        assert!(!out.join("standings.csv").exists());
        assert_eq!(fs::read_to_string(out.join("notes.txt")).unwrap(), "mine");
        assert!(!place.beside.exists());
    }

    #[test]
    fn a_later_merge_recovers_what_a_kill_has_left() {
        let scratch = tempfile::tempdir().unwrap();
        let out = scratch.path().join("out");
        let place = Place::check(&out, &[], true).unwrap();
        let left = |name: &str| place.beside.join(name);

        // Killed between the two renames.
        run(&left(OLD), "old");
        run(&left(NEW), "new");
        place.begin().unwrap().end().unwrap();
        assert_eq!(games(&out), "old");
        assert!(!place.beside.exists());

        // Killed while the new run was written.
        run(&left(NEW), "half");
        place.begin().unwrap().end().unwrap();
        assert_eq!(games(&out), "old");
        assert!(!place.beside.exists());

        // Killed after the exchange.
        run(&left(NEW), "older");
        fs::write(left(NEW).join("notes.txt"), "mine").unwrap();
        place.begin().unwrap().end().unwrap();
        assert_eq!(games(&out), "old");
        assert!(out.join("notes.txt").exists() && !place.beside.exists());
    }
}
