//! Finds test positions. Tactics come from the engine's own games: one move is clearly best. Zugzwangs come from random endgames,
//! or from given ones: null moves hide the best move.

mod endgames;
mod searches;
mod tactics;
mod zugzwang;

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::{Args, ValueEnum};
use cozy_chess::Move;
use cozy_chess::util::display_san_move;
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use lmrlab_policy::Policy;
use lmrlab_runner::epd::epd;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::output_file;
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use self::searches::Judge;
use self::zugzwang::Seeker;
use super::OutOption;
use super::self_play::{self, SelfPlay, Visit};

/// What to look for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Kind {
    /// One move is better than all others by the margin, and the game's player overlooked it.
    Tactics,
    /// A side would rather pass than move, and a search with unverified null moves misses the best move.
    Zugzwang,
}

/// What to look for, and where.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  lmrlab-workshop mine tactics --count 200 --seed 1 --out tactics.epd
  lmrlab-workshop mine zugzwang --count 20 --nodes 10000 --margin 100 --out zugzwang.epd

Tactics come from games that begin with an opening and up to four random plies. The player and a short search overlook the \
best move.

Zugzwangs come from random endgames in which a side has little room, or from the positions of --openings. One piece after \
another is changed until unverified null moves mislead a search. A position is kept when its best move is quiet, a search \
without null moves finds it, and a search of the same depth with unverified null moves does not (`acd` is the greatest such \
depth). On the principal variation the opponent must somewhere prefer to pass. One or two of a thousand endgames pass.

The judging searches have no late move reductions. A best move counts when a search four times as long chooses it, too.")]
pub(crate) struct Mine {
    /// What to look for.
    kind: Kind,
    /// Most positions.
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Most games, or endgames.
    #[arg(long, default_value_t = 10_000)]
    games: u64,
    /// Nodes of each move of the games.
    #[arg(long, default_value_t = 1_000, value_parser = clap::value_parser!(u64).range(1..))]
    game_nodes: u64,
    /// Nodes of the searches that judge a position.
    #[arg(long, default_value_t = 100_000, value_parser = clap::value_parser!(u64).range(100..=1_000_000_000))]
    nodes: u64,
    /// Least difference between the best move and the second, in centipawns.
    #[arg(long, default_value_t = 150, value_parser = clap::value_parser!(i32).range(1..=10_000))]
    margin: i32,
    /// Seed of the games and endgames.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The openings; for zugzwangs, endgames to begin with [default: positions/book.epd; random endgames].
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Search preset.
    #[arg(long, default_value = "standard")]
    preset: String,
    #[command(flatten)]
    out: OutOption,
}

/// A position that was found.
#[derive(Debug, Clone)]
struct Found {
    /// The position, with a clean fifty-move counter.
    position: Position,
    best: Move,
    /// The score of the best move, for the side to move.
    score: Score,
    /// The score of the second move.
    second: Score,
    /// A zugzwang: the greatest depth, in plies, at which a search without null moves finds the move and one with unverified
    /// null moves does not.
    depth: Option<u32>,
}

impl Found {
    /// As a line of an EPD file, with this id. `lmrlab suite` knows by the comment that lmrlab's own search chose the position.
    fn epd(&self, id: &str) -> String {
        let depth = self.depth.map(|depth| format!(" acd {depth};"));
        format!(
            "{} bm {};{} id \"{id}\"; c1 \"{}, second best {}\";\n",
            epd(&self.position),
            display_san_move(self.position.board(), self.best),
            depth.unwrap_or_default(),
            self.score,
            self.second,
        )
    }
}

/// Games that are played before the next ones are handed out. It changes no result.
const BATCH: u64 = 16;

/// Finds positions in the order of the games; no position comes twice.
pub(crate) fn run(arguments: &Mine) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let root = self_play::project_root();
    let openings = match (&arguments.openings, arguments.kind) {
        (Some(file), _) => self_play::openings(file, &root)?,
        (None, Kind::Tactics) => self_play::openings(DEFAULT_OPENINGS.as_ref(), &root)?,
        (None, Kind::Zugzwang) => Vec::new(),
    };
    let player = SelfPlay {
        openings,
        preset: self_play::preset(&arguments.preset, &root)?,
        policy: Arc::new(Policy::none()),
        nodes: arguments.game_nodes,
        random_plies: 4,
    };
    let seek = |number: u64| {
        let mut generator = Pcg64::new(u128::from(arguments.seed), u128::from(number));
        let mut judge = Judge::new(&player.preset, arguments.nodes, arguments.margin);
        match arguments.kind {
            Kind::Tactics => {
                let (visits, _) = player.play(&mut generator, &mut player.engine());
                tactics_of(visits, &mut judge)
            }
            Kind::Zugzwang => Seeker { judge }.seek(&mut generator, &player.openings),
        }
    };
    let mut kept: Vec<Found> = Vec::new();
    let mut seen = HashSet::new();
    let mut first = 0;
    while kept.len() < arguments.count && first < arguments.games {
        let next = arguments.games.min(first + BATCH);
        let found: Vec<Found> = (first..next).into_par_iter().flat_map_iter(seek).collect();
        kept.extend(found.into_iter().filter(|found| seen.insert(found.position.key())));
        kept.truncate(arguments.count);
        first = next;
        eprintln!("{} positions of {first} games", kept.len());
    }
    let kind = match arguments.kind {
        Kind::Tactics => "tactics",
        Kind::Zugzwang => "zugzwang",
    };
    let lines: String = kept
        .iter()
        .zip(1..)
        .map(|(found, number)| found.epd(&format!("{kind}.{number:03}")))
        .collect();
    output_file::write(&arguments.out.path, lines)?;
    println!(
        "{} positions of {first} games in {}",
        kept.len(),
        arguments.out.path.display()
    );
    Ok(())
}

/// Plies between two positions of the same game: neighbours are much the same position.
const APART: usize = 6;

/// The tactics of a game.
fn tactics_of(visits: Vec<Visit>, judge: &mut Judge) -> Vec<Found> {
    let mut found = Vec::new();
    let mut next = 0;
    for (ply, visit) in visits.into_iter().enumerate() {
        // As a reader of the EPD line will see it: without a fifty-move counter.
        let clean = Position::from_fen(&epd(&visit.position)).ok().filter(|_| ply >= next);
        let tactic = clean.and_then(|position| tactics::judge(judge, &Visit { position, ..visit }));
        if let Some(position) = tactic {
            next = ply + APART;
            found.push(position);
        }
    }
    found
}
