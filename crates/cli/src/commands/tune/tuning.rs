//! `lmrlab tune FILE`: plays, resumes and analyses tuning runs.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;

use crate::commands::tournament_session::{guard_engines, invocation, listen, threads, working_folder};
use crate::commands::{print_err, print_out, print_warnings};
use crate::progress;
use lmrlab_runner::conduct::event::{Observer, Silent};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::project::Runnable;
use lmrlab_runner::tournament::entrant::EntrantEngine;
use lmrlab_tune::plan::Budget;
use lmrlab_tune::session::{Overrides, Session};
use lmrlab_tune::tuning_run::Progress;

/// Time between two lines of progress.
const EVERY: Duration = Duration::from_secs(5);

/// The run.
#[derive(Debug, Args)]
pub(crate) struct RunArguments {
    /// The run: a file, or a name in configs/tuning; logarithm.toml there explains its keys
    #[arg(required_unless_present_any = ["analyse", "simulate"], conflicts_with = "analyse")]
    file: Option<PathBuf>,
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
    let (source, root) =
        (Runnable::TUNING.read(&working_folder()?, file)).map_err(|report| Failure::Input(vec![report]))?;
    let overrides = Overrides {
        threads: arguments.threads,
        seed: arguments.seed,
        no_gate: arguments.no_gate,
        faults_allowed: None,
    };
    let session = Session::new(source, &root, arguments.out.as_deref(), overrides, arguments.force)?;
    play(session, arguments.quiet)
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
    let begun = Instant::now();
    let mut last: Option<Instant> = None;
    let mut told = |progress: Progress<'_>| {
        if quiet || last.is_some_and(|last| last.elapsed() < EVERY) {
            return;
        }
        last = Some(Instant::now());
        let values = progress.method.recommendation();
        let mut line = match budget {
            Budget::Pairs(pairs) => format!("pair {}/{pairs}", progress.pairs),
            Budget::Time(time) => format!(
                "pair {}, {}/{} s",
                progress.pairs,
                progress.elapsed.as_secs(),
                time.as_secs()
            ),
        };
        let games = 2.0 * progress.here as f64 / begun.elapsed().as_secs_f64().max(1e-3);
        line.push_str(&format!(" ({games:.1} games/s)"));
        for (parameter, value) in subject.parameters.iter().zip(&values) {
            line.push_str(&format!(", {} {:.4}", parameter.name, value));
        }
        let decisions = progress.method.decisions();
        for (choice, decision) in subject.choices.iter().zip(&decisions) {
            line.push_str(&format!(", {} {}", choice.name, choice.value(decision.taken)));
        }
        if let Some((gain, deviation)) = progress.method.gain(&values) {
            line.push_str(&format!(
                "; {gain:+.1} ± {:.1} Elo (95%)",
                lmrlab_stats::DEVIATIONS_95 * deviation
            ));
        }
        print_err(&line);
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
    drop(guard);
    let folder = session.folder().display().to_string();
    match outcome {
        Ok(Some(outcome)) => {
            print_out(&outcome.text(&subject));
            print_out(&format!("Results are in {folder}\n"));
            Ok(())
        }
        Ok(None) => {
            print_out(&format!("Go on with: lmrlab resume {folder}\n"));
            Ok(())
        }
        Err(Failure::Run(message)) => Err(Failure::Run(format!(
            "{message}; what was played is kept, `lmrlab resume {folder}` goes on with it"
        ))),
        Err(failure) => Err(failure),
    }
}
