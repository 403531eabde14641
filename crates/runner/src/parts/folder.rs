//! The folder of a part: written when a run is cut into parts, checked when it is read.

use std::borrow::Borrow;
use std::path::{Path, PathBuf};

use super::build::Build;
use super::completion::Completion;
use crate::conduct::pair_lines::TaskLines;
use crate::conduct::pair_player::Arena;
use crate::record::recorded_pair::RecordedPair;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::{COMPLETION, RESULTS, ResultFile, ResultsFolder, TASKS};
use lmrlab_results::journal;
use lmrlab_results::manifest::{Manifest, PartOfRun};
use lmrlab_results::replacement::{Replacement, replace};
use lmrlab_results::sha256::{sha256_of_bytes, sha256_of_file};
use lmrlab_results::text_file;

/// The longest completion.toml that is read, in bytes.
const MAX_COMPLETION: u64 = 1 << 20;

/// Why the results of a part are rejected: the rest of a sentence that begins with the part.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Rejected(pub String);

/// What came back of a part that was played to its end.
pub struct Returned {
    /// How it was played.
    pub completion: Completion,
    /// Its results, in the order of its pairs.
    pub results: Vec<RecordedPair>,
}

/// The folder of a part.
#[derive(Debug, Clone)]
pub struct PartFolder {
    folder: ResultsFolder,
    manifest: Manifest,
    part: PartOfRun,
}

impl PartFolder {
    /// Writes the folder of a part that is to be played. `run` is the folder of the run with its manifest. No other
    /// process replaces the part as long as the second value lasts.
    ///
    /// # Errors
    /// When a file cannot be written, or another process makes a part there.
    pub fn create(
        folder: ResultsFolder,
        (run, manifest): (&Path, &Manifest),
        part: PartOfRun,
        arena: &Arena<'_>,
        pairs: impl IntoIterator<Item: Borrow<Pair>>,
    ) -> Result<(Self, Replacement), Failure> {
        let mut written = folder.begin_manifest()?;
        let file = folder.file(TASKS);
        let format = arena.task_lines();
        let mut text = Replacement::begin(&folder, TASKS)?;
        text.write(&journal::header(&format, &file)?)?;
        for pair in pairs {
            let line = journal::lines(&format, std::slice::from_ref(pair.borrow()));
            text.write(&line.map_err(|error| Failure::write(&file, &error))?)?;
        }
        text.finish()?;
        let part = PartOfRun {
            tasks_sha256: sha256_of_file(&file).map_err(|error| Failure::write(&file, &error))?,
            ..part
        };
        let manifest = manifest.for_part(run, part.clone(), folder.path())?;
        // The manifest is written last: a folder with a manifest can be played.
        written.write(manifest.to_toml().as_bytes())?;
        let lock = written.finish_locked()?;
        Ok((Self { folder, manifest, part }, lock))
    }

    /// The folder of a part that was written before.
    ///
    /// # Errors
    /// When it is not the folder of a part, or its manifest is damaged.
    pub fn open(path: &Path) -> Result<Self, Failure> {
        let folder = ResultsFolder::to_read(path)?;
        let manifest = Manifest::load(path)?;
        manifest.check_unedited(path)?;
        let Some(part) = manifest.part.clone() else {
            return Err(Failure::input(
                format!("`{}` holds a whole run, and not a part of one", path.display()),
                "name the folder of a part; `lmrlab resume` resumes a whole run",
            ));
        };
        Ok(Self { folder, manifest, part })
    }

    /// The path.
    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    /// The folder, for writing results.
    pub fn folder(&self) -> &ResultsFolder {
        &self.folder
    }

    /// The manifest of the run, with the part.
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What the manifest says of the part.
    pub fn part(&self) -> &PartOfRun {
        &self.part
    }

    /// The part in words.
    pub fn name(&self) -> String {
        self.part.name()
    }

    fn file(&self, file: ResultFile) -> PathBuf {
        self.folder.file(file)
    }

    /// The version and the bench fingerprint of the program that is to play it.
    fn wanted(&self) -> (&str, u64) {
        (self.manifest.program().0, self.part.bench)
    }

    /// Checks that this program plays as the program that cut the run into parts.
    ///
    /// # Errors
    /// When the search or the version is a different one.
    pub fn check_program(&self, program: &Build) -> Result<(), Failure> {
        let found = (&*program.version, program.bench);
        if found == self.wanted() {
            return Ok(());
        }
        Err(Failure::input(
            format!(
                "{} in `{}` is for {}, and this is {}",
                self.name(),
                self.path().display(),
                in_words(self.wanted()),
                in_words(found)
            ),
            "use the same build of lmrlab on all machines: games of different searches cannot be put together",
        ))
    }

