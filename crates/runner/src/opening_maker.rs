//! Makes openings: random or sensible moves from the initial position. A position is accepted when a deeper search scores it
//! between bounds.

use std::collections::HashSet;
use std::ops::RangeInclusive;
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
use rand::RngExt;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;
use rayon::prelude::*;

use lmrlab_results::epd::epd;

/// What openings are to be made.
#[derive(Debug, Clone)]
pub struct Recipe {
    /// How many.
    pub count: usize,
    /// How the moves are chosen.
    pub method: Method,
    /// Plies from the initial position. The side to move alternates from attempt to attempt, if the range allows it.
    /// The number of plies is drawn at random from those that give this side.
    pub plies: RangeInclusive<u32>,
    /// Absolute scores that are accepted, in centipawns.
    pub scores: RangeInclusive<i32>,
    /// Nodes of the search that scores a position.
    pub nodes: u64,
    /// Seed of the generator (PCG64, O'Neill 2014): attempt `n` depends on the seed and `n` alone.
    pub seed: u64,
}

/// How the moves of an opening are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// Any legal move, each as likely as the others.
    Random,
    /// Any move with a score near that of the best, each as likely as the others.
    Played {
        /// Greatest difference to the best score, in centipawns.
        margin: i32,
        /// Nodes of each search: one for the best move, and one for each move that is drawn.
        nodes: u64,
    },
}

/// A position that was accepted.
#[derive(Debug, Clone)]
pub struct Opening {
    /// The position.
    pub position: Position,
    /// Its score for the side to move, in centipawns.
    pub score: i32,
}

/// Attempts in one batch. The openings do not depend on it.
const BATCH: u64 = 64;

/// Attempts in a row without a new opening after which the recipe is given up.
const FRUITLESS: u64 = 10_048;

