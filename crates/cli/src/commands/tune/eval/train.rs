//! `lmrlab tune eval train`: trains the neural network on positions of self-play.

use std::path::PathBuf;

use clap::Args;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;
use lmrlab_tune::evaluation::samples;
use lmrlab_tune::evaluation::train::{self, Stage, TrainingSet};

use super::super::super::out_option::OutOption;
use super::{command_line, network_file, on_threads, positive, share, too_few_positions};
use crate::print::{print_err, print_out};

/// The positions and the settings of the training.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lmrlab tune eval train positions.csv --out crates/engine/src/network/standard.network --force"
)]
pub(crate) struct Train {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Weight of the game's result in the target; the rest is the weight of the search's score.
    #[arg(long, default_value_t = 0.1, value_name = "SHARE", value_parser = share)]
    result_share: f64,
    /// Network to begin with, of as many hidden values or fewer [default: random weights].
    #[arg(long, value_name = "NETWORK")]
    start: Option<PathBuf>,
    /// Number of positions from which the network first learns the sum of the terms [default: 100000000, or 0 with --start].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(0..=1_000_000_000_000))]
    imitate: Option<u64>,
    /// Number of passes over the positions.
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    epochs: u32,
    /// Positions of a mini-batch.
    #[arg(long, default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..=10_000_000))]
    batch: u32,
    /// First step of the optimiser.
    #[arg(long, default_value_t = 0.001, value_parser = positive)]
    step: f64,
    /// Seed of the first weights and of the order of positions.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; 0 for one per core. The network does not depend on it.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
    #[command(flatten)]
    out: OutOption,
}

/// Runs the command.
///
/// # Errors
/// On wrong input, and on a file that is there already or cannot be written.
pub(super) fn run(arguments: &Train) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let (start, start_head) = arguments.start.as_deref().map(network_file::read).transpose()?.unzip();
    let mut set = TrainingSet::default();
    for file in &arguments.positions {
        samples::for_each(file, |sample, position| set.push(&sample, &position))?;
        set.end_file();
    }
    let options = train::Options {
        result_share: arguments.result_share,
        imitated: arguments
            .imitate
            .unwrap_or(if start.is_some() { 0 } else { 100_000_000 }),
        start,
        epochs: arguments.epochs,
        batch: arguments.batch as usize,
        step: arguments.step,
        seed: arguments.seed,
    };
    let trained = on_threads(arguments.threads, || {
        train::train(&set, &options, |stage, loss| {
            let stage = match stage {
                Stage::Imitated(positions) => format!("{positions} positions imitated"),
                Stage::Pass(epoch) => format!("pass {epoch}"),
            };
            print_err(&format!("{stage}: validation loss {loss:.6}"));
        })
    })?;
    let trained = trained.ok_or_else(too_few_positions)?;
    let line = |name: &str, losses: train::Losses| {
        format!(
            "{name:<11} {:>9} positions, mean squared error {:.6} of the network, {:.6} of the terms\n",
            losses.positions, losses.network, losses.terms
        )
    };
    let said = line("training", trained.training) + &line("validation", trained.validation);
    let before = start_head.map_or_else(String::new, |head| format!("\nIt began as this network:\n\n{head}"));
    let head = format!(
        "The network of lmrlab's engine, written by\n\n{}\n\nfrom {} games that the engine played against itself.\n\n{said}{before}",
        command_line(),
        set.games(),
    );
    output_file::write(&arguments.out.path, trained.network.write(&head))?;
    print_out(&said);
    print_out(&format!(
        "logistic curve {:.6} per centipawn; network in {}\n",
        trained.curve,
        arguments.out.path.display()
    ));
    Ok(())
}
