//! The folder that a run writes to, and what must not be lost in it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::inputs;

use super::lock::{is_taken, open_locked, taken};
use crate::paths::{absolute, from_here};
use crate::text_file;
use lmrlab_diagnostics::failure::{Failure, Refusal};

/// The longest manifest that is read, in bytes. It has the texts of all policies and presets.
pub const MAX_MANIFEST: u64 = 1 << 28;

/// The name of a file that a run writes. Only this module makes them, so every file of a run that is replaced is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResultFile(&'static str);

impl ResultFile {
    /// The name.
    pub const fn name(self) -> &'static str {
        self.0
    }

    /// The file of this name.
    ///
    /// # Errors
    /// When no run writes such a file. This does not happen.
    pub fn named(name: &str) -> Result<Self, Failure> {
        let file = ALL.iter().find(|file| file.0 == name).copied();
        file.ok_or_else(|| Failure::encode("a file", &"no run writes such a file"))
    }
}

macro_rules! result_files {
    ($($(#[$doc:meta])+ $file:ident = $name:literal;)+) => {
        $($(#[$doc])+ pub const $file: ResultFile = ResultFile($name);)+

        /// Every file that a run writes. Replacing a run removes these and nothing else.
        const ALL: &[ResultFile] = &[$($file),+];
    };
}

result_files! {
    /// The manifest of a run.
    MANIFEST = "manifest.toml";
    /// The journal: one line a game.
    GAMES = "games.csv";
    /// The SHA-256 of each line of the journal.
    JOURNAL_DIGESTS = "journal.sha256";
    /// The games as PGN.
    PGN = "games.pgn";
    /// One line a pair.
    PAIRS = "pairs.csv";
    /// One line an engine.
    STANDINGS = "standings.csv";
    /// One line an engine and opponent.
    CROSSTABLE = "crosstable.csv";
    /// The likelihood of superiority of each engine over each other, when there are more than two.
    LOS = "los.csv";
    /// What became of each engine in a race.
    RACE = "race.csv";
    /// How many threads play from now on; the user writes it.
    THREADS = "threads";
    /// The lines between lmrlab and programs before the faults of the programs.
    FAULTS = "faults.log";
    /// What depends on the clock.
    TIMINGS = "timings.csv";
    /// Lines of the journal that were finished before an earlier one. The file exists only while a run plays, or after
    /// a kill.
    WAITING = "waiting.csv";
    /// The pairs of a tuning run, one line each, computed from the journal. Version 1 had it in place of a journal.
    TUNING_PAIRS = "tuning.csv";
    /// The outcome of a tuning run.
    TUNING_RESULT = "result.toml";
    /// The tuned values as lines of OpenBench.
    TUNED_PARAMETERS = "parameters.txt";
    /// The tuned policy.
    TUNED_POLICY = "tuned.toml";
    /// The tuned search preset.
    TUNED_PRESET = "tuned-preset.toml";
    /// The page of the run.
    REPORT = "report.html";
    /// The rows of `ablate`.
    ABLATION = "ablation.csv";
    /// The rows of `sweep`.
    SWEEP = "sweep.csv";
    /// The effects of switches in a sweep.
    EFFECTS = "effects.csv";
    /// The manifest of an outcome beside the games of a run.
    OUTCOME = "outcome.toml";
    /// The effect of each idea of a trial.
    TRIAL = "trial.csv";
    /// How every two ideas of a trial act together.
    INTERACTIONS = "interactions.csv";
    /// What a part of a run is to play.
    TASKS = "tasks.csv";
    /// Says that a part of a run was played to its end, where and by which program.
    COMPLETION = "completion.toml";
    /// How the parts of a run on other machines ended.
    PARTS = "parts.csv";
    /// Where the parts of a run are played.
    EXECUTOR = "executor.toml";
}

/// The folder, inside that of the run, with the parts that are being played.
pub const PARTS_FOLDER: &str = "parts";

/// The files that a process has locked while it writes to a run: the manifest, until it has a journal.
const RUNNING: [ResultFile; 2] = [MANIFEST, GAMES];

/// A folder that a run may write to. Checked, but nothing has been written or removed yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResultsFolder {
    path: PathBuf,
    replaces: bool,
}

impl ResultsFolder {
    /// Checks that a run may write to `path`: it does not exist or is empty, or `force` is set and it holds a run. A
    /// folder with nothing but the beginning of a manifest also counts as empty: a run was killed there at once.
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
            path: path.to_owned(),
            replaces,
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

    /// The folder of a part of a run. It exists, and only this part uses it.
    pub fn new_part(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            replaces: false,
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
        Ok(Self {
            path: path.to_owned(),
            replaces: false,
        })
    }

    /// Creates the folder, or removes the files of the run that it replaces.
    ///
    /// # Errors
    /// When the file system refuses, or another process is still writing to the run that would be replaced.
    pub fn create(&self) -> Result<(), Failure> {
        self.create_folder()?;
        self.remove_replaced()
    }

    pub(crate) fn create_folder(&self) -> Result<(), Failure> {
        fs::create_dir_all(&self.path).map_err(|error| Failure::write(&self.path, &error))
    }

    /// Removes the files of the run that is replaced, if there is one.
    ///
    /// # Errors
    /// As [`Self::create`].
    pub(crate) fn remove_replaced(&self) -> Result<(), Failure> {
        if self.replaces {
            let _locks = self.lock_to_replace()?;
            self.remove_files()?;
        }
        Ok(())
    }

    /// The locks on the manifest and the journals of a run that is to be replaced.
    ///
    /// # Errors
    /// When another process is writing to it, or the new run reads one of its files.
    pub fn lock_to_replace(&self) -> Result<Vec<File>, Failure> {
        let mut locks = Vec::new();
        for file in RUNNING.map(|file| self.file(file)) {
            if file.is_file() {
                locks.push(open_locked(OpenOptions::new().read(true), &file, &self.path)?);
            }
        }
        self.refuse_inputs()?;
        Ok(locks)
    }

    /// The names of the entries in the folder that do not belong to a run.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn other_entries(&self) -> io::Result<Vec<OsString>> {
        let of_a_run: BTreeSet<OsString> = (ALL.iter())
            .flat_map(|&file| [file.name().into(), unfinished(file).into()])
            .chain([PARTS_FOLDER.into()])
            .collect();
        let names: io::Result<Vec<OsString>> = fs::read_dir(&self.path)?.map(|entry| Ok(entry?.file_name())).collect();
        Ok(names?.into_iter().filter(|name| !of_a_run.contains(name)).collect())
    }

    /// Refuses an output of a command that is in the place of a file of this run, even if the run has not begun.
    ///
    /// # Errors
    /// When it is in such a place.
    pub fn refuse_own(&self, output: &Path) -> Result<(), Failure> {
        let name = output.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_name = |file: &ResultFile| [file.name(), &unfinished(*file)].contains(&name);
        let above = absolute(output).parent().map(Path::to_owned);
        if above == Some(absolute(&self.path)) && ALL.iter().any(is_name) {
            return Err(of_a_run(output));
        }
        Ok(())
    }

    /// Refuses to remove a file that this process has read for the new run.
    fn refuse_inputs(&self) -> Result<(), Failure> {
        let parts = self.path.join(PARTS_FOLDER);
        let read = (ALL.iter().map(|file| self.file(*file))).find(|path| inputs::is_read(path));
        let Some(read) = read.or_else(|| inputs::is_read_below(&parts).then_some(parts)) else {
            return Ok(());
        };
        Err(Refusal::ReplacesInput(read).into())
    }

    /// Removes the files of the run, and the folder when nothing else is in it. Its journal must be closed.
    ///
    /// # Errors
    /// When the file system refuses.
    pub fn remove(&self) -> Result<(), Failure> {
        self.remove_files()?;
        self.remove_unfinished()?;
        // Other files in it are not of the run.
        let _ = fs::remove_dir(&self.path);
        Ok(())
    }

    pub(crate) fn remove_files(&self) -> Result<(), Failure> {
        let parts = self.path.join(PARTS_FOLDER);
        match fs::remove_dir_all(&parts) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(Failure::write(&parts, &error)),
            _ => {}
        }
        // The manifest is the last: after a kill, the rest can still be replaced.
        for file in ALL.iter().rev() {
            // The new manifest of a run that begins here is no file of the earlier run.
            let unfinished = (*file != MANIFEST).then(|| self.unfinished(*file));
            for path in unfinished.into_iter().chain([self.file(*file)]) {
                remove_if_there(&path)?;
            }
        }
        Ok(())
    }

    /// Removes the new versions of files that a killed process has not finished. The journal must be locked.
    ///
    /// # Errors
    /// When the file system refuses.
    pub(crate) fn remove_unfinished(&self) -> Result<(), Failure> {
        let unfinished = ALL.iter().map(|file| self.unfinished(*file));
        // A pipe in place of a file is reported when the file is written.
        unfinished
            .filter(|path| path.is_file())
            .try_for_each(|path| remove_if_there(&path))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, file: ResultFile) -> PathBuf {
        self.path.join(file.name())
    }

    /// The path of a file in it that is being replaced: the new version, until it is complete.
    pub(crate) fn unfinished(&self, file: ResultFile) -> PathBuf {
        self.path.join(unfinished(file))
    }
}

fn remove_if_there(path: &Path) -> Result<(), Failure> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(Failure::write(path, &error)),
        _ => Ok(()),
    }
}

