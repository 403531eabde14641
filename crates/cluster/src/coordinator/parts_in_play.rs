//! Submitted parts, in memory and on disk: `parts/NUMBER` in the folder of the run.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::executor::JobId;
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::PARTS_FOLDER;
use lmrlab_results::{output_file, text_file};
use lmrlab_runner::tournament::schedule::Pair;

/// The file in the folder of a part with its [`JobId`].
const JOB: &str = "job.txt";
/// The longest [`JOB`] that is read, in bytes.
const MAX_JOB: u64 = 1 << 16;
/// How long to wait for the files of a part that ended: shared folders are slow.
const ARRIVAL: Duration = Duration::from_secs(10);

/// Pairs that are to be played as a part.
pub(super) struct PairsToPlay {
    /// The pairs. Their places in the run are their numbers.
    pub(super) pairs: Vec<Pair>,
    /// The earlier attempts that failed, the last one at the end.
    pub(super) failures: Vec<FailedAttempt>,
}

/// Where an attempt failed, and why.
pub(super) struct FailedAttempt {
    pub(super) host: Option<String>,
    /// The rest of a sentence that begins with "it".
    pub(super) why: String,
}

impl std::fmt::Display for FailedAttempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let host = self.host.as_deref().unwrap_or("an unknown host");
        write!(f, "on {host} it {}", self.why)
    }
}

/// A part that was submitted.
pub(super) struct PartInPlay {
    pub(super) work: PairsToPlay,
    pub(super) job: JobId,
    /// Whether the part was seen running.
    pub(super) begun: bool,
    /// Where it is played, once that is known.
    pub(super) host: Option<String>,
    /// When it was first seen to have ended without its files.
    ended: Option<Instant>,
}

impl PartInPlay {
    pub(super) fn new(work: PairsToPlay, job: JobId) -> Self {
        Self {
            work,
            job,
            begun: false,
            host: None,
            ended: None,
        }
    }

    /// Whether its missing files may still arrive.
    pub(super) fn may_arrive(&mut self) -> bool {
        self.ended.get_or_insert_with(Instant::now).elapsed() < ARRIVAL
    }
}

/// The folder with the parts of a run.
#[derive(Debug, Clone)]
pub(super) struct PartsFolder(PathBuf);

impl PartsFolder {
    pub(super) fn of(run: &Path) -> Self {
        let path = run.join(PARTS_FOLDER);
        Self(std::path::absolute(&path).unwrap_or(path))
    }

    /// The folder of a part.
    pub(super) fn part(&self, number: u64) -> PathBuf {
        self.0.join(number.to_string())
    }

    /// Saves the [`JobId`] of a part.
    pub(super) fn note_job(&self, number: u64, job: &JobId) -> Result<(), Failure> {
        let file = self.part(number).join(JOB);
        output_file::write(&file, &job.0)
    }

    /// The [`JobId`] of a part; `None` when it was not saved.
    pub(super) fn job(&self, number: u64) -> Option<JobId> {
        text_file::read_utf8(&self.part(number).join(JOB), MAX_JOB)
            .ok()
            .map(JobId)
    }

    /// The numbers of the parts that are there, in their order.
    pub(super) fn numbers(&self) -> Vec<u64> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let numbers = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
        let mut numbers: Vec<u64> = numbers.collect();
        numbers.sort_unstable();
        numbers
    }

    /// Removes a part; what cannot be removed stays.
    pub(super) fn remove(&self, number: u64) {
        let _ = fs::remove_dir_all(self.part(number));
    }

    /// Removes all parts, when the run no longer needs any.
    pub(super) fn remove_all(&self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
