//! `lmrlab tune FILE`: plays, resumes and analyses tuning runs.

use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use lmrlab_diagnostics::Source;
use toml::{Table, Value};

use crate::commands::tournament_session::{guard_engines, invocation, listen, threads, working_folder};
use crate::commands::{print_err, print_out, print_warnings};
use crate::progress::live::{self, Status};
use crate::progress::{self, duration};
use lmrlab_policy::reference::PolicyReference;
use lmrlab_runner::conduct::event::{Observer, Silent};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::player::uci::guard::Guard;
use lmrlab_runner::project::{self, Runnable};
use lmrlab_runner::tournament::defaults::{DEFAULT_OPENINGS, MAX_PAIRS};
use lmrlab_runner::tournament::entrant::EntrantEngine;
use lmrlab_tune::plan::Budget;
use lmrlab_tune::report::short;
use lmrlab_tune::session::{Overrides, Session};
use lmrlab_tune::subject::Subject;
use lmrlab_tune::tuning_run::Progress;

/// Pairs of a run of a policy.
const DEFAULT_PAIRS: u64 = 3_000;
/// Nodes a move in it.
const DEFAULT_NODES: u64 = 2_000;
/// Time between two lines of progress in a file or a pipe.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
/// Time between two updates of the line on a terminal.
const BETWEEN_FIGURES: Duration = Duration::from_secs(1);

/// The run.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// A tuning run, or a policy whose parameters are tuned: a file, or a name in configs/tuning or configs/policies;
    /// configs/tuning/logarithm.toml explains the keys of a run
    #[arg(required_unless_present_any = ["analyse", "simulate"], conflicts_with = "analyse", value_name = "POLICY|FILE")]
    file: Option<PathBuf>,
    /// With a policy: pairs of games [default: 3000]
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u64).range(1..=MAX_PAIRS))]
    pairs: Option<u64>,
    /// With a policy: nodes a move [default: 2000]
    #[arg(long, value_name = "N", requires = "file", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: Option<u64>,
    /// Fit the surface to all pairs of an earlier run, whatever its method, and play nothing
    #[arg(long, value_name = "DIR")]
    analyse: Option<PathBuf>,
    /// Where the results go [default: results/NAME]
    #[arg(long, value_name = "DIR", requires = "file")]
    out: Option<PathBuf>,
    /// Games to play in parallel [default: the file's, or all cores]
    #[arg(long, value_name = "N", value_parser = threads, requires = "file")]
    threads: Option<NonZeroUsize>,
    /// Seed of the points, the rounding and the order of the openings [default: the file's, or 0]
    #[arg(long, value_name = "S", requires = "file", value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: Option<u64>,
    /// Do not play the final match of the tuned values against the start
    #[arg(long, requires = "file")]
    no_gate: bool,
    /// Replace the results of an earlier run, or the CSV file of a simulation
    #[arg(long)]
    pub(super) force: bool,
    /// Show no progress, only the result
    #[arg(long)]
    quiet: bool,
}

/// Runs the command.
///
/// # Errors
/// On wrong input, and when the run fails.
pub(crate) fn run(arguments: &RunArguments) -> Result<(), Failure> {
    if let Some(folder) = &arguments.analyse {
        let session = Session::opened(folder)?;
        session.warnings.iter().for_each(print_warnings);
        let outcome = session.analyse()?;
        print_out(&outcome.text(&session.plan.subject));
        return Ok(());
    }
    let Some(file) = &arguments.file else {
        return Err(Failure::input("the file is missing", "name the file of a tuning run"));
    };
    let (source, root) = plan(arguments, file)?;
    let overrides = Overrides {
        threads: arguments.threads,
        seed: arguments.seed,
        no_gate: arguments.no_gate,
        faults_allowed: None,
    };
    let session = Session::new(source, &root, arguments.out.as_deref(), overrides, arguments.force)?;
    play(session, arguments.quiet)
}

/// The text of the run, and where its names and paths start from. A policy becomes a run with default values.
fn plan(arguments: &RunArguments, file: &Path) -> Result<(Source, PathBuf), Failure> {
    let working = working_folder()?;
    let has_own_limit = arguments.pairs.is_some() || arguments.nodes.is_some();
    match Runnable::TUNING.read(&working, file) {
        Ok((source, root)) => {
            let keys = source.text.parse::<Table>().unwrap_or_default();
            let is_policy = keys.contains_key("reduce") || keys.contains_key("extends");
            if !is_policy && !has_own_limit {
                return Ok((source, root));
            }
            if !is_policy && file.is_file() {
                return Err(Failure::input(
                    format!(
                        "`{}` is the file of a tuning run, and has its own `pairs` and `[limit]`",
                        file.display()
                    ),
                    "change them there; --pairs and --nodes go with a policy",
                ));
            }
        }
        Err(report) if !has_own_limit && !is_policy(file, &working) => return Err(Failure::Input(vec![report])),
        Err(_) => {}
    }
    let policy = file.display().to_string();
    let name = policy.split('@').next().unwrap_or_default();
    let stem = Path::new(name)
        .file_stem()
        .map_or(name.into(), |stem| stem.to_string_lossy());
    let openings = project::file(&project::root(&working, None), DEFAULT_OPENINGS);
    let table = |key: &str, value: Value| Value::from(Table::from_iter([(key.to_owned(), value)]));
    let number =
        |value: Option<u64>, usual: u64| Value::from(i64::try_from(value.unwrap_or(usual)).unwrap_or(i64::MAX));
    let run = Table::from_iter([
        ("name".to_owned(), Value::from(format!("{stem}-tuned"))),
        ("pairs".to_owned(), number(arguments.pairs, DEFAULT_PAIRS)),
        (
            "openings".to_owned(),
            table("file", openings.display().to_string().into()),
        ),
        (
            "limit".to_owned(),
            table("nodes", number(arguments.nodes, DEFAULT_NODES)),
        ),
        ("engine".to_owned(), table("policy", policy.into())),
    ]);
    let text = toml::to_string(&run).map_err(|error| Failure::input(error.to_string(), ""))?;
    Ok((Source::new("the command line", text), working))
}

