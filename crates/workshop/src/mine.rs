//! Finds tactics in games of the engine against itself: one move is clearly best, but the player and a short search
//! overlooked it. The searches that decide this reduce no move.

use std::collections::HashSet;
use std::path::PathBuf;
use std::sync::Arc;

use clap::Args;
use cozy_chess::Move;
use cozy_chess::util::display_san_move;
use lmrlab_engine::engine::{Engine, Report};
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use lmrlab_policy::Policy;
use lmrlab_results::failure::Failure;
use lmrlab_results::output_file;
use lmrlab_runner::epd::epd;
use lmrlab_runner::tournament::defaults::DEFAULT_OPENINGS;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::OutOption;
use super::self_play::{self, NEVER, SelfPlay};

/// Which games to play, and what to keep of them.
#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  lmrlab-workshop mine --count 200 --seed 1 --out tactics.epd

Games begin with an opening and up to four random plies. A best move counts when a search four times as long chooses it, too.")]
pub(crate) struct Mine {
    /// Most positions.
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Most games.
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
    /// Seed of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The openings, one FEN or EPD a line.
    #[arg(long, value_name = "FILE", default_value = DEFAULT_OPENINGS)]
    openings: PathBuf,
    /// Search preset.
    #[arg(long, default_value = "standard")]
    preset: String,
    #[command(flatten)]
    out: OutOption,
}

/// Games that are played as one batch. The number changes no result.
const BATCH: u64 = 16;
/// Plies between two positions of the same game: closer positions are almost the same.
const APART: usize = 6;
/// The transposition table of a judging search, in MiB.
const HASH_MIB: u32 = 8;
/// When the second move has a higher score than this, in centipawns, the side to move wins anyway.
const WON_ANYWAY: i32 = 250;
/// When no move has a higher score than this, in centipawns, the side to move loses anyway.
const LOST_ANYWAY: i32 = -150;
/// Positions with fewer legal moves are skipped.
const LEAST_MOVES: usize = 4;
/// A search of the nodes divided by this number decides which positions are searched further.
const QUICK_PART: u64 = 20;

/// Finds positions in the order of the games; no position comes twice.
pub(crate) fn run(arguments: &Mine) -> Result<(), Failure> {
    arguments.out.refuse_existing()?;
    let root = self_play::project_root();
    let player = SelfPlay {
        openings: self_play::openings(&arguments.openings, &root)?,
        preset: self_play::preset(&arguments.preset, &root)?,
        policy: Arc::new(Policy::none()),
        nodes: arguments.game_nodes,
        random_plies: 4,
    };
    let tactics_of = |number: u64| {
        let mut generator = Pcg64::new(u128::from(arguments.seed), u128::from(number));
        let (visits, _) = player.play(&mut generator, &mut player.engine());
        let mut judge = Judge {
            engine: Engine::new(Arc::clone(&player.preset), Arc::clone(&player.policy), HASH_MIB),
            nodes: arguments.nodes,
            margin: arguments.margin,
        };
        let mut found = Vec::new();
        let mut next = 0;
        for (ply, visit) in visits.iter().enumerate() {
            // As a reader of the EPD line gets it: without a fifty-move counter.
            let clean = Position::from_fen(&epd(&visit.position)).ok().filter(|_| ply >= next);
            if let Some(tactic) = clean.and_then(|position| judge.tactic(position, visit.played)) {
                next = ply + APART;
                found.push(tactic);
            }
        }
        found
    };
    let mut tactics: Vec<Tactic> = Vec::new();
    let mut seen = HashSet::new();
    let mut first = 0;
    while tactics.len() < arguments.count && first < arguments.games {
        let next = arguments.games.min(first + BATCH);
        let found: Vec<Tactic> = (first..next).into_par_iter().flat_map_iter(tactics_of).collect();
        tactics.extend(found.into_iter().filter(|found| seen.insert(found.position.key())));
        tactics.truncate(arguments.count);
        first = next;
        eprintln!("{} positions of {first} games", tactics.len());
    }
    let lines: String = tactics
        .iter()
        .zip(1..)
        .map(|(tactic, number)| tactic.epd(number))
        .collect();
    output_file::write(&arguments.out.path, lines)?;
    println!(
        "{} positions of {first} games in {}",
        tactics.len(),
        arguments.out.path.display()
    );
    Ok(())
}

/// A position that was found, with the scores of its best move and its second for the side to move.
struct Tactic {
    position: Position,
    best: Move,
    score: Score,
    second: Score,
}

impl Tactic {
    /// The position as a line of an EPD file. The comment in it tells `lmrlab suite` that lmrlab's own search chose the
    /// position.
    fn epd(&self, number: u32) -> String {
        format!(
            "{} bm {}; id \"tactics.{number:03}\"; c1 \"{}, second best {}\";\n",
            epd(&self.position),
            display_san_move(self.position.board(), self.best),
            self.score,
            self.second,
        )
    }
}

/// Searches positions with empty tables.
struct Judge {
    engine: Engine,
    /// Nodes of a search.
    nodes: u64,
    /// By how much the best move must be better than the second, in centipawns.
    margin: i32,
}

impl Judge {
    fn search(&mut self, position: &Position, limits: &Limits) -> Report {
        self.engine.new_game();
        self.engine.search(&Game::new(position.clone()), limits, &NEVER)
    }

    /// The position, if its best move is clear and changes the outcome, and if both the player and a short search
    /// overlooked the move.
    fn tactic(&mut self, position: Position, played: Move) -> Option<Tactic> {
        let mut moves: Vec<Move> = Vec::new();
        position.board().generate_moves(|found| {
            moves.extend(found);
            false
        });
        if position.in_check() || moves.len() < LEAST_MOVES {
            return None;
        }
        let quick = self.search(&position, &Limits::nodes((self.nodes / QUICK_PART).max(1)));
        if quick.best == Some(played) || quick.score.get() < LOST_ANYWAY {
            return None;
        }
        let report = self.search(&position, &Limits::nodes(self.nodes));
        let best = report
            .best
            .filter(|best| *best != played && quick.best != Some(*best))?;
        moves.retain(|mv| *mv != best);
        let others = Limits {
            search_moves: moves,
            ..Limits::nodes(self.nodes)
        };
        let second = self.search(&position, &others).score;
        if report.score - second < self.margin || second.get() > WON_ANYWAY {
            return None;
        }
        let again = self.search(&position, &Limits::nodes(4 * self.nodes));
        let clear = again.best == Some(best) && again.score - second >= self.margin;
        (clear && again.score.get() >= LOST_ANYWAY).then_some(Tactic {
            position,
            best,
            score: again.score,
            second,
        })
    }
}
