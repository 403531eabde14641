//! `lmrlab tune --simulate`: compares tuning methods on surfaces with a known optimum.

use std::path::PathBuf;

use clap::Args;

use super::eval::on_threads;
use crate::output_files::refuse_existing;
use crate::print::{print_err, print_out};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;
use lmrlab_tune::simulation::landscape::Shape;
use lmrlab_tune::simulation::study::{Contender, Study};

/// The options of a simulation.
#[derive(Debug, Args)]
pub(crate) struct SimulationArguments {
    /// Compare the methods on simulated surfaces instead: quadratic, skewed, ridge, flat, irrelevant, tuned, or all
    #[arg(long, value_name = "SURFACE", value_delimiter = ',', value_parser = shape, conflicts_with_all = ["file", "analyse"])]
    simulate: Vec<Chosen>,
    /// Simulation: numbers of parameters
    #[arg(long, value_name = "N", value_delimiter = ',', default_values_t = [1, 2, 5, 10], requires = "simulate", value_parser = clap::value_parser!(u16).range(1..=32))]
    dimensions: Vec<u16>,
    /// Simulation: games per run
    #[arg(long, value_name = "GAMES", value_delimiter = ',', default_values_t = [1000, 5000, 20_000, 100_000], requires = "simulate", value_parser = clap::value_parser!(u64).range(2..=10_000_000))]
    games: Vec<u64>,
    /// Simulation: runs of each method on each surface
    #[arg(long, value_name = "N", default_value_t = 100, requires = "simulate", value_parser = clap::value_parser!(u64).range(2..=100_000))]
    replications: u64,
    /// Simulation: the CSV file to write; an existing one is only overwritten with --force
    #[arg(long, value_name = "FILE", requires = "simulate")]
    csv: Option<PathBuf>,
    /// Simulation: seed of the surfaces and of the games
    #[arg(long, value_name = "S", default_value_t = 1, requires = "simulate")]
    simulation_seed: u64,
}

/// One shape, or all.
#[derive(Debug, Clone, Copy)]
struct Chosen(Option<Shape>);

fn shape(text: &str) -> Result<Chosen, String> {
    if text == "all" {
        return Ok(Chosen(None));
    }
    let named = Shape::NAMES.iter().find(|(name, _)| *name == text);
    named.map(|(_, shape)| Chosen(Some(*shape))).ok_or_else(|| {
        let names: Vec<&str> = Shape::NAMES.iter().map(|(name, _)| *name).collect();
        format!("expected one of {}, all", names.join(", "))
    })
}

impl SimulationArguments {
    /// Whether a simulation is asked for.
    pub(super) fn is_wanted(&self) -> bool {
        !self.simulate.is_empty()
    }
}

const COLUMNS: &str = "surface,parameters,games,method,replications,start_elo_lost,mean_elo_lost,mean_error,\
                       percentile_90_elo_lost,worst_elo_lost\n";

/// Runs the simulation.
///
/// # Errors
/// When the CSV file is there already or cannot be written.
pub(crate) fn run(arguments: &SimulationArguments, force: bool) -> Result<(), Failure> {
    refuse_existing(&arguments.csv, force)?;
    let mut csv = COLUMNS.to_owned();
    let all = arguments.simulate.iter().any(|chosen| chosen.0.is_none());
    let wanted = |shape: Shape| {
        let mut chosen = arguments.simulate.iter().filter_map(|chosen| chosen.0);
        all || chosen.any(|chosen| chosen == shape)
    };
    print_out(&format!(
        "{:<10} {:>3} {:>7}  {:<15} {:>8} {:>8} {:>7} {:>8} {:>8}\n",
        "surface", "N", "games", "method", "start", "left", "error", "90%", "worst"
    ));
    for (name, shape) in Shape::NAMES.into_iter().filter(|(_, shape)| wanted(*shape)) {
        for &dimensions in &arguments.dimensions {
            for &games in &arguments.games {
                for contender in Contender::all() {
                    let study = Study {
                        shape,
                        dimensions: usize::from(dimensions),
                        games,
                        contender,
                        replications: arguments.replications,
                        seed: arguments.simulation_seed,
                    };
                    let found = on_threads(0, || study.run())?;
                    let method = contender.name();
                    print_out(&format!(
                        "{name:<10} {dimensions:>3} {games:>7}  {method:<15} {:>8.3} {:>8.3} {:>7.3} {:>8.3} {:>8.3}\n",
                        found.start, found.mean, found.mean_error, found.percentile_90, found.worst
                    ));
                    csv.push_str(&format!(
                        "{name},{dimensions},{games},{method},{},{:.4},{:.4},{:.4},{:.4},{:.4}\n",
                        arguments.replications,
                        found.start,
                        found.mean,
                        found.mean_error,
                        found.percentile_90,
                        found.worst
                    ));
                }
            }
        }
    }
    if let Some(file) = &arguments.csv {
        output_file::write(file, csv)?;
        print_err(&format!("Results are in {}", file.display()));
    }
    Ok(())
}
