//! The folder that a run writes to, and what must not be lost in it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use lmrlab_diagnostics::inputs;

pub use super::lock::is_taken as is_running;
use super::lock::{FolderLock, LOCK, is_taken, taken};
use super::replacement::{self, UNFINISHED};
pub use super::result_file::*;
use crate::paths::{absolute, from_here};
use crate::text_file;
use lmrlab_diagnostics::failure::{Failure, Refusal};

/// The longest manifest that is read, in bytes. It has the texts of all policies and presets.
pub const MAX_MANIFEST: u64 = 1 << 28;

/// A folder that a run may write to. The lock lasts as long as the value from which it was taken, and its copies.
#[derive(Debug, Clone)]
pub struct ResultsFolder {
    path: PathBuf,
    replaces: bool,
    lock: Option<Arc<FolderLock>>,
}

impl ResultsFolder {
    /// Checks that a run may write to `path`: it does not exist or is empty, or `force` is set and it holds a run. A
    /// folder with nothing but the beginning of a run also counts as empty: a process was killed there at once. Nothing
    /// is written.
    ///
    /// # Errors
    /// When it exists and may not be replaced, or cannot be written to.
    pub fn check(path: &Path, force: bool) -> Result<Self, Failure> {
        let replaces = match fs::symlink_metadata(path) {
            Err(_) => false,
            Ok(_) if !path.is_dir() => {
                return Err(Refusal::NotAFolder(path.to_owned()).into());
            }
            Ok(_) if is_empty(path) => false,
            Ok(_) => {
                refuse_running(path)?;
                if !is_ours(path) {
                    return Err(Refusal::NotARun(path.to_owned()).into());
                }
                if !force {
                    return Err(Refusal::FolderExists(path.to_owned()).into());
                }
                true
            }
        };
        check_writable(path).map_err(|error| Refusal::FolderUnwritable {
            path: path.to_owned(),
            error,
        })?;
        Ok(Self {
            replaces,
            ..Self::unchecked(path)
        })
    }

    /// The folder of a run that is to be resumed.
    ///
    /// # Errors
    /// When it holds no run, cannot be written to, or another process is writing to it.
    pub fn existing(path: &Path) -> Result<Self, Failure> {
        let folder = Self::to_read(path)?;
        refuse_running(path)?;
        check_writable(path).map_err(|error| {
            Failure::input(
                format!("`{}` cannot be written to: {error}", path.display()),
                "make it writable, then resume the run",
            )
        })?;
        Ok(folder)
    }

