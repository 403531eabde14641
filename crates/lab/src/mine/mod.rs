//! Test positions. Tactics come from the engine's own games: one move is clearly best. Zugzwangs come from random endgames,
//! or from given ones: null moves hide the best move.

mod endgames;
mod found;
mod judge;
mod recipe;
mod self_play;
mod tactics;
mod zugzwang;

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use lmrlab_engine::position::Position;
use lmrlab_engine::preset::Preset;

pub use self::found::{Found, is_mined};
pub use self::recipe::{Motif, Recipe};

pub(crate) use self::self_play::play;

use self::judge::Judge;
use self::zugzwang::Seeker;
use crate::workers::Workers;

/// Games that are played before the next ones are handed out. Part of no result.
const BATCH: u64 = 16;

/// Plays games and keeps positions in the order of the games, whatever the number of threads; no position comes twice.
/// `progress` is told how many games were played and how many positions found; a set `stop` ends the work with what there
/// is.
pub fn mine(
    recipe: &Recipe,
    openings: &[Position],
    preset: &Arc<Preset>,
    workers: &Workers,
    stop: &AtomicBool,
    mut progress: impl FnMut(u64, usize),
) -> Vec<Found> {
    let mut kept = Vec::new();
    let mut seen = HashSet::new();
    let mut first = 0;
    while kept.len() < recipe.count && first < recipe.games && !stop.load(Ordering::Relaxed) {
        let next = recipe.games.min(first + BATCH);
        let numbers: Vec<u64> = (first..next).collect();
        let found: Vec<Vec<Found>> = workers.map(&numbers, |number| match recipe.motif {
            Motif::Tactics => from_game(recipe, *number, openings, preset, stop),
            Motif::Zugzwang => Seeker::new(recipe, preset, stop).seek(*number, openings),
        });
        if stop.load(Ordering::Relaxed) {
            break;
        }
        for position in found.into_iter().flatten() {
            if kept.len() < recipe.count && seen.insert(position.position.key()) {
                kept.push(position);
            }
        }
        first = next;
        progress(first, kept.len());
    }
    kept
}

/// The positions of one game that are kept.
fn from_game(
    recipe: &Recipe,
    number: u64,
    openings: &[Position],
    preset: &Arc<Preset>,
    stop: &AtomicBool,
) -> Vec<Found> {
    let mut judge = Judge::new(preset, recipe.nodes, recipe.margin, stop);
    let visited = play(recipe, number, openings, preset, stop);
    let mut found = Vec::new();
    let mut last_found = None;
    for (ply, visit) in visited.iter().enumerate() {
        // Neighbours in a game are much the same position.
        if last_found.is_some_and(|last| ply < last + APART) || stop.load(Ordering::Relaxed) {
            continue;
        }
        if let Some(position) = tactics::judge(&mut judge, visit) {
            last_found = Some(ply);
            found.push(position);
        }
    }
    found
}

/// Plies between two positions of the same game.
const APART: usize = 6;

#[cfg(test)]
mod tests {
    use super::*;

    fn mined(motif: Motif, games: u64, threads: u32) -> Vec<String> {
        let recipe = Recipe {
            motif,
            count: 4,
            games,
            seed: 3,
            game_nodes: 60,
            nodes: 2_000,
            margin: 150,
        };
        let starts = match motif {
            Motif::Tactics => vec![Position::initial()],
            Motif::Zugzwang => Vec::new(),
        };
        let workers = Workers::new(threads).unwrap();
        let go = AtomicBool::new(false);
        let found = mine(&recipe, &starts, &Arc::default(), &workers, &go, |_, _| {});
        found.iter().map(|found| found.epd("x")).collect()
    }

    #[test]
    fn tactics_are_the_same_on_any_number_of_threads_and_legal() {
        let lines = mined(Motif::Tactics, 60, 1);
        assert_eq!(lines, mined(Motif::Tactics, 60, 2));
        assert!(!lines.is_empty());
        let text = lines.join("\n");
        let source = lmrlab_diagnostics::Source::new("mined.epd", text);
        let (set, _) = crate::positions::PositionSet::parse(source).unwrap();
        assert!(crate::suite::questions(&set).is_ok());
    }
}
