//! Makes judged positions: positions of the engine's own games, and the moves that policies choose there, judged.

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use cozy_chess::Move;
use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;
use lmrlab_policy::Policy;
use rand::seq::IndexedRandom;
use rand_pcg::Pcg64;

use super::choice::choices;
use super::judge::judge;
use super::judged::JudgedPosition;
use crate::mine::{Motif, Recipe, has_choice, play};
use crate::variant::Variant;
use crate::workers::Workers;

/// Games that are played before the next ones. Part of no result.
const BATCH: u64 = 64;

/// Positions where a side is further ahead, in centipawns, are left out: there most moves win, or lose.
const MOST_AHEAD: i32 = 600;

/// Which positions to make.
#[derive(Debug, Clone)]
pub struct JudgingRecipe {
    /// How many.
    pub count: usize,
    /// Seed of the openings, of the random plies behind them and of the positions.
    pub seed: u64,
    /// Nodes of each move of the games.
    pub game_nodes: u64,
    /// Nodes within which policies choose their moves.
    pub nodes: u64,
    /// Nodes of the search that judges a move.
    pub judge_nodes: u64,
}

/// Plays games without reductions and takes one position of each. Every move that one of `choosers` chooses there is judged.
/// The positions are in the order of the games, whatever the number of threads; none comes twice. `progress` is told how many
/// are judged; a set `stop` ends the work with what there is.
pub fn make(
    recipe: &JudgingRecipe,
    openings: &[Position],
    choosers: &[Variant],
    workers: &Workers,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize),
) -> Vec<JudgedPosition> {
    let mut made: Vec<JudgedPosition> = Vec::with_capacity(recipe.count);
    let mut seen = HashSet::new();
    let mut first = 0;
    while made.len() < recipe.count && !openings.is_empty() && !stop.load(Ordering::Relaxed) {
        let numbers: Vec<u64> = (first..first + BATCH).collect();
        first += BATCH;
        let found = workers.map(&numbers, |number| of_game(recipe, *number, openings, stop));
        let mut positions: Vec<Position> = found.into_iter().flatten().collect();
        positions.retain(|position| seen.insert(position.key()));
        positions.truncate(recipe.count - made.len());
        let chosen = workers.map(choosers, |variant| choices(variant, &positions, recipe.nodes));
        let numbers: Vec<usize> = (0..positions.len()).collect();
        let scores = workers.map(&numbers, |&number| {
            let mut moves: Vec<Move> = Vec::new();
            for choice in chosen.iter().filter_map(|of_variant| of_variant[number]) {
                if !moves.contains(&choice.mv) {
                    moves.push(choice.mv);
                }
            }
            let judged = moves
                .into_iter()
                .take_while(|_| !stop.load(Ordering::Relaxed))
                .map(|mv| (mv, judge(&positions[number], mv, recipe.judge_nodes)));
            judged.collect::<Vec<_>>()
        });
        if stop.load(Ordering::Relaxed) {
            break;
        }
        for (position, scores) in positions.into_iter().zip(scores) {
            let name = format!("judged.{:04}", made.len() + 1);
            made.extend(JudgedPosition::new(name, position, recipe.judge_nodes, scores));
        }
        progress(made.len());
    }
    made
}

/// A position of a game, drawn from those with two legal moves or more. `None` when it is decided.
fn of_game(recipe: &JudgingRecipe, number: u64, openings: &[Position], stop: &AtomicBool) -> Option<Position> {
    let games = Recipe {
        motif: Motif::Tactics,
        count: 0,
        games: 0,
        seed: recipe.seed,
        game_nodes: recipe.game_nodes,
        nodes: recipe.nodes,
        margin: 0,
    };
    let preset = Arc::new(Preset::default());
    let positions: Vec<Position> = play(&games, number, openings, &preset, stop)
        .into_iter()
        .map(|visit| visit.position)
        .filter(has_choice)
        .collect();
    // Another stream of random numbers than that of the game.
    let mut generator = Pcg64::new(u128::from(recipe.seed), u128::from(number) | 1 << 64);
    let position = positions.choose(&mut generator)?;
    let unreduced = Variant::new("none", Policy::none());
    let [Some(choice)] = choices(&unreduced, [position], recipe.nodes)[..] else {
        return None;
    };
    (choice.score.abs() <= MOST_AHEAD).then(|| position.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::positions::PositionSet;
    use crate::screen::judged;
    use lmrlab_diagnostics::Source;

    #[test]
    fn positions_are_the_same_on_any_number_of_threads() {
        let recipe = JudgingRecipe {
            count: 3,
            seed: 1,
            game_nodes: 30,
            nodes: 60,
            judge_nodes: 500,
        };
        let policy = Policy::compile(Source::new(
            "all.toml",
            "name = \"all\"\nwhen = \"depth >= 2\"\nreduce = \"1\"",
        ))
        .unwrap();
        let choosers = [Variant::new("none", Policy::none()), Variant::new("all", policy.0)];
        let make = |threads| {
            let workers = Workers::new(threads).unwrap();
            let go = AtomicBool::new(false);
            let made = make(&recipe, &[Position::initial()], &choosers, &workers, &go, |_| {});
            made.iter().map(JudgedPosition::epd).collect::<Vec<String>>()
        };
        let made = make(1);
        assert_eq!(made, make(2));
        assert_eq!(made.len(), 3);
        let (set, _) = PositionSet::parse(Source::new("judged.epd", made.join("\n"))).unwrap();
        let read: Vec<String> = judged(&set).unwrap().iter().map(JudgedPosition::epd).collect();
        assert_eq!(read, made);
    }
}
