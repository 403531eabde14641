//! Results of a comparison that is not finished: what each search and each pair of games came to, in a folder.
//!
//! `ablate`, `sweep`, `factorial` and `trial` measure row after row. Every single result goes into a journal at once, so that a comparison
//! that was interrupted or killed goes on where it was. The folder is removed when the comparison is finished.

pub(crate) mod result;

use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lmrlab_diagnostics::{Diagnostics, Files};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::{RESULTS, ResultsFolder};
use lmrlab_runner::record::journal::{Journal, LineFormat};
use lmrlab_runner::record::manifest::{Invocation, Manifest, RunKind};
use lmrlab_runner::run::Run;
use lmrlab_runner::sha256::sha256;

pub use self::result::KeptResult;

/// At most so much time passes until a result survives a loss of power.
const BETWEEN_SYNCS: Duration = Duration::from_secs(1);

/// What a result is of.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Key {
    /// The number of the row, from 1.
    pub row: usize,
    /// What was measured.
    pub measure: String,
    /// The number of the position, or of the pair, from 0.
    pub job: usize,
}

/// The results of a comparison that goes on.
pub struct Kept {
    /// Those of earlier parts of the run, as texts.
    known: HashMap<Key, String>,
    folder: ResultsFolder,
    writing: Mutex<Writing>,
    failed: AtomicBool,
}

struct Writing {
    journal: Journal<ResultFormat, 1>,
    synced: Instant,
    failure: Option<Failure>,
}

impl Kept {
    /// Begins a comparison in a folder that does not exist yet, or holds another one that may be replaced.
    ///
    /// # Errors
    /// When the folder may not be replaced or cannot be written.
    pub fn begin(folder: &Path, of: &Comparison, invocation: &Invocation, force: bool) -> Result<Self, Failure> {
        let folder = ResultsFolder::check(folder, force && folder.exists())?;
        let root = std::env::current_dir().unwrap_or_default();
        let nothing = (&Files::on_disk(), root.as_path());
        let manifest = Manifest::of(
            RunKind::Comparison,
            of.table(),
            Vec::new(),
            nothing,
            invocation,
            folder.path(),
        )?;
        let journal = folder.begin(manifest.to_toml(), |folder| {
            Journal::create(folder, RESULTS, ResultFormat)
        })?;
        Ok(Self::new(folder, journal, HashMap::new()))
    }

    /// Goes on with the comparison in a folder. Comes with warnings.
    ///
    /// # Errors
    /// When the folder holds none, or one of something else, somebody has edited it, or another process writes to it.
    pub fn resume(
        folder: &Path,
        of: &Comparison,
        invocation: &Invocation,
    ) -> Result<(Self, Vec<Diagnostics>), Failure> {
        let run = Run::open(folder)?;
        let manifest = run.manifest();
        manifest.check_unedited(folder)?;
        of.check(&manifest.description(), folder)?;
        let warnings = manifest.warnings(&manifest.root(folder), invocation);
        let folder = ResultsFolder::existing(folder)?;
        let mut known = HashMap::new();
        let journal = Journal::open(&folder, RESULTS, ResultFormat)?;
        let journal = journal.recover(&mut |[(key, result)]| {
            known.insert(key, result);
            Ok(true)
        })?;
        Ok((Self::new(folder, journal, known), warnings))
    }

    fn new(folder: ResultsFolder, journal: Journal<ResultFormat, 1>, known: HashMap<Key, String>) -> Self {
        Self {
            known,
            folder,
            writing: Mutex::new(Writing {
                journal,
                synced: Instant::now(),
                failure: None,
            }),
            failed: AtomicBool::new(false),
        }
    }

    /// A result of an earlier part of the run.
    pub fn get<T: KeptResult>(&self, key: &Key) -> Option<T> {
        T::of_text(self.known.get(key)?)
    }

    /// Keeps a result. What goes wrong is told by [`Self::sync`].
    pub fn put<T: KeptResult>(&self, key: Key, result: &T) {
        let mut writing = self.writing();
        if writing.failure.is_none()
            && let Err(failure) = writing.append(key, result.text())
        {
            writing.failure = Some(failure);
            self.failed.store(true, Ordering::Relaxed);
        }
    }

