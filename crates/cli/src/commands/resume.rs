//! `lmrlab resume`: resumes a run that was interrupted or killed.

use std::path::{Path, PathBuf};
use std::time::Duration;

use clap::Args;

use super::shared::experiment::Experiment;
use super::shared::machines::{begun_with, machines};
use super::shared::playing::Playing;
use super::{part, trial, tune};
use crate::frame::{Frame, print_note};
use crate::invocation::invocation;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::is_running;
use lmrlab_results::manifest::{Merged, RunKind};
use lmrlab_runner::more_openings::with_more_openings;
use lmrlab_runner::parts::PartFolder;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::description::Conditions;
use lmrlab_runner::trust;
use lmrlab_tune::run::TuningRun;
use lmrlab_tune::trial_settings::settings_in;

/// Resume a run that was interrupted or killed.
///
/// Example:
///   lmrlab resume results/quickstart
///
/// The manifest in the folder has the text of every policy and preset. The run continues with these texts, and warns
/// when a file has changed since. It is refused when the openings or an engine's program have changed. A run that began
/// with --report gets its page again. No finished pair is lost; with a fixed number of nodes or depth the results are
/// those of a run that was never interrupted.
///
/// A test that ran out of openings continues with another book: `lmrlab resume DIR --openings FILE`. Positions that the
/// run already has are left out. A test with as many pairs as openings gets a pair for each new opening. The book is
/// written into the manifest, so the next `resume` needs no option.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The results folder of the run
    folder: PathBuf,
    /// Another book for a test that runs out of openings, used after those that it has; repeated for several
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
}

/// Plays the remaining pairs of the tournament and prints its outcome.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let (folder, options) = (&arguments.folder, &frame.options);
    let change = |conditions: &mut Conditions| {
        conditions.threads = options.threads.or(conditions.threads);
        conditions.faults_allowed = options.faults_allowed.unwrap_or(conditions.faults_allowed);
    };
    let of_tournaments = [
        ("--openings", !arguments.openings.is_empty()),
        ("--json-lines", options.json_lines),
        ("--log", options.log.is_some()),
    ];
    if let Some(settings) = settings_in(folder) {
        refuse(folder, "a trial", &of_tournaments)?;
        return trial::resume(folder, &settings, change, machines(options, None)?, frame);
    }
    let run = Run::open(folder)?;
    if run.manifest().part.is_some() {
        refuse(folder, "a part of a run", &of_tournaments)?;
        let of_runs = [
            ("--report", options.report),
            ("--faults-allowed", options.faults_allowed.is_some()),
            ("--executor", options.executor.is_some()),
        ];
        refuse(folder, "a part of a run", &of_runs)?;
        // A command of an executor plays on when its coordinator was killed.
        while is_running(folder) {
            print_note(&format!(
                "another process plays the part in `{}`; this one waits until it ends",
                folder.display()
            ));
            std::thread::sleep(LOOK);
        }
        return part::play(&PartFolder::open(folder)?, options.threads, frame);
    }
    if run.manifest().kind == RunKind::Tuning {
        refuse(folder, "a tuning run", &of_tournaments)?;
        let tuning = TuningRun::resumed(folder, change, &invocation())?;
        let executor = begun_with(options, folder)?;
        trust::check(folder, [&tuning.plan.subject.start], executor.as_ref(), options.trust)?;
        return tune::play(tuning, machines(options, executor)?, frame);
    }
    if let Some(note) = run.manifest().merged.as_ref().and_then(Merged::note) {
        return Err(Failure::input(
            format!("`{}` was merged with `--partial`. {note}", folder.display()),
            "play what is missing, then merge all parts again: `lmrlab merge parts/* --out DIR --force`",
        ));
    }
    let (run, of_books) = match arguments.openings.is_empty() {
        true => (run, Vec::new()),
        false => with_more_openings(&run, &arguments.openings, &invocation())?,
    };
    let (tournament, mut warnings) = run.tournament(change, &invocation())?;
    warnings.extend(of_books);
    let executor = begun_with(options, folder)?;
    trust::check(folder, &tournament.engines, executor.as_ref(), options.trust)?;
    let experiment = Experiment::of(&run)?;
    Playing {
        warnings,
        out: folder.clone(),
        machines: machines(options, executor)?,
        experiment: run.manifest().experiment.clone(),
        ..Playing::of(tournament)
    }
    .resume(run.manifest(), frame)?;
    let Some(experiment) = experiment else {
        return Ok(());
    };
    let found = experiment.finish(&run, options)?;
    match options.json_lines {
        true => found.end,
        false => frame.show(found),
    }
}

/// Refuses options that `what` in the folder does not have.
fn refuse(folder: &Path, what: &str, options: &[(&str, bool)]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| *is_given) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(
            format!("`{}` holds {what}, and `{option}` is for tournaments", folder.display()),
            "leave the option out",
        )),
    }
}

/// Time between two looks whether another process still plays the part.
const LOOK: Duration = Duration::from_millis(200);