/// Whether these words name a policy that is there.
fn is_policy(words: &Path, working: &Path) -> bool {
    let reference = words.to_str().and_then(|words| words.parse::<PolicyReference>().ok());
    reference.is_some_and(|reference| reference.resolve(working).is_ok())
}

/// Continues an interrupted or killed run.
///
/// # Errors
/// When it cannot go on.
pub(crate) fn resume(folder: &Path, overrides: Overrides, quiet: bool) -> Result<(), Failure> {
    play(Session::resumed(folder, overrides, &invocation())?, quiet)
}

fn play(mut session: Session, quiet: bool) -> Result<(), Failure> {
    for warnings in &session.warnings {
        print_warnings(warnings);
    }
    let subject = session.plan.subject.clone();
    let budget = session.plan.budget;
    let external = matches!(session.plan.subject.start.engine, EntrantEngine::External { .. });
    let guard = guard_engines(external);
    let interrupt = listen()?;
    let terminal = std::io::stderr().is_terminal();
    let every = if terminal { BETWEEN_FIGURES } else { BETWEEN_LINES };
    let begun = Instant::now();
    let mut last: Option<Instant> = None;
    let mut told = |mut progress: Progress<'_>| {
        if quiet || last.is_some_and(|last| last.elapsed() < every) {
            return;
        }
        let status = status(&mut progress, budget, begun.elapsed(), &subject);
        if terminal {
            live::show(status, Vec::new());
        } else {
            print_err(&status.parts.join(", "));
        }
        last = Some(Instant::now());
    };
    let mut remark = |what: String| print_err(&format!("warning: {what}"));
    let mut observe = || -> Box<dyn Observer> {
        if quiet {
            Box::new(Silent)
        } else {
            progress::observer(false, false, None)
        }
    };
    let outcome = session.play(&interrupt, &mut told, &mut remark, &mut observe, &invocation());
    guard.into_iter().for_each(Guard::end);
    let folder = session.folder().display().to_string();
    match outcome {
        Ok(Some(outcome)) => {
            print_out(&outcome.text(&subject));
            print_out(&format!("Results are in {folder}\n"));
            Ok(())
        }
        Ok(None) => {
            let so_far = session.outcome()?;
            print_out(&format!("Interrupted; so far:\n{}", so_far.standing(&subject)));
            print_out(&format!("Go on with: lmrlab resume {folder}\n"));
            Ok(())
        }
        Err(Failure::Run(message)) => Err(Failure::Run(format!(
            "{message}; what was played is kept, `lmrlab resume {folder}` goes on with it"
        ))),
        Err(failure) => Err(failure),
    }
}

/// Where a run stands: pairs, time left, and the best point by now with its intervals.
fn status(progress: &mut Progress<'_>, budget: Budget, here: Duration, subject: &Subject) -> Status {
    let rate = progress.here as f64 / here.as_secs_f64().max(1e-3);
    let (done, left, mut parts) = match budget {
        Budget::Pairs(pairs) => (
            progress.pairs as f64 / pairs.max(1) as f64,
            (rate > 0.0).then(|| pairs.saturating_sub(progress.pairs) as f64 / rate),
            vec![format!("{}/{} games", 2 * progress.pairs, 2 * pairs)],
        ),
        Budget::Time(time) => (
            progress.elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3),
            Some(time.saturating_sub(progress.elapsed).as_secs_f64()),
            vec![format!("{} games", 2 * progress.pairs)],
        ),
    };
    parts.extend(left.map(|left| format!("{} left", duration(left))));
    let values = progress.method.recommendation();
    if let Some((gain, deviation)) = progress.method.gain(&values) {
        parts.push(format!(
            "{gain:+.1} ± {:.1} Elo",
            lmrlab_stats::DEVIATIONS_95 * deviation
        ));
    }
    let findings = progress.method.findings(&values);
    for (index, (parameter, value)) in subject.parameters.iter().zip(&values).enumerate() {
        let shown = |value: f64| short(parameter, value);
        let mut part = format!("{} {}", parameter.name, shown(*value));
        if let Some((low, high)) = findings.get(index).map(|finding| finding.interval) {
            part.push_str(&format!(" [{}, {}]", shown(low), shown(high)));
        }
        parts.push(part);
    }
    let decisions = progress.method.decisions();
    for (choice, decision) in subject.choices.iter().zip(&decisions) {
        parts.push(format!("{} {}", choice.name, choice.value(decision.taken)));
    }
    parts.push(format!("{:.1} games/s", 2.0 * rate));
    Status {
        done: Some(done),
        parts,
    }
}
