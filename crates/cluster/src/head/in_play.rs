//! Parts that are in play, in memory and on disk: `parts/PART/ATTEMPT` in the folder of the run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::dispatch::PartNumber;
use crate::executor::JobId;
use crate::part::PartFolder;
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::PARTS_FOLDER;
use lmrlab_runner::text_file;

/// The file in the folder of an attempt with what the executor calls it.
const JOB: &str = "job.txt";
/// How long the files of an attempt that ended may take to arrive: shared folders are slow.
const ARRIVAL: Duration = Duration::from_secs(10);

/// An attempt that was submitted.
pub(super) struct AttemptInPlay {
    pub(super) job: JobId,
    pub(super) path: PathBuf,
    /// Whether the dispatcher knows that it has begun.
    pub(super) begun: bool,
    /// Where it is played, once that is known.
    pub(super) host: Option<String>,
    /// Since when it has ended without its files.
    ended: Option<Instant>,
}

impl AttemptInPlay {
    pub(super) fn new(job: JobId, path: PathBuf) -> Self {
        Self {
            job,
            path,
            begun: false,
            host: None,
            ended: None,
        }
    }

    /// Whether its files, which are not there, may still come.
    pub(super) fn may_arrive(&mut self) -> bool {
        self.ended.get_or_insert_with(Instant::now).elapsed() < ARRIVAL
    }
}

/// A part that is in play.
pub(super) struct PartInPlay<T> {
    /// Its pairs that are needed, by their numbers.
    pub(super) own: Vec<(u64, T)>,
    /// Pairs of others that it repeats.
    pub(super) checks: Vec<(u64, T)>,
    /// All that it plays: its pairs, those that an earlier process needed, and those that it repeats.
    pub(super) all: Vec<(u64, T)>,
    pub(super) attempts: BTreeMap<u32, AttemptInPlay>,
}

impl<T: Clone> PartInPlay<T> {
    /// A part with these pairs, of which the last ones are repeated.
    pub(super) fn new(all: Vec<(u64, T)>, checks: usize) -> Self {
        let (own, checks) = all.split_at(all.len().saturating_sub(checks));
        Self {
            own: own.to_owned(),
            checks: checks.to_owned(),
            all,
            attempts: BTreeMap::new(),
        }
    }
}

/// The folder with the parts of a run.
#[derive(Debug, Clone)]
pub(super) struct PartsFolder(PathBuf);

impl PartsFolder {
    pub(super) fn of(run: &Path) -> Self {
        Self(absolute(&run.join(PARTS_FOLDER)))
    }

    /// The folder of an attempt.
    pub(super) fn attempt(&self, part: PartNumber, attempt: u32) -> PathBuf {
        self.part(part).join(attempt.to_string())
    }

    fn part(&self, part: PartNumber) -> PathBuf {
        self.0.join((part + 1).to_string())
    }

    /// Notes what the executor calls an attempt.
    pub(super) fn submitted(&self, path: &Path, job: &JobId) -> Result<(), Failure> {
        let file = path.join(JOB);
        fs::write(&file, &job.0).map_err(|error| Failure::write(&file, &error))
    }

    /// Removes a part that nobody needs any more; what cannot be removed stays.
    pub(super) fn remove(&self, part: PartNumber) {
        let _ = fs::remove_dir_all(self.part(part));
    }

    /// Removes an attempt.
    pub(super) fn remove_attempt(&self, part: PartNumber, attempt: u32) {
        let _ = fs::remove_dir_all(self.attempt(part, attempt));
    }

    /// Removes all parts, when the run needs none any more.
    pub(super) fn remove_all(&self) {
        let _ = fs::remove_dir_all(&self.0);
    }

    /// The parts that an earlier process left behind, in their order, with all attempts whose folder is whole.
    pub(super) fn find<P: Portable>(&self, play: &P) -> Vec<FoundPart<P::Task>> {
        let mut found = Vec::new();
        for (part, path) in numbered(&self.0) {
            let mut attempts = Vec::new();
            let mut tasks = None;
            let mut last_attempt = 0;
            for (attempt, path) in numbered(&path) {
                let attempt = u32::try_from(attempt).unwrap_or(u32::MAX);
                last_attempt = last_attempt.max(attempt);
                let Ok(folder) = PartFolder::open(&path) else {
                    continue;
                };
                let Ok(of_attempt) = folder.tasks(play) else {
                    continue;
                };
                tasks.get_or_insert((of_attempt, folder.part().checks));
                if let Ok(job) = text_file::read_utf8(&path.join(JOB), MAX_JOB) {
                    attempts.push((attempt, AttemptInPlay::new(JobId(job), path)));
                }
            }
            let Some((all, checks)) = tasks else { continue };
            let mut in_play = PartInPlay::new(all, usize::try_from(checks).unwrap_or(0));
            in_play.attempts.extend(attempts);
            found.push(FoundPart {
                number: part.saturating_sub(1),
                part: in_play,
                last_attempt,
            });
        }
        found
    }
}

/// The longest name of a job that is read, in bytes.
const MAX_JOB: u64 = 1 << 16;

/// A part that an earlier process left behind.
pub(super) struct FoundPart<T> {
    pub(super) number: PartNumber,
    pub(super) part: PartInPlay<T>,
    pub(super) last_attempt: u32,
}

/// The folders in a folder whose names are numbers, in their order.
fn numbered(folder: &Path) -> Vec<(u64, PathBuf)> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let numbered = entries.filter_map(|entry| Some((entry.file_name().to_str()?.parse().ok()?, entry.path())));
    let mut numbered: Vec<_> = numbered.filter(|(number, _)| *number > 0).collect();
    numbered.sort_unstable();
    numbered
}

fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_owned())
}
