//! `lmrlab positions judge`: positions in which the moves that policies choose are judged.

use std::path::PathBuf;

use clap::Args;
use lmrlab_engine::position::Position;
use lmrlab_policy::Policy;
use lmrlab_policy::reference::PolicyReference;

use super::super::lab_options::named_policies;
use super::super::measure_options::openings;
use super::making::MakingOptions;
use lmrlab_lab::screen::{JudgedPosition, JudgingRecipe, make, settings};
use lmrlab_lab::variant::Variant;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::limit::MAX_NODES;
use lmrlab_runner::project;

/// Which positions to make, and who chooses moves in them.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab positions judge house logarithm weiss none --count 200 --judge-nodes 20000 --out judged.epd
  lmrlab positions judge --settings settings.csv --out judged.epd

The engine plays against itself without reductions, and one position of each game is taken, unless a side is far ahead. Every \
move that one of the policies chooses within --nodes is judged: a search without reductions, in the preset `standard`, searches \
that move alone for --judge-nodes. `acn` of a line has the nodes of these searches, `judged` the moves with their scores in \
centipawns. `lmrlab screen --positions FILE` uses the file; a move that it does not have costs a search there.

The file is the same on every machine and for any number of threads, as long as the search is the same. An interrupt keeps the \
positions judged so far.")]
pub(crate) struct Judge {
    /// Policies that choose moves: names in configs/policies or files, with overrides after `@`
    #[arg(required_unless_present = "settings", value_name = "POLICY")]
    policies: Vec<PolicyReference>,
    /// More of them: a CSV file with the columns family and policy
    #[arg(long, value_name = "FILE")]
    settings: Option<PathBuf>,
    /// Number of positions
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    count: u32,
    /// Nodes within which a policy chooses
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    nodes: u64,
    /// Nodes of a search that judges a move [default: 100 times --nodes]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=MAX_NODES))]
    judge_nodes: Option<u64>,
    /// Nodes of each move of the games
    #[arg(long, default_value_t = 500, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    game_nodes: u64,
    /// Seed of the openings, of the random plies after them and of the positions
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The openings, one FEN or EPD a line [default: positions/book.epd]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    #[command(flatten)]
    making: MakingOptions,
}

/// Runs the command.
///
/// # Errors
/// On wrong input, on a file that is there already or cannot be written, and when it was interrupted.
pub(super) fn run(arguments: &Judge) -> Result<(), Failure> {
    arguments.making.refuse_existing()?;
    let choosers = choosers(arguments)?;
    let openings = openings(arguments.openings.as_ref())?;
    let openings: Vec<Position> = (0..openings.count())
        .filter_map(|index| Position::from_fen(openings.fen(index)?).ok())
        .collect();
    let recipe = JudgingRecipe {
        count: arguments.count as usize,
        seed: arguments.seed,
        game_nodes: arguments.game_nodes,
        nodes: arguments.nodes,
        judge_nodes: arguments.judge_nodes.unwrap_or(arguments.nodes.saturating_mul(100)),
    };
    let making = arguments.making.begin(recipe.count, "{bar:40} {pos}/{len} positions")?;
    let made = make(&recipe, &openings, &choosers, &making.workers, &making.stop, |judged| {
        making.bar.set_position(judged as u64);
    });
    making.finish(made.iter().map(JudgedPosition::epd).collect(), "")
}

fn choosers(arguments: &Judge) -> Result<Vec<Variant>, Failure> {
    let mut wrong = Vec::new();
    let mut references = arguments.policies.clone();
    if let Some(file) = &arguments.settings {
        let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
        let path = project::typed_file(&here, file);
        let found = settings(&path, &path.display().to_string()).map_err(|report| Failure::Input(vec![report]))?;
        references.extend(found.into_iter().map(|setting| setting.policy));
    }
    let policies = named_policies(&references, &mut wrong);
    if !wrong.is_empty() {
        return Err(Failure::Input(wrong));
    }
    let choosers = policies.into_iter().map(|(name, policy)| Variant {
        policy,
        ..Variant::new(name, Policy::none())
    });
    Ok(choosers.collect())
}
