//! Options of comparisons that go on after an interruption: their results are kept beside their first file.

use std::path::{Path, PathBuf};

use clap::Args;

use crate::invocation::invocation;
use crate::output_files::{refuse_existing, refuse_twice};
use crate::print::print_warnings;
use lmrlab_lab::kept::{Comparison, Kept};
use lmrlab_lab::workers::Workers;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::MANIFEST;
use lmrlab_runner::run::Run;

/// Whether to begin, to begin again or to go on.
#[derive(Debug, Args)]
pub(super) struct KeepOptions {
    /// Overwrite files, and what an interrupted run has left
    #[arg(long)]
    force: bool,
    /// Go on with the run of the same command that was interrupted or killed
    #[arg(long, conflicts_with = "force")]
    resume: bool,
}

impl KeepOptions {
    /// Refuses files that must not be written. Results are kept beside the first of `files`.
    pub(super) fn check(&self, files: &[Option<&PathBuf>]) -> Result<(), Failure> {
        let files: Vec<&PathBuf> = files.iter().copied().flatten().collect();
        let Some(folder) = files.first().and_then(|file| folder(file)) else {
            return match self.resume {
                true => Err(Failure::input(
                    "no file is named, and results are kept beside it",
                    "repeat the command that was interrupted, with its --csv",
                )),
                false => refuse_existing(files, self.force),
            };
        };
        let shown = folder.display();
        // Without a manifest nothing was measured yet.
        match (folder.join(MANIFEST.name()).exists(), self.resume) {
            (true, true) => refuse_twice(&files),
            (true, false) if !self.force => Err(Failure::input(
                format!("`{shown}` holds a run that was interrupted"),
                "--resume goes on with it, --force begins again",
            )),
            (false, true) => Err(Failure::input(
                format!("there is no interrupted run to go on with in `{shown}`"),
                "leave --resume away to begin",
            )),
            (_, false) => refuse_existing(files, self.force),
        }
    }

    /// The same threads, which keep every result of a comparison beside a file, if there is one.
    pub(super) fn keeping(&self, workers: Workers, beside: Option<&Path>, of: &Comparison) -> Result<Workers, Failure> {
        let Some(folder) = beside.and_then(folder) else {
            return Ok(workers);
        };
        let kept = if self.resume {
            let (kept, warnings) = Kept::resume(&folder, of, &invocation())?;
            warnings.iter().for_each(print_warnings);
            kept
        } else {
            Kept::begin(&folder, of, &invocation(), self.force)?
        };
        Ok(workers.keeping(kept))
    }
}

/// Where the results of a comparison are kept until it is finished; nowhere beside a device.
fn folder(beside: &Path) -> Option<PathBuf> {
    let mut name = beside.as_os_str().to_owned();
    name.push(".unfinished");
    (beside.is_file() || !beside.exists()).then(|| PathBuf::from(name))
}

/// What an interrupted comparison with its results beside this file says at its end.
pub(super) fn go_on(beside: &Path) -> &'static str {
    folder(beside).map_or("", |_| " The same command with --resume goes on.")
}

/// Tells how to go on with a comparison, which commands that know runs by their folder cannot do.
pub(super) fn comparison(run: &Run) -> Failure {
    let command = run.manifest().command();
    let again = command.replace(" --force", "").replace(" --resume", "");
    Failure::input(
        format!("`{}` holds a comparison that was interrupted", run.folder().display()),
        format!("go on with it by `{again} --resume`"),
    )
}
