//! Self-play games of the engine, and quiet positions from them.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_pcg::Pcg64;
use rayon::prelude::*;

use super::samples::Sample;
use super::selection::{Selection, half_points, seen_by_white};
use lmrlab_runner::epd::epd;
use lmrlab_runner::opening_maker::random_move;

/// The games to play, and which of their positions to keep.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// The number of games.
    pub games: u64,
    /// Nodes of each search.
    pub nodes: u64,
    /// Most random plies after the opening; each game has a random number of them.
    pub random_plies: u32,
    /// The positions to keep.
    pub selection: Selection,
    /// Seed of the generator (PCG64, O'Neill 2014): game `n` depends on the seed and `n` alone.
    pub seed: u64,
}

/// A game is given to the side whose score is at least this, in centipawns, for [`DECIDED_PLIES`].
const DECIDED_SCORE: i32 = 1500;
const DECIDED_PLIES: u32 = 6;
/// A game that is longer is a draw.
const MAX_PLIES: usize = 400;
/// Mebibytes of the transposition table: enough for a few thousand nodes.
const HASH_MIB: u32 = 1;
/// Games between two calls of `hand_over`. The result does not depend on it.
const BATCH: u64 = 256;

/// Plays the games in parallel and passes their positions to `hand_over` in the order of the games, for any number of
/// threads. `hand_over` also gets the number of games so far. Its error ends the work; a set `stop` ends it without one.
///
/// # Errors
/// Those of `hand_over`.
pub fn generate<E>(
    recipe: &Recipe,
    openings: &[Position],
    preset: &Arc<Preset>,
    policy: &Arc<Policy>,
    stop: &AtomicBool,
    mut hand_over: impl FnMut(u64, Vec<Sample>) -> Result<(), E>,
) -> Result<(), E> {
    let mut first = 0;
    while first < recipe.games && !stop.load(Ordering::Relaxed) {
        let next = recipe.games.min(first + BATCH);
        let found: Vec<Sample> = (first..next)
            .into_par_iter()
            .map_init(
                || Engine::new(Arc::clone(preset), Arc::clone(policy), HASH_MIB),
                |engine, number| play(recipe, number, openings, engine, stop),
            )
            .flatten_iter()
            .collect();
        if stop.load(Ordering::Relaxed) {
            break;
        }
        hand_over(next, found)?;
        first = next;
    }
    Ok(())
}

/// Plays one game and returns the positions to keep.
fn play(recipe: &Recipe, number: u64, openings: &[Position], engine: &mut Engine, stop: &AtomicBool) -> Vec<Sample> {
    let mut generator = Pcg64::new(u128::from(recipe.seed), u128::from(number));
    let Some(opening) = openings.choose(&mut generator) else {
        return Vec::new();
    };
    let mut game = Game::new(opening.clone());
    let plies = (0..=recipe.random_plies).choose(&mut generator).unwrap_or(0);
    for _ in 0..plies {
        let Some(mv) = random_move(game.position(), &mut generator) else {
            break;
        };
        if game.play(mv).is_err() {
            break;
        }
    }
    engine.new_game();
    let mut quiet = Vec::new();
    let mut decided = 0;
    let mut played = 0;
    let white_half_points = loop {
        if let Some(ending) = game.ending() {
            break half_points(ending.winner(game.position().side_to_move()));
        }
        if game.moves().len() >= MAX_PLIES {
            break 1;
        }
        let report = engine.search(&game, &Limits::nodes(recipe.nodes), stop);
        let Some(best) = report.best.filter(|_| !stop.load(Ordering::Relaxed)) else {
            return Vec::new();
        };
        let position = game.position();
        let white_score_cp = seen_by_white(position, report.score.get());
        if white_score_cp.abs() >= DECIDED_SCORE {
            decided += 1;
            if decided >= DECIDED_PLIES {
                break if white_score_cp > 0 { 2 } else { 0 };
            }
        } else {
            decided = 0;
        }
        if recipe.selection.wants(position, best, white_score_cp, played) {
            quiet.push(Sample {
                game: number,
                epd: epd(position),
                white_half_points: 1,
                white_score_cp,
            });
        }
        if game.play(best).is_err() {
            return Vec::new();
        }
        played += 1;
    };
    let mut kept = quiet.into_iter().sample(&mut generator, recipe.selection.per_game);
    for sample in &mut kept {
        sample.white_half_points = white_half_points;
    }
    kept
}