    /// Any folder, unchecked and without its lock.
    pub fn unchecked(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            replaces: false,
            lock: None,
        }
    }

    /// The folder of a run for reading only. It may be read-only, and the run may still be playing.
    ///
    /// # Errors
    /// When it holds no run.
    pub fn to_read(path: &Path) -> Result<Self, Failure> {
        let shown = path.display();
        let refuse = |why: String| Failure::input(format!("`{shown}` is not the results folder of a run"), why);
        if !path.exists() {
            return Err(refuse("there is no such folder".to_owned()));
        }
        if !path.is_dir() {
            return Err(refuse("it is not a folder".to_owned()));
        }
        if !path.join(MANIFEST.name()).exists() {
            return Err(refuse(format!("it has no {}", MANIFEST.name())));
        }
        Ok(Self::unchecked(path))
    }

    /// The same folder with its lock: no other process writes to it. Removes what a killed process has not finished.
    ///
    /// # Errors
    /// When another process has the lock, or the file system refuses.
    pub fn locked(&self) -> Result<Self, Failure> {
        if self.lock.is_some() {
            return Ok(self.clone());
        }
        let lock = FolderLock::take(&self.path)?;
        let unfinished = |name: &str| name.starts_with(UNFINISHED);
        for entry in fs::read_dir(&self.path).into_iter().flatten().flatten() {
            if entry.file_name().to_str().is_some_and(unfinished) {
                remove_if_there(&entry.path())?;
            }
        }
        Ok(Self {
            lock: Some(Arc::new(lock)),
            ..self.clone()
        })
    }

    /// Creates the folder, or removes the files of the run that it replaces. The returned one is locked.
    ///
    /// # Errors
    /// When the file system refuses. When another process has begun a run here, or is still writing to the run that would be
    /// replaced. When that run has an input of this one.
    pub fn create(&self) -> Result<Self, Failure> {
        let folder = self.locked()?;
        if self.replaces {
            folder.refuse_inputs()?;
            folder.remove_files()?;
        } else if folder.file(MANIFEST).exists() {
            return Err(Refusal::BegunElsewhere(self.path.clone()).into());
        }
        Ok(Self {
            replaces: false,
            ..folder
        })
    }

    /// Begins a run: the folder, its manifest and what `make` makes. The manifest is written first, and as a whole,
    /// because a folder with a manifest can be resumed. When something fails, the files of the new run are removed.
    ///
    /// # Errors
    /// As [`Self::create`], and when `make` fails.
    pub fn begin<T>(&self, manifest: &str, make: impl FnOnce(&Self) -> Result<T, Failure>) -> Result<T, Failure> {
        let above = self.path.ancestors();
        let missing: Vec<&Path> = above.take_while(|folder| !folder.exists()).collect();
        let made = self.create().and_then(|folder| {
            let made = replace(&folder, MANIFEST, manifest.as_bytes()).and_then(|()| make(&folder));
            // A file that cannot be removed blocks the next run in this folder, which reports it.
            made.inspect_err(|_| drop(folder.remove_files()))
        });
        if made.is_err() {
            for folder in missing {
                let _ = fs::remove_dir(folder);
            }
        }
        made
    }

    /// Refuses an output of a command that is in the place of a file of this run, even if the run has not begun.
    ///
    /// # Errors
    /// When it is in such a place.
    pub fn refuse_own(&self, output: &Path) -> Result<(), Failure> {
        let name = output.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let above = absolute(output).parent().map(Path::to_owned);
        if above == Some(absolute(&self.path)) && ResultFile::ALL.iter().any(|file| file.name() == name) {
            return Err(of_a_run(output));
        }
        Ok(())
    }

    /// Refuses to remove a file that this process has read for the new run.
    fn refuse_inputs(&self) -> Result<(), Failure> {
        let parts = self.path.join(PARTS_FOLDER);
        let read = (ResultFile::ALL.iter().map(|file| self.file(*file))).find(|path| inputs::is_read(path));
        let Some(read) = read.or_else(|| inputs::is_read_below(&parts).then_some(parts)) else {
            return Ok(());
        };
        Err(Refusal::ReplacesInput(read).into())
    }

    fn remove_files(&self) -> Result<(), Failure> {
        let parts = self.path.join(PARTS_FOLDER);
        match fs::remove_dir_all(&parts) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Failure::write(&parts, &error)),
            _ => {}
        }
        // The manifest is the last: after a kill, the rest can still be replaced.
        ResultFile::ALL
            .iter()
            .rev()
            .try_for_each(|file| remove_if_there(&self.file(*file)))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, file: ResultFile) -> PathBuf {
        self.path.join(file.name())
    }
}

/// Replaces a file of a results folder as a whole.
///
/// # Errors
/// When it cannot be written; then the old file is still there.
pub fn replace(folder: &ResultsFolder, file: ResultFile, text: &[u8]) -> Result<(), Failure> {
    replacement::replace(&folder.file(file), text)
}

/// Removes a file that may not exist.
pub(crate) fn remove_if_there(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::write(path, &error)),
        _ => Ok(()),
    }
}

