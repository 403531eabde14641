//! Making openings: random legal moves, kept when a search says that neither side is far ahead.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cozy_chess::Move;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::policy::Policy;
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use crate::epd::epd;

/// What openings are to be made.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// How many.
    pub count: usize,
    /// Random plies from the initial position.
    pub plies: u32,
    /// Greatest absolute score that is kept, in centipawns.
    pub max_score: i32,
    /// Nodes of the search that scores a position.
    pub nodes: u64,
    /// Seed of the generator (PCG64, O'Neill 2014): attempt `n` depends on the seed and `n` alone.
    pub seed: u64,
}

/// A position that was kept.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The position.
    pub position: Position,
    /// Its score for the side to move, in centipawns.
    pub score: i32,
}

/// How many attempts are searched before the next ones are handed out. Part of no result.
const BATCH: u64 = 256;

/// Makes openings, in the order of the attempts that led to them, whatever the number of threads. `progress` is told how
/// many there are; a set `stop` ends the work early with what there is.
///
/// No position comes twice, none is in check, none is decided. Attempts end after a thousand for each opening wanted, for
/// recipes that hardly any position satisfies.
pub fn make(
    recipe: &Recipe,
    preset: &Arc<Preset>,
    policy: &Arc<Policy>,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> Vec<Opening> {
    let mut kept: Vec<Opening> = Vec::with_capacity(recipe.count);
    let mut seen = HashSet::new();
    let last = (recipe.count as u64).saturating_mul(1_000);
    let mut first = 0;
    while kept.len() < recipe.count && first < last && !stop.load(Ordering::Relaxed) {
        let found: Vec<Opening> = (first..first + BATCH)
            .into_par_iter()
            .map_init(
                || Engine::new(Arc::clone(preset), Arc::clone(policy), 1),
                |engine, attempt| try_once(recipe, attempt, engine, stop),
            )
            .flatten_iter()
            .collect();
        let room = recipe.count - kept.len();
        kept.extend(
            found
                .into_iter()
                .filter(|opening| seen.insert(opening.position.key()))
                .take(room),
        );
        progress(kept.len());
        first += BATCH;
    }
    kept
}

fn try_once(recipe: &Recipe, attempt: u64, engine: &mut Engine, stop: &AtomicBool) -> Option<Opening> {
    let mut generator = Pcg64::new(u128::from(recipe.seed), u128::from(attempt));
    let mut game = Game::new(Position::initial());
    for _ in 0..recipe.plies {
        game.play(random_move(game.position(), &mut generator)?).ok()?;
    }
    if game.ending().is_some() || game.position().in_check() {
        return None;
    }
    engine.new_game();
    let score = engine.search(&game, &Limits::nodes(recipe.nodes), stop).score;
    let kept = !score.is_mate() && score.get().abs() <= recipe.max_score;
    kept.then(|| Opening {
        score: score.get(),
        position: game.position().clone(),
    })
}

/// One of the legal moves, each as likely as the others; `None` without any.
pub fn random_move(position: &Position, generator: &mut impl Rng) -> Option<Move> {
    let mut moves = Vec::new();
    position.board().generate_moves(|found| {
        moves.extend(found);
        false
    });
    moves.choose(generator).copied()
}

impl Opening {
    /// The position as EPD: a FEN without its counters.
    pub fn epd(&self) -> String {
        epd(&self.position)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe(count: usize) -> Recipe {
        Recipe {
            count,
            plies: 6,
            max_score: 60,
            nodes: 500,
            seed: 1,
        }
    }

    fn made(recipe: &Recipe, threads: usize) -> Vec<String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let go = AtomicBool::new(false);
        pool.install(|| {
            make(
                recipe,
                &Arc::new(Preset::default()),
                &Arc::new(Policy::none()),
                &go,
                |_| {},
            )
        })
        .iter()
        .map(Opening::epd)
        .collect()
    }

    #[test]
    fn openings_are_distinct_balanced_and_quiet() {
        let go = AtomicBool::new(false);
        let openings = make(
            &recipe(40),
            &Arc::new(Preset::default()),
            &Arc::new(Policy::none()),
            &go,
            |_| {},
        );
        assert_eq!(openings.len(), 40);
        let keys: HashSet<u64> = openings.iter().map(|opening| opening.position.key()).collect();
        assert_eq!(keys.len(), 40);
        for opening in &openings {
            assert!(opening.score.abs() <= 60);
            assert!(!opening.position.in_check());
            assert!(Position::from_fen(&opening.epd()).is_ok());
        }
    }

    #[test]
    fn threads_change_nothing_and_seeds_do() {
        assert_eq!(made(&recipe(20), 1), made(&recipe(20), 2));
        assert_ne!(made(&recipe(20), 1), made(&Recipe { seed: 2, ..recipe(20) }, 1));
    }

    #[test]
    fn an_impossible_recipe_ends() {
        let openings = made(&Recipe { plies: 0, ..recipe(2) }, 2);
        assert_eq!(openings.len(), 1, "there is one initial position");
    }
}
