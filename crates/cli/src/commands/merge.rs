//! `lmrlab merge`: joins the parts of a run.

use std::path::PathBuf;

use clap::Args;

use super::tournament_session::listen;
use crate::print::print_out;
use lmrlab_cluster::merge::survey::Survey;
use lmrlab_cluster::merge::{Place, merge};
use lmrlab_results::failure::Failure;
use lmrlab_results::outcome::text::text;
use lmrlab_runner::outcome;
use lmrlab_runner::outcome::sentences::ending;
use lmrlab_runner::record::progress::Ended;
use lmrlab_runner::run::Run;

/// Put the parts of a run together.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab merge parts/* --out results/x
  lmrlab merge parts/* --out results/so-far --partial

The parts are those of `lmrlab run FILE --part K/N`. All files are those of a run on one machine, to the byte; \
manifest.toml and timings.csv alone say where the games were played. A test ends where it would have ended on one \
machine. Parts of different runs, and parts that another build of lmrlab played, are refused.")]
pub(crate) struct Arguments {
    /// The folders of the parts
    #[arg(required = true, value_name = "PART")]
    parts: Vec<PathBuf>,
    /// Where the results go
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Merge although parts are missing or not finished, and say so wherever the run is shown
    #[arg(long)]
    partial: bool,
    /// Replace the results of an earlier run
    #[arg(long)]
    force: bool,
}

/// Joins the parts, and prints the outcome of the run.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let out = Place::check(&arguments.out, &arguments.parts, arguments.force)?;
    let interrupt = listen()?;
    let survey = Survey::of(&arguments.parts, arguments.partial)?;
    let run = merge(&survey, &out, &interrupt)?;
    let progress = &run.progress;
    let (found, _) = outcome::of(&Run::open(&arguments.out)?, &mut |_| ())?;
    let ended = progress.ended().unwrap_or(Ended::Complete);
    let mut text = format!("{}{}", text(&found), ending(ended, progress, &arguments.out));
    if run.unused > 0 {
        text.push_str(&format!(
            "{} pairs after the decision were played and are not used.\n",
            run.unused
        ));
    }
    text.push_str(&format!("Results are in {}\n", arguments.out.display()));
    print_out(&text);
    match run.stopped {
        None => Ok(()),
        Some(why) => Err(Failure::run(format!(
            "{why}; one machine would have stopped there, and the merged run ends there"
        ))),
    }
}