/// Whether a folder holds nothing, or nothing but what a process leaves that is killed before the manifest is there.
fn is_empty(folder: &Path) -> bool {
    let is_begun = |name: &str| name == LOCK || name == TASKS.name() || name.starts_with(UNFINISHED);
    fs::read_dir(folder).is_ok_and(|mut entries| {
        entries.all(|entry| entry.is_ok_and(|entry| entry.file_name().to_str().is_some_and(is_begun)))
    })
}

/// Refuses a run to which a process is writing.
///
/// # Errors
/// When there is such a process.
pub fn refuse_running(folder: &Path) -> Result<(), Failure> {
    if is_taken(folder) { Err(taken(folder)) } else { Ok(()) }
}

/// Whether a folder holds a run of this program.
fn is_ours(folder: &Path) -> bool {
    text_file::peek_utf8(&folder.join(MANIFEST.name()), MAX_MANIFEST)
        .ok()
        .and_then(|text| text.parse::<toml::Table>().ok())
        .is_some_and(|manifest| manifest.contains_key("format_version") && manifest.contains_key("lmrlab"))
}

/// Whether a file belongs to a run, by its name and folder. The page of a run does not count, because it can be made
/// again.
pub(crate) fn is_of_a_run(file: &Path) -> bool {
    let folder = file.parent().filter(|folder| *folder != Path::new(""));
    let is_one = |name: &str| {
        ResultFile::ALL
            .iter()
            .any(|file| *file != REPORT && file.name() == name)
    };
    file.file_name().and_then(|name| name.to_str()).is_some_and(is_one) && is_ours(folder.unwrap_or(Path::new(".")))
}

/// The refusal of an output that would be a file of a run.
pub(crate) fn of_a_run(output: &Path) -> Failure {
    Failure::input(
        format!("an output would overwrite `{}`, a file of a run", output.display()),
        "name another file",
    )
}

/// Tries to write where a folder is, or where it will be created, and leaves nothing behind.
///
/// # Errors
/// When the system refuses.
pub fn check_writable(path: &Path) -> io::Result<()> {
    let absolute = std::path::absolute(path)?;
    let nearest = absolute
        .ancestors()
        .find(|ancestor| fs::symlink_metadata(ancestor).is_ok())
        .ok_or(io::ErrorKind::NotFound)?;
    if !nearest.is_dir() {
        return Err(io::Error::new(
            io::ErrorKind::NotADirectory,
            format!("`{}` is not a folder", from_here(nearest).display()),
        ));
    }
    tempfile::tempfile_in(nearest).map(drop)
}

