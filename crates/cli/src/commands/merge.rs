//! `lmrlab merge`: joins the parts of a run.

use std::path::PathBuf;

use clap::Args;

use crate::frame::{Frame, Work, listen};
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::manifest::RunKind;
use lmrlab_results::outcome::text::text;
use lmrlab_runner::outcome;
use lmrlab_runner::parts::merge::merge_tournament;
use lmrlab_runner::parts::merge::survey::Survey;
use lmrlab_runner::run::Run;
use lmrlab_tune::run::merged::merge_trial;

/// Put the parts of a run together.
///
/// Examples:
///   lmrlab merge parts/* --out results/x
///   lmrlab merge parts/* --out results/so-far --partial
///
/// The parts are those of `lmrlab run FILE --part K/N`, and of `match` and `trial`. All files are those of a run on one machine, to the byte;
/// manifest.toml and timings.csv alone say where the games were played. A test ends where it would have ended on one
/// machine. Parts of different runs, and parts that another build of lmrlab played, are refused.
#[derive(Debug, Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Arguments {
    /// The folders of the parts
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Merge although parts are missing or not finished, and say so wherever the run is shown
    #[arg(long)]
    partial: bool,
}

/// Joins the parts, and prints the outcome of the run.
pub(crate) fn run(arguments: &Arguments, frame: &Frame) -> Result<(), Failure> {
    let folder = frame.required_out()?;
    ResultsFolder::check(folder, frame.options.force)?;
    let interrupt = listen(Work::Pairs)?;
    let survey = Survey::of(&arguments.parts, arguments.partial)?;
    let target = (folder, frame.options.force);
    if survey.first.manifest.kind == RunKind::Tuning {
        if arguments.partial {
            return Err(Failure::input(
                "`--partial` is for tournaments, and these are parts of a trial",
                "play the parts that are missing, then merge all without `--partial`",
            ));
        }
        let (mut outcome, stopped) = merge_trial(&survey, target, &interrupt)?;
        outcome.notes.push(format!("Results are in {}", folder.display()));
        frame.show(outcome.into())?;
        return stopped.map_or(Ok(()), |why| Err(stopped_there(&why)));
    }
    let run = merge_tournament(&survey, target, &interrupt)?;
    let (found, _) = outcome::of(&Run::open(folder)?)?;
    let mut text = text(&found);
    if run.unused > 0 {
        text.push_str(&format!(
            "{} pairs after the decision were played and are not used.\n",
            run.unused
        ));
    }
    text.push_str(&format!("Results are in {}\n", folder.display()));
    frame.print(&text);
    run.stopped.map_or(Ok(()), |why| Err(stopped_there(&why)))
}

fn stopped_there(why: &str) -> Failure {
    Failure::run(format!(
        "{why}; one machine would have stopped there, and the merged run ends there"
    ))
}
