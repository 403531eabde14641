//! `lmrlab positions mine`: test positions from the engine's own games and from random endgames.

use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;

use super::making::MakingOptions;
use lmrlab_lab::mine::{Motif, Recipe, mine};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::openings::Openings;
use lmrlab_runner::project;
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;

/// What to look for.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Wanted {
    /// One move is better than all others by the margin, and the game's player overlooked it
    Tactics,
    /// A side would rather pass than move, and a search with unverified null moves misses the best move
    Zugzwang,
}

/// Which games to play, and what to keep.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab positions mine tactics --count 200 --seed 1 --out tactics.epd
  lmrlab positions mine zugzwang --count 20 --nodes 10000 --margin 100 --out zugzwang.epd

Tactics come from games that begin with an opening and up to four random plies. The player and a short search overlook the \
best move.

Zugzwangs come from random endgames in which a side has little room, or from the positions of --openings. One piece after \
another is changed until unverified null moves mislead a search. A position is kept when its best move is quiet, a search \
without null moves finds it, and a search of the same depth with unverified null moves does not (`acd` is the greatest such \
depth). On the principal variation the opponent must somewhere prefer to pass. One or two of a thousand endgames pass.

The judging searches have no late move reductions. A best move counts when a search four times as long chooses it, too. The \
file is the same on every machine and for any number of threads, as long as the search is the same. An interrupt keeps the \
positions found so far.")]
pub(crate) struct Mine {
    /// What to look for
    kind: Wanted,
    /// Most positions
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    count: u32,
    /// Most games, or endgames
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    games: u64,
    /// Nodes of each move of the games
    #[arg(long, default_value_t = 1_000, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    game_nodes: u64,
    /// Nodes of the searches that judge a position
    #[arg(long, default_value_t = 100_000, value_name = "N", value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    nodes: u64,
    /// Least difference between the best move and the second, in centipawns
    #[arg(long, default_value_t = 150, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(u32).range(1..=10_000))]
    margin: u32,
    /// Seed of the openings and of the random plies after them
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The openings, one FEN or EPD a line; for zugzwangs, endgames to begin with [default: positions/book.epd; random
    /// endgames]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// The search: a name in configs/engines or a file, with overrides after `@`
    #[arg(long, default_value = "standard")]
    preset: String,
    #[command(flatten)]
    making: MakingOptions,
}

/// Runs the command.
///
/// # Errors
/// On wrong input, on a file that is there already or cannot be written, and when it was interrupted.
pub(super) fn run(arguments: &Mine) -> Result<(), Failure> {
    arguments.making.refuse_existing()?;
    let here = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("."));
    let root = project::root(&here, None);
    let input = |diagnostics| Failure::Input(vec![diagnostics]);
    let (preset, _) = Preset::resolve(&arguments.preset, &root).map_err(input)?;
    let openings = match (&arguments.openings, arguments.kind) {
        (Some(file), _) => Some(project::typed_file(&here, file)),
        (None, Wanted::Tactics) => Some(project::file(&root, DEFAULT_OPENINGS)),
        (None, Wanted::Zugzwang) => None,
    };
    let openings = openings.map(|file| Openings::load(&file, None).map_err(input));
    let openings: Vec<Position> = openings.transpose()?.map_or_else(Vec::new, |(openings, _)| {
        (0..openings.count())
            .filter_map(|index| Position::from_fen(openings.fen(index)?).ok())
            .collect()
    });
    let recipe = Recipe {
        motif: match arguments.kind {
            Wanted::Tactics => Motif::Tactics,
            Wanted::Zugzwang => Motif::Zugzwang,
        },
        count: arguments.count as usize,
        games: arguments.games,
        seed: arguments.seed,
        game_nodes: arguments.game_nodes,
        nodes: arguments.nodes,
        margin: arguments.margin as i32,
    };
    let making = arguments
        .making
        .begin(recipe.count, "{bar:40} {pos}/{len} positions, {msg}")?;
    let mut played = 0;
    let found = mine(
        &recipe,
        &openings,
        &Arc::new(preset),
        &making.workers,
        &making.stop,
        |games, positions| {
            played = games;
            making.bar.set_position(positions as u64);
            making.bar.set_message(format!("{games} games"));
        },
    );
    let kind = match recipe.motif {
        Motif::Tactics => "tactics",
        Motif::Zugzwang => "zugzwang",
    };
    let positions = found.iter().enumerate();
    let lines = positions.map(|(index, position)| position.epd(&format!("{kind}.{:03}", index + 1)));
    making.finish(lines.collect(), &format!(" of {played} games"))
}
