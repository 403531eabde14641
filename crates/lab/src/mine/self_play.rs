//! The games in which positions are found.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand_pcg::Pcg64;

use super::recipe::Recipe;
use lmrlab_runner::epd::epd;
use lmrlab_runner::opening_maker::random_move;

/// The transposition table of the players, in MiB.
const HASH_MIB: u32 = 2;

/// The longest game, in plies.
const MAX_PLIES: usize = 300;

/// Most random plies after an opening.
const RANDOM_PLIES: u32 = 4;

/// A game is over when a side has been ahead by so much, in centipawns ...
const DECIDED_SCORE: i32 = 1_000;

/// ... for so many plies.
const DECIDED_PLIES: u32 = 6;

/// A position of a game, without what came before it.
#[derive(Debug, Clone)]
pub(crate) struct Visit {
    pub(crate) position: Position,
    /// What was played there.
    pub(crate) played: Move,
}

/// Plays one game of the engine against itself, without reductions, until it is decided; its positions in their order.
pub(crate) fn play(
    recipe: &Recipe,
    number: u64,
    openings: &[Position],
    preset: &Arc<Preset>,
    stop: &AtomicBool,
) -> Vec<Visit> {
    let mut generator = Pcg64::new(u128::from(recipe.seed), u128::from(number));
    let Some(start) = openings.choose(&mut generator) else {
        return Vec::new();
    };
    let mut game = Game::new(start.clone());
    let plies = (0..=RANDOM_PLIES).choose(&mut generator).unwrap_or(0);
    for _ in 0..plies {
        let Some(mv) = random_move(game.position(), &mut generator) else {
            break;
        };
        if game.play(mv).is_err() {
            break;
        }
    }
    let mut engine = Engine::new(Arc::clone(preset), Arc::new(Policy::none()), HASH_MIB);
    let mut visits = Vec::new();
    let mut decided = 0;
    while game.ending().is_none() && game.moves().len() < MAX_PLIES && decided < DECIDED_PLIES {
        let report = engine.search(&game, &Limits::nodes(recipe.game_nodes), stop);
        let Some(played) = report.best.filter(|_| !stop.load(Ordering::Relaxed)) else {
            break;
        };
        decided = if report.score.get().abs() >= DECIDED_SCORE {
            decided + 1
        } else {
            0
        };
        // As a reader of the EPD line will see it: without a fifty-move counter.
        if let Ok(position) = Position::from_fen(&epd(game.position())) {
            visits.push(Visit { position, played });
        }
        if game.play(played).is_err() {
            break;
        }
    }
    visits
}