    /// Whether a result could not be kept.
    pub fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Relaxed)
    }

    /// Makes what was kept survive a loss of power.
    ///
    /// # Errors
    /// When that cannot be done, or a result could not be kept.
    pub fn sync(&self) -> Result<(), Failure> {
        let mut writing = self.writing();
        match writing.failure.take() {
            Some(failure) => Err(failure),
            None => writing.journal.sync(),
        }
    }

    /// Removes the folder: nobody needs the results any more.
    ///
    /// # Errors
    /// When a file cannot be removed.
    pub fn remove(self) -> Result<(), Failure> {
        // Windows removes no open file.
        drop(self.writing);
        self.folder.remove()
    }

    /// What is written stays usable when a thread panics.
    fn writing(&self) -> MutexGuard<'_, Writing> {
        self.writing.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Writing {
    fn append(&mut self, key: Key, result: String) -> Result<(), Failure> {
        self.journal.append(&[(key, result)])?;
        if self.synced.elapsed() >= BETWEEN_SYNCS {
            self.journal.sync()?;
            self.synced = Instant::now();
        }
        Ok(())
    }
}

/// The format of the journal: a line is a result.
struct ResultFormat;

impl LineFormat for ResultFormat {
    type Line = (Key, String);
    const NAME: &'static str = "result";

    fn columns(&self) -> Vec<String> {
        ["row", "measure", "job", "result"].map(str::to_owned).to_vec()
    }

    fn write(&self, (key, result): &(Key, String), out: &mut csv::Writer<Vec<u8>>) -> Result<(), csv::Error> {
        out.write_record([&key.row.to_string(), &key.measure, &key.job.to_string(), result])
    }

    fn read(&self, record: &csv::StringRecord) -> Option<(Key, String)> {
        let key = Key {
            row: record.get(0)?.parse().ok()?,
            measure: record.get(1)?.to_owned(),
            job: record.get(2)?.parse().ok()?,
        };
        Some((key, record.get(3)?.to_owned()))
    }
}

/// What a comparison is of: digests of all that its results depend on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Comparison(Vec<(&'static str, String)>);

/// What the digests of a [`Comparison`] are of, in words.
const PARTS: [(&str, &str); 6] = [
    ("search", "the policy, the preset or --hash"),
    ("rows", "the rows"),
    ("nodes", "the positions or --depth"),
    ("suite", "--suite or --suite-nodes"),
    ("audit", "the positions, --depth or --audit-rate"),
    ("elo", "--openings, --pairs, --match-nodes or --seed"),
];

impl Comparison {
    /// The comparison that depends on these texts, each under the name of one of the parts.
    pub(crate) fn of_texts(parts: impl IntoIterator<Item = (&'static str, String)>) -> Self {
        Self(parts.into_iter().map(|(part, text)| (part, sha256(&text))).collect())
    }

    fn table(&self) -> toml::Table {
        let digests = self.0.iter();
        digests
            .map(|(part, digest)| ((*part).to_owned(), digest.clone().into()))
            .collect()
    }

    /// Whether a folder holds the same comparison.
    fn check(&self, recorded: &toml::Table, folder: &Path) -> Result<(), Failure> {
        let now = self.table();
        let changed = PARTS.iter().filter(|(part, _)| now.get(*part) != recorded.get(*part));
        let measures = changed
            .clone()
            .find(|(part, _)| now.contains_key(*part) != recorded.contains_key(*part));
        let changed: Vec<&str> = match measures {
            Some(_) => vec!["--measures"],
            None => changed.map(|(_, words)| *words).collect(),
        };
        if changed.is_empty() {
            return Ok(());
        }
        Err(Failure::input(
            format!(
                "`{}` holds another comparison; what differs: {}",
                folder.display(),
                changed.join("; ")
            ),
            "repeat the command with the files as they were, or begin again with --force in the place of --resume",
        ))
    }
}

#[cfg(test)]
mod tests;