/// The name of a file that is being replaced, until it is complete.
fn unfinished(file: ResultFile) -> String {
    format!("{}.new", file.name())
}

/// Whether a folder holds nothing, or nothing but what a process leaves that is killed before its first file is whole.
fn is_empty(folder: &Path) -> bool {
    let begun = unfinished(MANIFEST);
    fs::read_dir(folder)
        .is_ok_and(|mut entries| entries.all(|entry| entry.is_ok_and(|entry| entry.file_name() == *begun)))
}

/// Whether a process is writing to the run in a folder, or begins one.
pub fn is_running(folder: &Path) -> bool {
    let mut names = RUNNING.iter().map(|file| file.name().to_owned());
    names.any(|name| is_taken(&folder.join(name))) || is_taken(&folder.join(unfinished(MANIFEST)))
}

/// Refuses a run to which a process is writing.
///
/// # Errors
/// When there is such a process.
pub fn refuse_running(folder: &Path) -> Result<(), Failure> {
    if is_running(folder) { Err(taken(folder)) } else { Ok(()) }
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
    let is_one = |name: &str| ALL.iter().any(|file| *file != REPORT && file.name() == name);
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
            fs::write(path.join("manifest.toml.new"), "").unwrap();
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
        fs::write(path.join("manifest.toml.new"), "manif").unwrap();
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
                            AppendedFile::create_locked(folder, GAMES)?.append(b"games")?;
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
        let begun = ResultsFolder::check(&path, false).unwrap();
        let is_refused = |refused: Failure| refused.to_string().contains("another lmrlab is writing");
        begun
            .begin(manifest, |_| {
                // It has no journal yet.
                assert!(is_refused(ResultsFolder::check(&path, true).unwrap_err()));
                assert!(is_refused(ResultsFolder::existing(&path).unwrap_err()));
                Ok(())
            })
            .unwrap();
        ResultsFolder::check(&path, true).unwrap();
        ResultsFolder::existing(&path).unwrap();
        let journal = AppendedFile::create_locked(&begun, GAMES).unwrap();
        assert!(is_refused(ResultsFolder::check(&path, false).unwrap_err()));
        drop(journal);
        let refused = ResultsFolder::check(&path, false).unwrap_err();
        assert!(matches!(refused, Failure::Refused(Refusal::FolderExists(_))));
    }
}
