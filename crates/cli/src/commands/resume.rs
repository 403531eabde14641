//! `lmrlab resume`: resumes a run that was interrupted or killed.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;

use super::experiment::Experiment;
use super::machines::MachineOptions;
use super::tournament_session::{Display, Session, Tolerance, listen, threads};
use super::{part, trial, tune};
use crate::invocation::invocation;
use crate::open_outcome::settings_below;
use crate::pages;
use crate::trust;
use lmrlab_cluster::part::PartFolder;
use lmrlab_results::failure::Failure;
use lmrlab_results::manifest::{Merged, RunKind};
use lmrlab_runner::more_openings::with_more_openings;
use lmrlab_runner::run::Run;
use lmrlab_runner::tournament::description::Conditions;
use lmrlab_tune::tuning_run::{Overrides, TuningRun};

/// Resume a run that was interrupted or killed.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab resume results/quickstart

The manifest in the folder has the text of every policy and preset. The run continues with these \
texts, and warns when a file has changed since. It is refused when the openings or an engine's program \
have changed. A run that began with --report gets its page again. No finished pair is lost; with a fixed number of nodes or depth the \
results are those of a run that was never interrupted.

A test that ran out of openings continues with another book: `lmrlab resume DIR --openings FILE`. Positions that the run already \
has are left out. A test with as many pairs as openings gets a pair for each new opening. The book is written into the \
manifest, so the next `resume` needs no option.")]
pub(crate) struct Arguments {
    /// The results folder of the run
    folder: PathBuf,
    /// Games to play in parallel [default: as the run began]
    #[arg(long, visible_alias = "concurrency", value_name = "N", value_parser = threads)]
    threads: Option<NonZeroUsize>,
    /// Another book for a test that runs out of openings, used after those that it has; repeated for several
    #[arg(long, value_name = "FILE")]
    openings: Vec<PathBuf>,
    #[command(flatten)]
    tolerance: Tolerance,
    #[command(flatten)]
    machines: MachineOptions,
    /// Start the engines and the executor that the folder names, even if you have begun no run with them on this machine
    #[arg(long)]
    trust: bool,
    #[command(flatten)]
    display: Display,
}

/// Plays the remaining pairs of the tournament and prints its outcome.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let overrides = Overrides {
        threads: arguments.threads,
        faults_allowed: arguments.tolerance.faults_allowed,
        ..Overrides::default()
    };
    if let Some(settings) = settings_below(&arguments.folder) {
        refuse(arguments, "a trial", &[OPENINGS, JSON_LINES, LOG])?;
        let machines = arguments.machines.machines()?;
        return trial::resume(
            &arguments.folder,
            &settings,
            overrides,
            arguments.display.quiet,
            machines,
            arguments.trust,
        );
    }
    let run = Run::open(&arguments.folder)?;
    if run.manifest().part.is_some() {
        return resume_part(arguments, &run);
    }
    let mut display = arguments.display.clone();
    display.report |= pages::belongs_to(&arguments.folder);
    if run.manifest().kind == RunKind::Tuning {
        refuse(arguments, "a tuning run", &[OPENINGS, JSON_LINES, LOG])?;
        check_trust(arguments, &run)?;
        let machines = arguments.machines.machines_of(&arguments.folder)?;
        let tuning = TuningRun::resumed(&arguments.folder, overrides, &invocation())?;
        return tune::play(tuning, display.quiet, display.report, machines);
    }
    if let Some(note) = run.manifest().merged.as_ref().and_then(Merged::note) {
        return Err(Failure::input(
            format!("`{}` was merged with `--partial`. {note}", arguments.folder.display()),
            "play what is missing, then merge all parts again: `lmrlab merge parts/* --out DIR --force`",
        ));
    }
    let change = |conditions: &mut Conditions| {
        conditions.threads = arguments.threads.or(conditions.threads);
        conditions.faults_allowed = arguments.tolerance.faults_allowed.unwrap_or(conditions.faults_allowed);
    };
    let (run, of_books) = match arguments.openings.is_empty() {
        true => (run, Vec::new()),
        false => with_more_openings(&run, &arguments.openings, &invocation())?,
    };
    let (tournament, mut warnings) = run.tournament(change, &invocation())?;
    warnings.extend(of_books);
    let settings = arguments.machines.of_run(&arguments.folder)?;
    trust::check(
        &arguments.folder,
        &tournament.engines,
        settings.as_ref(),
        arguments.trust,
    )?;
    let experiment = Experiment::of(&run)?.map(|experiment| {
        let search = experiment.search(&tournament, display.quiet);
        (experiment, search)
    });
    let json_lines = display.json_lines;
    let interrupt = listen()?;
    Session {
        tournament,
        warnings,
        out: arguments.folder.clone(),
        force: false,
        display,
        machines: arguments.machines.machines_of(&arguments.folder)?,
        takes_apart: false,
        experiment: run.manifest().experiment(),
    }
    .resume_until(run.manifest(), || Ok(Arc::clone(&interrupt)))?;
    let Some((experiment, search)) = experiment else {
        return Ok(());
    };
    let found = experiment.finish(&run, &search, &interrupt)?;
    match json_lines {
        true => found.end,
        false => found.print(false),
    }
}

/// Checks that the programs of a tuning run or of a part are trusted.
fn check_trust(arguments: &Arguments, run: &Run) -> Result<(), Failure> {
    let folder = &arguments.folder;
    let settings = arguments.machines.of_run(folder)?;
    let engines = match run.manifest().kind {
        RunKind::Tuning => {
            let tuning = TuningRun::recorded(folder, Overrides::default(), &invocation())?;
            vec![tuning.plan.subject.start.clone()]
        }
        _ => run.tournament(|_| (), &invocation())?.0.engines,
    };
    trust::check(folder, &engines, settings.as_ref(), arguments.trust)
}

/// An option, and whether it is given.
type Given = (&'static str, fn(&Arguments) -> bool);

const OPENINGS: Given = ("--openings", |given| !given.openings.is_empty());
const JSON_LINES: Given = ("--json-lines", |given| given.display.json_lines);
const LOG: Given = ("--log", |given| given.display.log.is_some());
const REPORT: Given = ("--report", |given| given.display.report);
const FAULTS_ALLOWED: Given = ("--faults-allowed", |given| given.tolerance.faults_allowed.is_some());
const EXECUTOR: Given = ("--executor", |given| given.machines.executor.is_some());

/// Refuses options that `what` does not have.
fn refuse(arguments: &Arguments, what: &str, options: &[Given]) -> Result<(), Failure> {
    match options.iter().find(|(_, is_given)| is_given(arguments)) {
        None => Ok(()),
        Some((option, _)) => Err(Failure::input(
            format!(
                "`{}` holds {what}, and `{option}` is for tournaments",
                arguments.folder.display()
            ),
            "leave the option out",
        )),
    }
}

fn resume_part(arguments: &Arguments, run: &Run) -> Result<(), Failure> {
    let display = &arguments.display;
    refuse(
        arguments,
        "a part of a run",
        &[OPENINGS, JSON_LINES, LOG, REPORT, FAULTS_ALLOWED, EXECUTOR],
    )?;
    let part = PartFolder::open(&arguments.folder)?;
    check_trust(arguments, run)?;
    part::play(&part, arguments.threads, display.quiet)
}
