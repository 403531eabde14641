//! `lmrlab tune eval judge`: judges networks by positions that none of them learned from.

use std::path::PathBuf;

use clap::Args;
use lmrlab_engine::network::Network;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::text_table::TextTable;
use lmrlab_tune::evaluation::judge::{Judgement, judge};

use super::{load, network_file, on_threads};
use crate::print::print_out;

/// The networks, and the positions to judge them by.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  lmrlab tune eval judge new.network --positions other-games.csv\n\nA network that learned from these positions looks better than it is."
)]
pub(crate) struct Judge {
    /// Files of networks, to compare with that of the engine.
    #[arg(required = true, value_name = "NETWORK")]
    networks: Vec<PathBuf>,
    /// Files of positions that no network learned from.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    positions: Vec<PathBuf>,
    /// Threads; 0 for one per core. The numbers do not depend on it.
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1024))]
    threads: u32,
}

/// Runs the command.
///
/// # Errors
/// On wrong input.
pub(super) fn run(arguments: &Judge) -> Result<(), Failure> {
    let mut names = vec!["the engine's".to_owned()];
    let mut networks = vec![Network::standard().clone()];
    for path in &arguments.networks {
        names.push(path.display().to_string());
        networks.push(network_file::read(path)?.0);
    }
    let samples = load(&arguments.positions)?;
    let judged = on_threads(arguments.threads, || judge(&networks, &samples))?;
    let Some(judged) = judged else {
        return Err(Failure::input(
            "no positions to judge the networks by",
            "generate some with `lmrlab tune eval generate`",
        ));
    };
    print_out(&format!(
        "{} positions of {} games, logistic curve {:.6} per centipawn\n\n{}",
        samples.len(),
        judged.games,
        judged.curve,
        table(&names, &judged)
    ));
    Ok(())
}

fn table(names: &[String], judged: &Judgement) -> TextTable {
    let mut table = TextTable::new(1, ["network", "mean squared error", "against the engine's", "±95%"]);
    for (index, (name, error)) in names.iter().zip(&judged.networks).enumerate() {
        let [difference, error_95] = if index == 0 {
            [String::new(), String::new()]
        } else {
            [
                format!("{:+.6}", error.difference),
                format!("{:.6}", error.difference_error_95),
            ]
        };
        table.push([name.clone(), format!("{:.6}", error.squared), difference, error_95]);
    }
    table
}