    /// The pairs to play.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn tasks(&self, arena: &Arena<'_>) -> Result<Vec<Pair>, Failure> {
        let mut tasks = Vec::new();
        self.each_task(&arena.task_lines(), &mut |task| {
            tasks.push(task);
            true
        })?;
        Ok(tasks)
    }

    /// Hands out the tasks. `each` returns whether a task belongs to this part.
    ///
    /// # Errors
    /// When the file is damaged, or has a task that is not of this part.
    pub fn each_task(&self, format: &TaskLines<'_>, each: &mut dyn FnMut(Pair) -> bool) -> Result<(), Failure> {
        let path = self.file(TASKS);
        let damaged = |what: &str| {
            Failure::input(
                format!("`{}` is not what {} is to play: {what}", path.display(), self.name()),
                "it was cut short, edited or copied from another part; copy the folder again, or remove it and start again",
            )
        };
        let sha256 = sha256_of_file(&path).map_err(|error| damaged(&error.to_string()))?;
        if sha256 != self.part.tasks_sha256 {
            return Err(damaged("its SHA-256 is not the one in the manifest"));
        }
        let mut count = 0;
        journal::read(&path, format, &mut |[task]| {
            count += 1;
            if each(task) {
                Ok(())
            } else {
                Err(damaged(&format!("line {} has another pair", count + 1)))
            }
        })?;
        if count == 0 {
            return Err(damaged("it has no tasks"));
        }
        Ok(())
    }

    /// How the part was played to its end; `None` when it was not.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn completion(&self) -> Result<Option<Completion>, Rejected> {
        let path = self.file(COMPLETION);
        if !path.exists() {
            return Ok(None);
        }
        let text = text_file::read_utf8(&path, MAX_COMPLETION)
            .map_err(|error| Rejected(format!("has a {} that cannot be read: {error}", COMPLETION.name())))?;
        let completion = toml::from_str(&text).map_err(|error| {
            let what = error.message();
            Rejected(format!("has a {} that is damaged: {what}", COMPLETION.name()))
        })?;
        Ok(Some(completion))
    }

    /// Records that the part was played to its end.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn complete(&self, completion: &Completion) -> Result<(), Failure> {
        let text = toml::to_string(completion)
            .map_err(|error| Failure::run(format!("cannot write {}: {error}", COMPLETION.name())))?;
        replace(&self.folder, COMPLETION, text.as_bytes())
    }

    /// The SHA-256 of the manifest. It differs between parts.
    pub fn manifest_sha256(&self) -> String {
        sha256_of_bytes(self.manifest.to_toml().as_bytes())
    }

    /// The SHA-256 of the results.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn results_sha256(&self) -> Result<String, Failure> {
        let path = self.file(RESULTS);
        sha256_of_file(&path).map_err(|error| Failure::run(format!("cannot read `{}`: {error}", path.display())))
    }

    /// Checks that the right program has played, and that the results belong to this part and are as they were when it
    /// ended.
    ///
    /// # Errors
    /// Why they are rejected.
    pub fn check_results(&self, completion: &Completion) -> Result<(), Rejected> {
        let name = RESULTS.name();
        let played = (&*completion.lmrlab, completion.bench);
        if played != self.wanted() {
            return Err(Rejected(format!(
                "was played on {} by {}, and the run asks for {}",
                completion.host,
                in_words(played),
                in_words(self.wanted())
            )));
        }
        if completion.manifest_sha256 != self.manifest_sha256() {
            return Err(Rejected("has the results of another part".to_owned()));
        }
        let sha256 = sha256_of_file(&self.file(RESULTS))
            .map_err(|error| Rejected(format!("has no {name} that can be read: {error}")))?;
        if sha256 != completion.results_sha256 {
            return Err(Rejected(format!(
                "has a {name} that was changed after the part ended: its SHA-256 differs"
            )));
        }
        Ok(())
    }

    /// What came back; `None` when the part was not played to its end. Rejects results that are truncated, edited, of
    /// another part, or of another program.
    ///
    /// # Errors
    /// Why they are rejected.
    pub fn returned(&self, arena: &Arena<'_>, tasks: &[Pair]) -> Result<Option<Returned>, Rejected> {
        let Some(completion) = self.completion()? else {
            return Ok(None);
        };
        self.check_results(&completion)?;
        let mut results = Vec::new();
        journal::read(&self.file(RESULTS), &arena.played_lines(), &mut |[result]| {
            results.push(result);
            Ok(())
        })
        .map_err(|failure| {
            Rejected(format!(
                "has a {} that cannot be read: {}",
                RESULTS.name(),
                failure.in_a_line()
            ))
        })?;
        if (results.len(), completion.pairs) != (tasks.len(), tasks.len() as u64) {
            let (found, wanted) = (results.len(), tasks.len());
            return Err(Rejected(format!("has {found} results for {wanted} pairs")));
        }
        let wrong = tasks
            .iter()
            .zip(&results)
            .find(|(task, result)| !arena.fits(task, result));
        if let Some((pair, _)) = wrong {
            return Err(Rejected(format!("has a result that is not of pair {}", pair.index + 1)));
        }
        Ok(Some(Returned { completion, results }))
    }
}

fn in_words((version, bench): (&str, u64)) -> String {
    format!("lmrlab {version} with the bench fingerprint {bench}")
}
