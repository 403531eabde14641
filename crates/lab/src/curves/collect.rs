//! Curves of a sample of the moves of some searches.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::engine::Engine;
use lmrlab_engine::game::Game;
use lmrlab_policy::facts::FactSet;
use lmrlab_results::failure::Failure;

use super::file::CurveFile;
use super::sampling::{Counter, CurveOptions, Population};
use super::watcher::Watcher;
use crate::audit::Predictors;
use crate::positions::LabPosition;
use crate::search::{SearchLimit, search_observed};
use crate::variant::Variant;
use crate::workers::Workers;

/// What [`collect`] found.
#[derive(Debug, Clone, PartialEq)]
pub struct Collected {
    /// The curves, position by position.
    pub file: CurveFile,
    /// Moves that could have been sampled.
    pub population: u64,
    /// Sampled moves without a curve: their search at full depth met the limit of nodes.
    pub undecided: u64,
    /// Curves that were compared with the search of the move itself.
    pub compared: u64,
    /// Nodes of the observed searches.
    pub nodes: u64,
    /// Nodes of the searches for the points.
    pub shadow_nodes: u64,
    /// How many positions were searched.
    pub positions: usize,
}

/// Searches each position with the variant and takes curves of about [`CurveOptions::moves`] moves.
///
/// # Errors
/// When a curve does not agree with the search of its move, which would be a bug.
pub fn collect(
    variant: &Variant,
    positions: &[LabPosition],
    limit: SearchLimit,
    options: CurveOptions,
    workers: &Workers,
) -> Result<Collected, Failure> {
    let limits = limit.limits();
    let counts = workers.map_until_stopped(positions, |position| {
        let mut counter = Counter::new();
        search_observed(variant, &position.position, &limits, &mut counter);
        counter.finish()
    });
    let mut population = Population::none();
    counts.iter().for_each(|count| population.add(count));
    let chances = population.chances(options.moves);
    let facts = Predictors::collected(&variant.policy);
    let indexed: Vec<(usize, &LabPosition)> = positions.iter().enumerate().take(counts.len()).collect();
    let searches: Vec<Result<_, Failure>> = workers.map_until_stopped(&indexed, |(index, position)| {
        let board = position.position.board();
        let write_move = |mv| ChessVariant::of(board).uci_move(board, mv);
        let samplers = chances.samplers(options.seed, *index);
        let mut watcher = Watcher::new(
            &position.name,
            &write_move,
            &chances,
            samplers,
            &facts,
            options.most_nodes,
        );
        let game = Game::new(position.position.clone());
        let mut engine = Engine::collecting(
            Arc::clone(&variant.preset),
            Arc::clone(&variant.policy),
            variant.hash_mib,
            FactSet::all(),
        )
        .map_err(|error| Failure::run(error.to_string()))?;
        let nodes = engine
            .search_observed(&game, &limits, &AtomicBool::new(false), &mut watcher)
            .nodes;
        Ok((watcher.finish(), nodes))
    });
    let mut collected = Collected {
        file: CurveFile {
            facts: facts.facts().to_vec(),
            curves: Vec::new(),
        },
        population: population.total(),
        undecided: 0,
        compared: 0,
        nodes: 0,
        shadow_nodes: 0,
        positions: searches.len(),
    };
    for (search, position) in searches.into_iter().zip(positions) {
        let (watched, nodes) = search?;
        if watched.different > 0 {
            return Err(Failure::run(format!(
                "{} of {} curves in {} differ from the search of their move; this is a bug in lmrlab, please report it",
                watched.different, watched.compared, position.name
            )));
        }
        collected.nodes += nodes;
        collected.undecided += watched.undecided;
        collected.compared += watched.compared;
        collected.shadow_nodes += watched.shadow_nodes;
        collected.file.curves.extend(watched.curves);
    }
    Ok(collected)
}