/// A name as the name of a folder: letters, digits, dots, dashes and underscores, others replaced by dashes.
pub fn folder_name(name: &str) -> String {
    let replaced: String = name
        .chars()
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_') {
                c
            } else {
                '-'
            }
        })
        .collect();
    let trimmed = replaced.trim_matches(['.', '-']);
    let shortened = trimmed.get(..trimmed.len().min(120)).unwrap_or(trimmed);
    if shortened.is_empty() {
        "tournament".to_owned()
    } else {
        shortened.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::appended::AppendedFile;

    #[test]
    fn names_of_folders() {
        assert_eq!(folder_name("quickstart"), "quickstart");
        assert_eq!(folder_name("a/b c"), "a-b-c");
        assert_eq!(folder_name("../.."), "tournament");
        assert_eq!(folder_name("log.toml@divisor=2.0"), "log.toml-divisor-2.0");
        assert_eq!(folder_name(&"x".repeat(500)).len(), 120);
    }

    #[test]
    fn only_a_run_is_replaced_and_only_its_files() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        assert!(ResultsFolder::check(&path, false).is_ok());
        assert!(!path.exists(), "a check creates nothing");

        // A run that is killed at once leaves this.
        fs::create_dir(&path).unwrap();
        for force in [false, true] {
            assert!(ResultsFolder::check(&path, force).is_ok());
            fs::write(path.join(".lmrlab-x"), "").unwrap();
        }

        fs::write(path.join("notes.txt"), "mine").unwrap();
        assert!(ResultsFolder::check(&path, false).is_err());
        fs::write(path.join(GAMES.name()), "old").unwrap();
        assert!(ResultsFolder::check(&path, true).is_err());
        fs::write(path.join(MANIFEST.name()), "name = \"of something else\"").unwrap();
        assert!(ResultsFolder::check(&path, true).is_err());

        fs::write(path.join(MANIFEST.name()), "format_version = 1\nlmrlab = \"0.1.0\"").unwrap();
        ResultsFolder::check(&path, true).unwrap().create().unwrap();
        assert!(!path.join(GAMES.name()).exists());
        assert!(path.join("notes.txt").exists());
    }

    #[test]
    fn nothing_stays_of_a_run_that_cannot_begin() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("results/run");
        let fail = |folder: &ResultsFolder| {
            assert_eq!(fs::read_to_string(folder.file(MANIFEST)).unwrap(), "manifest");
            fs::write(folder.file(GAMES), "").unwrap();
            Err::<(), _>(Failure::run("no space".to_owned()))
        };
        let folder = || ResultsFolder::check(&path, false).unwrap();
        folder().begin("manifest", fail).unwrap_err();
        assert!(!dir.path().join("results").exists());
        // A folder that existed before stays.
        fs::create_dir_all(&path).unwrap();
        fs::write(path.join(".lmrlab-x"), "manif").unwrap();
        folder().begin("manifest", fail).unwrap_err();
        assert_eq!(fs::read_dir(&path).unwrap().count(), 0);
        folder().begin("manifest", |_| Ok(())).unwrap();
    }

    #[test]
    fn of_several_runs_in_the_same_folder_one_begins() {
        for _ in 0..50 {
            let dir = tempfile::tempdir().unwrap();
            let path = dir.path().join("run");
            let began: Vec<Result<usize, Failure>> = std::thread::scope(|scope| {
                let begin = |number: usize| {
                    let path = &path;
                    scope.spawn(move || {
                        ResultsFolder::check(path, false)?.begin(&number.to_string(), |folder| {
                            AppendedFile::replace(folder, GAMES, b"games")?;
                            Ok(number)
                        })
                    })
                };
                let threads: Vec<_> = (0..3).map(begin).collect();
                threads.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            let winners: Vec<usize> = began.iter().flatten().copied().collect();
            assert_eq!(winners.len(), 1, "{began:?}");
            for refused in began.iter().filter_map(|begun| begun.as_ref().err()) {
                let exists = matches!(
                    refused,
                    Failure::Refused(Refusal::FolderExists(_) | Refusal::NotARun(_))
                );
                let text = refused.to_string();
                assert!(exists || text.contains("another lmrlab"), "{text}");
            }
            let manifest = fs::read_to_string(path.join(MANIFEST.name())).unwrap();
            assert_eq!(manifest, winners[0].to_string());
            assert_eq!(fs::read_dir(&path).unwrap().count(), 2);
        }
    }

    #[test]
    fn a_run_that_another_process_begins_is_not_replaced() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("run");
        let manifest = "format_version = 1\nlmrlab = \"0.1.0\"";
        let is_refused = |refused: Failure| refused.to_string().contains("another lmrlab is writing");
        let begun = ResultsFolder::check(&path, false).unwrap();
        let playing = begun.begin(manifest, |folder| Ok(folder.clone())).unwrap();
        assert!(is_refused(ResultsFolder::check(&path, true).unwrap_err()));
        assert!(is_refused(ResultsFolder::existing(&path).unwrap_err()));
        drop(playing);
        ResultsFolder::check(&path, true).unwrap();
        ResultsFolder::existing(&path).unwrap();
        let refused = ResultsFolder::check(&path, false).unwrap_err();
        assert!(matches!(refused, Failure::Refused(Refusal::FolderExists(_))));
    }
}
