//! `lmrlab tune`: moves numbers of the engine to where it plays best.

pub(crate) mod eval;
pub(crate) mod simulate;
pub(crate) mod tuning;

use clap::{Args, Subcommand};

use lmrlab_runner::failure::Failure;

/// What to tune, or what to do with a run.
#[derive(Debug, Args)]
#[command(
    about = "Move parameters to where the engine plays best, and prove the gain",
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  lmrlab tune configs/tuning/logarithm.toml
  lmrlab tune --analyse results/logarithm
  lmrlab tune --simulate quadratic,ridge --dimensions 2,5 --games 5000,20000
  lmrlab tune eval generate --games 30000 --nodes 1500 --seed 1 --out positions.csv

A run that was interrupted or killed goes on with `lmrlab resume DIR`, and ends at the same values."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    tuning: tuning::RunArguments,
    #[command(flatten)]
    simulation: simulate::SimulationArguments,
}

/// Parts of the engine that are tuned in ways of their own.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// The weights of the evaluation, from positions of its own games.
    #[command(subcommand)]
    Eval(eval::Step),
}

/// Runs the command.
///
/// # Errors
/// On wrong input, and when the run fails.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.part {
        Some(Part::Eval(step)) => eval::run(step),
        None if arguments.simulation.is_wanted() => {
            simulate::run(&arguments.simulation, arguments.tuning.force)
        }
        None => tuning::run(&arguments.tuning),
    }
}
