//! `lmrlab tune FILE`: plays and resumes tuning runs.

use std::path::{Path, PathBuf};

use clap::Args;
use lmrlab_diagnostics::Source;
use toml::Table;

use super::shared::adjudication_options::AdjudicationOptions;
use super::shared::conditions::conditions;
use super::shared::engine_words::hosted;
use super::shared::machines::machines;
use super::shared::whole_number::count;
use crate::advice::with_resume;
use crate::frame::pages::Fresh;
use crate::frame::{Found, Frame, Options, Work, listen, pages, print_note, print_warnings};
use crate::invocation::working_folder;
use crate::progress::{self, PairsDisplay};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_policy::reference::PolicyReference;
use lmrlab_results::project::Runnable;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::parts::executor::Executor;
use lmrlab_runner::tournament::defaults::{DEFAULT_PRESET, MAX_PAIRS};
use lmrlab_runner::tournament::description::{Conditions, EngineDescription};
use lmrlab_runner::trust;
use lmrlab_tune::new_run::NewRun;
use lmrlab_tune::run::TuningRun;
use lmrlab_tune::run::result::RunResult;

/// Pairs of the run for a policy.
const DEFAULT_PAIRS: u64 = 3_000;
/// Nodes a move of this run.
const TUNING_NODES: u64 = 2_000;

/// Tune parameters of an engine, and test the gain.
///
/// Examples:
///   lmrlab tune my.toml --pairs 2000
///   lmrlab tune my.toml --host 'cmd=./engine option.Hash=16'
///   lmrlab tune configs/tuning/logarithm.toml
///
/// Continue an interrupted or killed run with `lmrlab resume DIR`; it ends with the same values.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// A tuning run, or a policy to tune: a file, or a name in configs/tuning or configs/policies;
    /// configs/tuning/logarithm.toml explains the keys of a run
    #[arg(value_name = "POLICY|FILE")]
    file: PathBuf,
    /// With a policy: pairs of games [default: 3000]
    #[arg(long, value_name = "N", value_parser = count(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    /// With a policy: nodes a move [default: 2000]
    #[arg(long, value_name = "N", value_parser = count(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// With a policy: let it play in this engine, which includes lmrlab.h: words as those of an engine of `lmrlab match`, such as
    /// 'cmd=./engine option.Hash=16'
    #[arg(long, value_name = "WORDS")]
    host: Option<String>,
    #[command(flatten)]
    adjudication: AdjudicationOptions,
    /// Seed of the points, the rounding and the order of the openings [default: the file's, or 0]
    #[arg(long, value_name = "S")]
    seed: Option<u64>,
    /// Do not play the final match of the tuned values against the start
    #[arg(long)]
    no_gate: bool,
}

/// Runs the command.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let options = &frame.options;
    let (source, root) = plan(arguments, &arguments.file, options)?;
    let change = |conditions: &mut Conditions| {
        conditions.threads = options.threads.or(conditions.threads);
        conditions.seed = arguments.seed.unwrap_or(conditions.seed);
    };
    let mut tuning = TuningRun::new(source, &root, options.out.as_deref(), change, options.force)?;
    if arguments.no_gate {
        tuning = tuning.without_final_matches();
    }
    let machines = machines(options, None)?;
    trust::record([&tuning.plan.subject.start], None);
    play(tuning, machines, frame)
}

