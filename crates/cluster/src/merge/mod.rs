//! Puts the parts of a run together: the files are those of a run on one machine, to the byte.
//!
//! [`survey`] reads what the parts say of themselves and refuses what does not belong together. `pairs` reads their results in
//! the order of the schedule, a few hundred at a time, and the recorder of every run writes them. `clocks` is about hosts with a
//! wrong date.

mod clocks;
mod pairs;
pub mod survey;

use std::fs;
use std::path::{Path, PathBuf};

use lmrlab_diagnostics::Diagnostics;
use lmrlab_runner::conduct::too_many_in_a_row;
use lmrlab_runner::failure::{Failure, warning};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::paths::absolute;
use lmrlab_runner::record::folder::ResultsFolder;
use lmrlab_runner::record::manifest::Merged;
use lmrlab_runner::record::progress::Progress;
use lmrlab_runner::record::recorder::Recorder;
use lmrlab_runner::run::Run;

use self::pairs::Pairs;
use self::survey::Survey;

/// A run that was put together.
#[derive(Debug)]
pub struct MergedRun {
    /// What its pairs came to.
    pub progress: Progress,
    /// Which parts it has.
    pub merged: Merged,
    /// Pairs that were played and are not in it, because the run was decided before.
    pub unused: u64,
    /// Why one machine would have stopped where this run ends: an engine has lost too many games in a row.
    pub stopped: Option<String>,
}

/// The name of the folder beside that of the run in which it is put together.
fn beside(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".merging");
    out.with_file_name(name)
}

/// Checks that a run can be put together in `out`: the folder is not there, or may be replaced, and no part is in it.
///
/// # Errors
/// When it may not be written.
pub fn check_out(out: &Path, parts: &[PathBuf], force: bool) -> Result<ResultsFolder, Failure> {
    let folder = ResultsFolder::check(out, force)?;
    let whole = absolute(out);
    if let Some(part) = parts.iter().find(|part| absolute(part).starts_with(&whole)) {
        return Err(Failure::input(
            format!("the part `{}` is in the folder that is to be replaced", part.display()),
            "name another folder with `--out`",
        ));
    }
    Ok(folder)
}

/// What is odd about the clocks of the hosts.
pub fn clock_warnings(survey: &Survey) -> Vec<Diagnostics> {
    clocks::warnings(&survey.parts).into_iter().map(warning).collect()
}

/// Puts a run together in a folder of [`check_out`]. The folder is there when everything is in it, and not before.
///
/// # Errors
/// When a part is damaged, a file cannot be written, or somebody asks to stop. Then nothing of the run stays.
pub fn merge(survey: &Survey, out: &ResultsFolder, interrupt: &Interrupt) -> Result<MergedRun, Failure> {
    let beside = beside(out.path());
    let folder = ResultsFolder::check(&beside, true)?;
    let merged = write(survey, out, folder.clone(), interrupt).and_then(|merged| {
        put_in_place(&beside, out)?;
        Ok(merged)
    });
    merged.map_err(|failure| {
        let kept = folder.remove().is_err();
        match failure {
            Failure::Run(message) if kept => Failure::Run(format!(
                "{message}; what was written is in `{}`: remove it, then merge again",
                beside.display()
            )),
            Failure::Run(message) if interrupt.is_requested() => {
                Failure::Run(format!("{message}; the parts are as they were, and nothing was merged"))
            }
            Failure::Run(message) => Failure::Run(format!(
                "{message}; the parts are as they were, and nothing was merged: merge again when that is mended"
            )),
            Failure::Input(_) | Failure::Interrupted => failure,
        }
    })
}

fn write(
    survey: &Survey,
    out: &ResultsFolder,
    folder: ResultsFolder,
    interrupt: &Interrupt,
) -> Result<MergedRun, Failure> {
    let manifest = survey.manifest(out.path())?;
    let (description, progress) = Run::with_manifest(out.path(), manifest.clone()).not_counted()?;
    let available = progress.scheduled_pairs;
    let allowed = description.conditions.faults_allowed;
    let mut recorder = Recorder::of_description(folder, &description, progress, &manifest)?;
    let mut pairs = Pairs::new(&survey.parts);
    let mut stopped = None;
    let mut batch = pairs.next()?;
    while !batch.is_empty() {
        if interrupt.is_requested() {
            return Err(Failure::Run("interrupted".to_owned()));
        }
        let (recorded, next) = rayon::join(
            || {
                for pair in &batch {
                    recorder.record(pair)?;
                    stopped = too_many_in_a_row(recorder.progress(), pair.games(), allowed);
                    if stopped.is_some() || recorder.progress().decided().is_some() {
                        break;
                    }
                }
                Ok::<(), Failure>(())
            },
            || pairs.next(),
        );
        recorded?;
        if stopped.is_some() || recorder.progress().decided().is_some() {
            break;
        }
        batch = next?;
    }
    let progress = recorder.finish()?;
    Ok(MergedRun {
        unused: available.saturating_sub(progress.pairs),
        stopped: stopped.filter(|_| progress.decided().is_none()),
        progress,
        merged: survey.merged.clone(),
    })
}

/// Gives the folder its name, or moves its files where another run is replaced.
fn put_in_place(beside: &Path, out: &ResultsFolder) -> Result<(), Failure> {
    let to = out.path();
    let failed = |error: &std::io::Error| Failure::write(to, error);
    if !to.exists() {
        return fs::rename(beside, to).map_err(|error| failed(&error));
    }
    out.create()?;
    for entry in fs::read_dir(beside).map_err(|error| failed(&error))? {
        let entry = entry.map_err(|error| failed(&error))?;
        fs::rename(entry.path(), to.join(entry.file_name())).map_err(|error| failed(&error))?;
    }
    fs::remove_dir(beside).map_err(|error| failed(&error))
}
