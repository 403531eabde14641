//! `lmrlab tune`: tunes parameters and choices of an engine.

pub(crate) mod eval;
pub(crate) mod simulate;
pub(crate) mod tuning;

use clap::{Args, Subcommand};

use lmrlab_runner::failure::Failure;

/// The run to play or to analyse.
#[derive(Debug, Args)]
#[command(
    about = "Tune parameters of an engine, and test the gain",
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:
  lmrlab tune my.toml --pairs 2000
  lmrlab tune configs/tuning/logarithm.toml
  lmrlab tune --analyse results/logarithm
  lmrlab tune --simulate quadratic,ridge --dimensions 2,5 --games 5000,20000
  lmrlab tune eval generate --games 30000 --nodes 1500 --seed 1 --out positions.csv

Continue an interrupted or killed run with `lmrlab resume DIR`; it ends with the same values."
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    part: Option<Part>,
    #[command(flatten)]
    tuning: tuning::RunArguments,
    #[command(flatten)]
    simulation: simulate::SimulationArguments,
}

/// Parts of the engine with a tuner of their own.
#[derive(Debug, Subcommand)]
pub(crate) enum Part {
    /// Tune the weights of the evaluation on positions from self-play.
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
        None if arguments.simulation.is_wanted() => simulate::run(&arguments.simulation, arguments.tuning.force),
        None => tuning::run(&arguments.tuning),
    }
}