/// The text of the run, and the folder from which its names and paths start. A policy becomes a run with default
/// values.
fn plan(arguments: &Arguments, file: &Path, options: &Options) -> Result<(Source, PathBuf), Failure> {
    let working = working_folder()?;
    let adjudication = &arguments.adjudication;
    let has_keys =
        arguments.pairs.is_some() || arguments.nodes.is_some() || arguments.host.is_some() || adjudication.is_given();
    match Runnable::TUNING.read(&working, file) {
        Ok((source, root)) => {
            let keys = source.text.parse::<Table>().unwrap_or_default();
            let is_policy = keys.contains_key("reduce") || keys.contains_key("extends");
            if !is_policy && !has_keys {
                return Ok((source, root));
            }
            if !is_policy && file.is_file() {
                return Err(Failure::input(
                    format!(
                        "`{}` is the file of a tuning run, and has its own `pairs`, `[limit]`, `[engine]` and `[adjudication]`",
                        file.display()
                    ),
                    "change them there; `--pairs`, `--nodes`, `--host`, `--resign` and the like are for a policy",
                ));
            }
        }
        Err(report) if !has_keys && !is_policy(file, &working) => return Err(report.into()),
        Err(_) => {}
    }
    let policy = file.display().to_string();
    let name = policy.split('@').next().unwrap_or_default();
    let stem = Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let engine = match &arguments.host {
        Some(words) => hosted(words, &policy, "lmrlab tune")?,
        None => EngineDescription::own(&policy, DEFAULT_PRESET),
    };
    let limit = (arguments.nodes.unwrap_or(TUNING_NODES), 0);
    let new = NewRun {
        name: format!("{stem}-tuned"),
        pairs: arguments.pairs.unwrap_or(DEFAULT_PAIRS),
        conditions: conditions(limit, (None, &working), adjudication, options),
        interactions: false,
    };
    adjudication.doubt().iter().for_each(print_warnings);
    Ok((new.source(&engine, Vec::new())?, working))
}

/// Whether these words name an existing policy.
fn is_policy(words: &Path, working: &Path) -> bool {
    let reference = words.to_str().and_then(|words| words.parse::<PolicyReference>().ok());
    reference.is_some_and(|reference| reference.resolve(working).is_ok())
}

/// Plays a run, new or resumed, and prints its outcome.
pub(crate) fn play(mut tuning: TuningRun, machines: Option<Executor>, frame: &Frame) -> Result<(), Failure> {
    let result = played(&mut tuning, machines.as_ref(), frame);
    let folder = tuning.folder().display().to_string();
    match result {
        Ok(Some(result)) => {
            let mut outcome = result.outcome(&tuning.plan, true);
            outcome.notes.push(format!("Results are in {folder}"));
            frame.show(outcome.into())
        }
        Ok(None) => {
            let mut so_far = tuning.outcome()?.outcome(&tuning.plan, false);
            so_far.notes.push(format!("Resume with: lmrlab resume {folder}"));
            frame.show(Found::interrupted(so_far))
        }
        Err(failure) if tuning.has_begun() => Err(with_resume(failure, tuning.folder(), tuning.folder())),
        Err(failure) => Err(failure),
    }
}

/// Plays a run to its end, and shows its progress. `None` when it is interrupted.
pub(crate) fn played(
    tuning: &mut TuningRun,
    machines: Option<&Executor>,
    frame: &Frame,
) -> Result<Option<RunResult>, Failure> {
    let interrupt = listen(Work::Pairs)?;
    let quiet = frame.options.quiet;
    tuning.warnings.iter().for_each(print_warnings);
    if !quiet {
        tuning.plan.notes().iter().for_each(|note| print_note(note));
    }
    // The tables of an executor are on other machines.
    if machines.is_none() {
        tuning.plan.arena().tables().check()?;
    }
    tuning.try_engine(&interrupt)?.iter().for_each(print_warnings);
    let mut display = PairsDisplay::new(quiet);
    let mut observe = || progress::observer(quiet, false);
    // A run that will be replaced must not be recorded as an input.
    let has_page = frame.options.report || tuning.has_begun() && pages::belongs_to(tuning.folder());
    let fresh = has_page.then(|| Fresh::begin(tuning.folder()));
    let outcome = tuning.play(machines, &interrupt, &mut display, &mut observe, &frame.invocation());
    // When the run was refused, it has no folder.
    if let Some(fresh) = fresh.filter(|_| tuning.folder().is_dir()) {
        fresh.end(false);
    }
    outcome
}
