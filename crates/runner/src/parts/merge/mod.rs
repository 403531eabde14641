//! Merges the parts of a run. The files are those of a run on one machine, to the byte.
//!
//! [`survey`] reads the manifests of the parts and refuses parts that do not belong together. The recorder of all runs
//! writes their pairs in the order of the run.

pub mod survey;

use std::path::Path;

use crate::conduct::steering::Steering;
use crate::interrupt::Interrupt;
use crate::parts::Rejected;
use crate::record::fault_log::add_faults;
use crate::record::progress::TournamentProgress;
use crate::record::recorder::{Recorded, Recorder};
use crate::run::Run;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::manifest::Manifest;

use self::survey::{Found, Survey};

/// A run that was merged.
#[derive(Debug)]
pub struct MergedRun<S> {
    /// Its steering, with the results of its pairs.
    pub steering: S,
    /// Pairs that were played but are not in it, because the run was decided before them.
    pub unused: u64,
    /// Why one machine would have stopped where this run ends: an engine lost too many games in a row by its faults.
    pub stopped: Option<String>,
}

/// Merges a tournament.
///
/// # Errors
/// As [`merge`].
pub fn merge_tournament(
    survey: &Survey,
    (out, force): (&Path, bool),
    interrupt: &Interrupt,
) -> Result<MergedRun<TournamentProgress>, Failure> {
    let manifest = survey.manifest(out)?;
    let (description, progress) = Run::with_manifest(out, manifest.clone()).not_counted()?;
    let recorded = Recorded::merged(&description, progress.tally.names().to_vec(), &manifest);
    merge(survey, &manifest, (progress, recorded), (out, force), interrupt)
}

/// Merges a run with this manifest into the folder `out`. Its steering has no results.
///
/// # Errors
/// When a part is damaged, a file cannot be written, another process writes to the same folder, or the user asks to stop.
/// Then nothing of the run is there.
pub fn merge<S: Steering>(
    survey: &Survey,
    manifest: &Manifest,
    (steering, recorded): (S, Recorded<'_>),
    (out, force): (&Path, bool),
    interrupt: &Interrupt,
) -> Result<MergedRun<S>, Failure> {
    let merged = ResultsFolder::check(out, force)?.begin(manifest.to_toml(), |folder| {
        let recorder = Recorder::resume(folder, steering, recorded)?;
        fill(survey, recorder, interrupt)
    });
    match merged {
        Err(Failure::Run(why)) => Err(Failure::run(format!(
            "{why}; nothing was merged, and the parts are unchanged"
        ))),
        merged => merged,
    }
}

/// Records the pairs of all parts in the order of the run, until the run is decided.
fn fill<S: Steering>(
    survey: &Survey,
    mut recorder: Recorder<S>,
    interrupt: &Interrupt,
) -> Result<MergedRun<S>, Failure> {
    let names = recorder.names.clone();
    let available: u64 = survey.parts.iter().map(|part| part.recorded).sum();
    for Found { folder, recorded, .. } in &survey.parts {
        let mut failed = Ok(());
        let mut read = 0;
        let missing = folder.each_result(&names, &mut |pair| {
            read += 1;
            if failed.is_err() || recorder.is_over() {
                return;
            }
            failed = match interrupt.is_requested() {
                true => Err(Failure::run("interrupted".to_owned())),
                false => recorder.record(&pair).map(drop),
            };
        });
        failed?;
        missing.map_err(|why| folder.refused(&why))?;
        if read != *recorded {
            let why = Rejected(format!("has {read} results for {recorded} pairs"));
            return Err(folder.refused(&why));
        }
    }
    for part in &survey.parts {
        add_faults(recorder.folder().path(), part.folder.path())?;
    }
    let stopped = recorder.stopped.take();
    let steering = recorder.finish()?;
    Ok(MergedRun {
        unused: available.saturating_sub(steering.recorded()),
        stopped: stopped.map(|failure| failure.to_string()),
        steering,
    })
}
