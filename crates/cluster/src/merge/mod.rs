//! Merges the parts of a run. The files are those of a run on one machine, to the byte.
//!
//! [`survey`] reads the manifests of the parts and refuses parts that do not belong together. `pairs` reads their
//! results in the order of the schedule, a few hundred at a time. The recorder of all runs writes them.

mod pairs;
mod place;
pub mod survey;

use std::path::Path;

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::manifest::Merged;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::fault_log::FaultLog;
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::record::recorder::{Recorded, Recorder};
use lmrlab_runner::run::Run;

use self::pairs::Pairs;
pub use self::place::Place;
use self::survey::Survey;

/// A run that was merged.
#[derive(Debug)]
pub struct MergedRun {
    /// The results of its pairs.
    pub progress: TournamentProgress,
    /// The parts that it was merged from.
    pub merged: Merged,
    /// Pairs that were played but are not in it, because the run was decided before them.
    pub unused: u64,
    /// Why one machine would have stopped where this run ends: an engine lost too many games in a row by its faults.
    pub stopped: Option<String>,
}

/// Merges a run. Its folder appears only when it is complete.
///
/// # Errors
/// When a part is damaged, a file cannot be written, another merge writes to the same folder, or the user asks to stop.
/// Then the folder is as it was.
pub fn merge(survey: &Survey, out: &Place, interrupt: &Interrupt) -> Result<MergedRun, Failure> {
    let beside = out.begin()?;
    let merged = beside.new_run().and_then(|folder| {
        let merged = write(survey, out.path(), folder, interrupt)?;
        beside.put_in_place()?;
        Ok(merged)
    });
    let cleared = beside.end();
    let merged = match (merged, &cleared) {
        (Err(Failure::Run(message)), Err(left)) => Err(Failure::run(format!(
            "{message}; remove the unfinished files in `{}`, then merge again",
            left.display()
        ))),
        (Err(Failure::Run(message)), _) if interrupt.is_requested() => Err(Failure::run(format!(
            "{message}; nothing was merged, and the parts are unchanged"
        ))),
        (Err(Failure::Run(message)), _) => Err(Failure::run(format!(
            "{message}; nothing was merged, and the parts are unchanged; correct this, then merge again"
        ))),
        (merged, _) => merged,
    }?;
    match cleared {
        Ok(()) => Ok(merged),
        Err(left) => Err(Failure::run(format!(
            "the merged run is in `{}`; files of the old run in `{}` could not be removed",
            out.path().display(),
            left.display()
        ))),
    }
}

fn write(survey: &Survey, out: &Path, folder: ResultsFolder, interrupt: &Interrupt) -> Result<MergedRun, Failure> {
    let manifest = survey.manifest(out)?;
    let (description, progress) = Run::with_manifest(out, manifest.clone()).not_counted()?;
    let available = progress.scheduled_pairs;
    let allowed = description.conditions.faults_allowed;
    let names = progress.tally.names().to_vec();
    let recorded = Recorded::merged(&description, names, &manifest);
    let mut recorder = Recorder::create(folder, progress, recorded, &manifest)?;
    let mut pairs = Pairs::new(&survey.parts);
    let mut stopped = None;
    let mut batch = pairs.next()?;
    while !batch.is_empty() {
        if interrupt.is_requested() {
            return Err(Failure::run("interrupted".to_owned()));
        }
        let (recorded, next) = rayon::join(
            || {
                for pair in &batch {
                    recorder.record(pair)?;
                    stopped = recorder.too_many_faults(pair.games(), allowed);
                    if stopped.is_some() || recorder.steering.decided().is_some() {
                        break;
                    }
                }
                Ok::<(), Failure>(())
            },
            || pairs.next(),
        );
        recorded?;
        if stopped.is_some() || recorder.steering.decided().is_some() {
            break;
        }
        batch = next?;
    }
    let faults = FaultLog::of(recorder.folder());
    for part in &survey.parts {
        faults.add_part(part.folder.path())?;
    }
    let progress = recorder.finish()?;
    Ok(MergedRun {
        unused: available.saturating_sub(progress.pairs),
        stopped: (stopped.filter(|_| progress.decided().is_none())).map(|failure| failure.to_string()),
        progress,
        merged: survey.merged.clone(),
    })
}