/// Makes openings, in the order of the attempts, whatever the number of threads. `progress` gets the number of openings
/// after each batch. Setting `stop` ends the work early and returns the openings so far.
///
/// No position occurs twice, whatever the order of the moves. None is in check, none is decided. The work also ends
/// early after ten thousand attempts in a row without a new position.
pub fn make(
    recipe: &Recipe,
    preset: &Arc<Preset>,
    policy: &Arc<Policy>,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> Vec<Opening> {
    let mut accepted: Vec<Opening> = Vec::with_capacity(recipe.count);
    let mut seen = HashSet::new();
    let (mut first, mut fruitless) = (0, 0);
    while accepted.len() < recipe.count && fruitless < FRUITLESS {
        let found: Vec<Opening> = (first..first + BATCH)
            .into_par_iter()
            .map_init(
                || Engine::new(Arc::clone(preset), Arc::clone(policy), 1),
                |engine, attempt| try_once(recipe, attempt, engine, stop),
            )
            .flatten_iter()
            .collect();
        // The result of a stopped search does not count.
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let (before, room) = (accepted.len(), recipe.count - accepted.len());
        accepted.extend(
            found
                .into_iter()
                .filter(|opening| seen.insert(opening.position.key()))
                .take(room),
        );
        fruitless = if accepted.len() > before { 0 } else { fruitless + BATCH };
        first += BATCH;
        progress(accepted.len());
    }
    accepted
}

fn try_once(recipe: &Recipe, attempt: u64, engine: &mut Engine, stop: &AtomicBool) -> Option<Opening> {
    let mut generator = Pcg64::new(u128::from(recipe.seed), u128::from(attempt));
    let mut game = Game::new(Position::initial());
    engine.new_game();
    for _ in 0..plies(&recipe.plies, attempt, &mut generator)? {
        let mv = match recipe.method {
            Method::Random => random_move(game.position(), &mut generator),
            Method::Played { margin, nodes } => sensible_move(&game, margin, nodes, &mut generator, engine, stop),
        };
        game.play(mv?).ok()?;
    }
    if game.ending().is_some() || game.position().in_check() {
        return None;
    }
    engine.new_game();
    let score = engine.search(&game, &Limits::nodes(recipe.nodes), stop).score;
    let accepted = !score.is_mate() && recipe.scores.contains(&score.get().abs());
    accepted.then(|| Opening {
        score: score.get(),
        position: game.position().clone(),
    })
}

/// The number of plies of this attempt: even in even attempts and odd in odd ones, if the range has both. `None` when
/// the range is empty.
fn plies(range: &RangeInclusive<u32>, attempt: u64, generator: &mut impl Rng) -> Option<u32> {
    let all: Vec<u32> = range.clone().collect();
    let of_this_side: Vec<u32> = all
        .iter()
        .copied()
        .filter(|plies| u64::from(plies % 2) == attempt % 2)
        .collect();
    match if of_this_side.is_empty() { &all } else { &of_this_side }.as_slice() {
        // No random number is used when there is no choice.
        [only] => Some(*only),
        several => several.choose(generator).copied(),
    }
}

/// One of the legal moves, each as likely as the others; `None` without any.
fn random_move(position: &Position, generator: &mut impl Rng) -> Option<Move> {
    legal_moves(position).choose(generator).copied()
}

/// One of the moves with a score at most `margin` below that of the best, each as likely as the others. `None` where there
/// is a mate or no move.
fn sensible_move(
    game: &Game,
    margin: i32,
    nodes: u64,
    generator: &mut impl Rng,
    engine: &mut Engine,
    stop: &AtomicBool,
) -> Option<Move> {
    let best = engine.search(game, &Limits::nodes(nodes), stop);
    if best.score.is_mate() {
        return None;
    }
    let mut moves = legal_moves(game.position());
    while !moves.is_empty() && !stop.load(Ordering::Relaxed) {
        let mv = moves.swap_remove(generator.random_range(0..moves.len()));
        if best.best == Some(mv) {
            return Some(mv);
        }
        let limits = Limits {
            search_moves: vec![mv],
            ..Limits::nodes(nodes)
        };
        if engine.search(game, &limits, stop).score >= best.score - margin {
            return Some(mv);
        }
    }
    None
}

fn legal_moves(position: &Position) -> Vec<Move> {
    let mut moves = Vec::new();
    position.board().generate_moves(|found| {
        moves.extend(found);
        false
    });
    moves
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
            method: Method::Random,
            plies: 6..=6,
            scores: 0..=60,
            nodes: 500,
            seed: 1,
        }
    }

    fn played(count: usize) -> Recipe {
        Recipe {
            method: Method::Played { margin: 25, nodes: 200 },
            plies: 4..=6,
            ..recipe(count)
        }
    }

    fn made(recipe: &Recipe, threads: usize) -> Vec<Opening> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        let (preset, policy) = (Arc::new(Preset::default()), Arc::new(Policy::none()));
        pool.install(|| make(recipe, &preset, &policy, &AtomicBool::new(false), |_| {}))
    }

    fn epds(recipe: &Recipe, threads: usize) -> Vec<String> {
        made(recipe, threads).iter().map(Opening::epd).collect()
    }

    #[test]
    fn openings_are_distinct_balanced_and_quiet_on_any_number_of_threads() {
        for recipe in [
            recipe(20),
            Recipe {
                scores: 30..=90,
                ..played(20)
            },
        ] {
            let openings = made(&recipe, 1);
            let keys: HashSet<u64> = openings.iter().map(|opening| opening.position.key()).collect();
            assert_eq!(keys.len(), 20);
            for opening in &openings {
                assert!(recipe.scores.contains(&opening.score.abs()), "{}", opening.score);
                assert!(!opening.position.in_check());
                assert!(Position::from_fen(&opening.epd()).is_ok());
            }
            let epds = epds(&recipe, 2);
            assert!(openings.iter().map(Opening::epd).eq(epds.iter().cloned()));
            assert_ne!(self::epds(&Recipe { seed: 2, ..recipe }, 2), epds);
        }
    }

    #[test]
    fn both_sides_are_to_move_where_the_plies_allow_it() {
        for (plies, expected) in [(4..=6, 5..=15), (4..=4, 0..=0), (5..=5, 20..=20)] {
            let recipe = Recipe { plies, ..played(20) };
            let black = epds(&recipe, 2).iter().filter(|epd| epd.contains(" b ")).count();
            assert!(expected.contains(&black), "{black}");
        }
    }

    #[test]
    fn sensible_moves_are_those_near_the_best() {
        // Black has more than thirty moves here, most of them much worse than the best.
        let queen_out = "rnb1kbnr/pppp1ppp/8/4p1q1/3P4/4P3/PPP2PPP/RNBQKBNR b KQkq -";
        let game = Game::new(Position::from_fen(queen_out).unwrap());
        let mut engine = Engine::new(Arc::new(Preset::default()), Arc::new(Policy::none()), 1);
        let go = AtomicBool::new(false);
        let mut moves = |margin| -> HashSet<Move> {
            let mut generator = Pcg64::new(1, 1);
            let mut choose = || sensible_move(&game, margin, 2_000, &mut generator, &mut engine, &go);
            (0..40).map(|_| choose().unwrap()).collect()
        };
        let (near, any) = (moves(20), moves(10_000));
        assert!(near.len() < 12 && any.len() > 20, "{near:?} {any:?}");
    }

    #[test]
    fn an_impossible_recipe_and_an_interrupt_end() {
        let impossible = Recipe {
            plies: 0..=0,
            nodes: 1,
            ..recipe(2)
        };
        assert_eq!(made(&impossible, 2).len(), 1, "there is one initial position");
        let (preset, policy) = (Arc::new(Preset::default()), Arc::new(Policy::none()));
        let openings = make(&recipe(1), &preset, &policy, &AtomicBool::new(true), |_| {});
        assert!(openings.is_empty(), "an unfinished search does not count");
    }
}
