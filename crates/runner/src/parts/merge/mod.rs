//! Merges the parts of a run. The files are those of a run on one machine, to the byte.
//!
//! [`survey`] reads the manifests of the parts and refuses parts that do not belong together. The recorder of all runs
//! writes their pairs in the order of the schedule.

pub mod survey;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::interrupt::Interrupt;
use crate::record::fault_log::FaultLog;
use crate::record::progress::TournamentProgress;
use crate::record::recorder::{Recorded, Recorder};
use crate::run::Run;
use crate::tournament::faults_allowed::FaultsAllowed;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::manifest::Merged;
use lmrlab_results::paths::{absolute, from_here};

use self::survey::{Found, Survey, damaged};

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

/// Checks that a run can be merged into `out`: the folder does not exist or may be replaced, and no part is in it.
///
/// # Errors
/// When it may not be written.
pub fn check(out: &Path, parts: &[PathBuf], force: bool) -> Result<(), Failure> {
    ResultsFolder::check(out, force)?;
    let refuse = |what: String| Err(Failure::input(what, "name another folder"));
    let (target, shown) = (absolute(out), out.display());
    if let Some(part) = parts.iter().find(|part| absolute(part).starts_with(&target)) {
        let part = part.display();
        return refuse(format!("the part `{part}` is in the folder that is to be replaced"));
    }
    if target.exists() && std::env::current_dir().is_ok_and(|here| absolute(&here).starts_with(&target)) {
        return refuse(format!(
            "the working directory is in `{shown}`, which is to be replaced"
        ));
    }
    Ok(())
}

/// Merges a run. It is written to a second folder beside `out`, which takes the place of `out` when it is complete.
///
/// # Errors
/// When a part is damaged, a file cannot be written, another merge writes to the same folder, or the user asks to stop.
/// Then the folder is as it was.
pub fn merge(survey: &Survey, out: &Path, force: bool, interrupt: &Interrupt) -> Result<MergedRun, Failure> {
    let target = absolute(out);
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".merging");
    // A merge that was killed may have left a run there.
    let new = ResultsFolder::check(&from_here(&target.with_file_name(name)), true)?;
    match write(survey, out, force, &new, interrupt) {
        Err(Failure::Run(why)) => Err(Failure::run(format!(
            "{why}; nothing was merged, and the parts are unchanged"
        ))),
        merged => merged,
    }
}

fn write(
    survey: &Survey,
    out: &Path,
    force: bool,
    new: &ResultsFolder,
    interrupt: &Interrupt,
) -> Result<MergedRun, Failure> {
    let manifest = survey.manifest(out)?;
    let (description, progress) = Run::with_manifest(out, manifest.clone()).not_counted()?;
    let allowed = description.conditions.faults_allowed;
    let names = progress.tally.names().to_vec();
    let recorded = Recorded::merged(&description, names, &manifest);
    let recorder = Recorder::create(new.clone(), progress, recorded, &manifest)?;
    let merged = fill(survey, recorder, allowed, interrupt).and_then(|merged| {
        put_in_place(new, out, force)?;
        Ok(merged)
    });
    merged.inspect_err(|_| {
        if new.lock_to_replace().is_ok() {
            let _ = new.remove();
        }
    })
}

/// Moves a new run to its place. Files of the user in the folder that it replaces are moved with it.
fn put_in_place(new: &ResultsFolder, out: &Path, force: bool) -> Result<(), Failure> {
    let failed = |error: io::Error| Failure::write(out, &error);
    // On Windows a folder with open files cannot be renamed.
    let locks = new.lock_to_replace()?;
    let _locks = (!cfg!(windows)).then_some(locks);
    // Another merge may have ended since the first check.
    let old = ResultsFolder::check(out, force)?;
    let target = absolute(out);
    if target.exists() {
        for other in old.other_entries().map_err(failed)? {
            fs::rename(target.join(&other), new.path().join(&other)).map_err(failed)?;
        }
        old.create()?;
        fs::remove_dir(&target).map_err(failed)?;
    }
    fs::rename(new.path(), target).map_err(failed)
}

/// Records the pairs of all parts in the order of the schedule, until the run is decided.
fn fill(
    survey: &Survey,
    mut recorder: Recorder<TournamentProgress>,
    allowed: FaultsAllowed,
    interrupt: &Interrupt,
) -> Result<MergedRun, Failure> {
    let available = recorder.steering.scheduled_pairs;
    let names = recorder.steering.tally.names().to_vec();
    let mut stopped = None;
    for Found { folder, recorded, .. } in &survey.parts {
        let openings = Run::with_manifest(folder.path(), folder.manifest().clone()).openings()?;
        let openings = openings.ok_or_else(|| damaged(folder, "does not name its openings"))?;
        let pairs = folder.tasks(&names)?;
        let mut failed = Ok(());
        let read = folder.each_result(&pairs, (&names, &openings), &mut |pair| {
            if failed.is_err() || stopped.is_some() || recorder.steering.decided().is_some() {
                return;
            }
            failed = match interrupt.is_requested() {
                true => Err(Failure::run("interrupted".to_owned())),
                false => recorder.record(&pair).map(|_| ()),
            };
            stopped = recorder.too_many_faults(pair.games(), allowed);
        });
        failed?;
        match read {
            Ok(read) if read == *recorded => {}
            Ok(read) => return Err(damaged(folder, &format!("has {read} results for {recorded} pairs"))),
            Err(why) => return Err(damaged(folder, &why.0)),
        }
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
