//! Merges the parts of a run. The files are those of a run on one machine, to the byte.
//!
//! [`survey`] reads the manifests of the parts and refuses parts that do not belong together. The recorder of all runs
//! writes their pairs in the order of the run.

pub mod survey;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::conduct::steering::Steering;
use crate::interrupt::Interrupt;
use crate::record::fault_log::EngineLogs;
use crate::record::progress::TournamentProgress;
use crate::record::recorder::{Recorded, Recorder};
use crate::run::Run;
use crate::tournament::faults_allowed::FaultsAllowed;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::manifest::Manifest;
use lmrlab_results::paths::{absolute, from_here};

use self::survey::{Found, Survey, damaged};

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
    let run = Merging {
        manifest,
        steering: progress,
        recorded,
        faults_allowed: description.conditions.faults_allowed,
    };
    merge(survey, run, (out, force), interrupt)
}

/// What is known of a run before its parts are merged.
pub struct Merging<'r, S> {
    /// Its manifest.
    pub manifest: Manifest,
    /// Its steering, without results.
    pub steering: S,
    /// What the recorder needs.
    pub recorded: Recorded<'r>,
    /// The faults after which one machine would have stopped.
    pub faults_allowed: FaultsAllowed,
}

/// Merges a run. It is written to a second folder beside `out`, which takes the place of `out` when it is complete.
///
/// # Errors
/// When a part is damaged, a file cannot be written, another merge writes to the same folder, or the user asks to stop.
/// Then the folder is as it was.
pub fn merge<S: Steering>(
    survey: &Survey,
    run: Merging<'_, S>,
    (out, force): (&Path, bool),
    interrupt: &Interrupt,
) -> Result<MergedRun<S>, Failure> {
    let target = absolute(out);
    let mut name = target.file_name().unwrap_or_default().to_owned();
    name.push(".merging");
    // A merge that was killed may have left a run there.
    let new = ResultsFolder::check(&from_here(&target.with_file_name(name)), true)?;
    match write(survey, run, (out, force), &new, interrupt) {
        Err(Failure::Run(why)) => Err(Failure::run(format!(
            "{why}; nothing was merged, and the parts are unchanged"
        ))),
        merged => merged,
    }
}

fn write<S: Steering>(
    survey: &Survey,
    run: Merging<'_, S>,
    (out, force): (&Path, bool),
    new: &ResultsFolder,
    interrupt: &Interrupt,
) -> Result<MergedRun<S>, Failure> {
    let names = run.recorded.names.clone();
    let recorder = Recorder::create(new.clone(), run.steering, run.recorded, &run.manifest)?;
    let merged = fill(survey, recorder, (&names, run.faults_allowed), interrupt).and_then(|merged| {
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

/// Records the pairs of all parts in the order of the run, until the run is decided.
fn fill<S: Steering>(
    survey: &Survey,
    mut recorder: Recorder<S>,
    (names, allowed): (&[String], FaultsAllowed),
    interrupt: &Interrupt,
) -> Result<MergedRun<S>, Failure> {
    let available: u64 = survey.parts.iter().map(|part| part.recorded).sum();
    let mut stopped = None;
    for Found { folder, recorded, .. } in &survey.parts {
        let openings = Run::with_manifest(folder.path(), folder.manifest().clone()).openings()?;
        let openings = openings.ok_or_else(|| damaged(folder, "does not name its openings"))?;
        let pairs = folder.tasks(names)?;
        let mut failed = Ok(());
        let read = folder.each_result(&pairs, (names, &openings), &mut |pair| {
            if failed.is_err() || stopped.is_some() || recorder.steering.is_decided() {
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
    let faults = EngineLogs::new(recorder.folder(), None);
    for part in &survey.parts {
        faults.add_part(part.folder.path())?;
    }
    let steering = recorder.finish()?;
    Ok(MergedRun {
        unused: available.saturating_sub(steering.recorded()),
        stopped: (stopped.filter(|_| !steering.is_decided())).map(|failure| failure.to_string()),
        steering,
    })
}
