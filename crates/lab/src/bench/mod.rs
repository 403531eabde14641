//! How a policy changes the size and the shape of search trees.

mod outcome;

use std::ops::AddAssign;

use lmrlab_engine::engine::Report;
use lmrlab_engine::search::observer::{
    CompletedIteration, Events, MadeBy, NodeExit, NodeKind, NullMoveTried, Observer,
};

pub use self::outcome::BenchTables;
use super::positions::LabPosition;
use super::search::{SearchLimit, search_observed};
use super::variant::Variant;
use super::workers::{Columns, Workers};

/// Counts of one search, or of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Moves made by nodes of the main search, null moves excluded.
    pub main_nodes: u64,
    /// Null moves made.
    pub null_nodes: u64,
    /// Moves made in quiescence.
    pub quiescence_nodes: u64,
    /// Null moves that were tried.
    pub null_moves: u64,
    /// Of these, those that decided their node.
    pub null_move_cutoffs: u64,
    /// Nodes of the main search where a move reached beta.
    pub cutoffs: u64,
    /// Of these, those where it was the first move searched.
    pub first_move_cutoffs: u64,
    /// The numbers of the moves that reached beta, summed; the first move's is 1.
    pub cutoff_moves: u64,
}

impl Counts {
    /// All moves made: what the search itself counts as its nodes.
    pub fn nodes(&self) -> u64 {
        self.main_nodes + self.null_nodes + self.quiescence_nodes
    }
}

impl AddAssign<&Counts> for Counts {
    fn add_assign(&mut self, other: &Counts) {
        self.main_nodes += other.main_nodes;
        self.null_nodes += other.null_nodes;
        self.quiescence_nodes += other.quiescence_nodes;
        self.null_moves += other.null_moves;
        self.null_move_cutoffs += other.null_move_cutoffs;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.cutoff_moves += other.cutoff_moves;
    }
}

/// One position searched with one variant.
#[derive(Debug, Clone)]
pub struct Benched {
    /// The counts of the search.
    pub counts: Counts,
    /// Nodes of each iteration that it completed, from depth 1.
    pub iterations: Vec<u64>,
    /// The result.
    pub report: Report,
}

/// Counts the nodes, null moves and cutoffs of a search.
#[derive(Debug, Default)]
pub(super) struct Counter {
    pub(super) counts: Counts,
    iterations: Vec<u64>,
}

impl Observer for Counter {
    fn events(&self) -> Events {
        Events::NODES
    }

    #[inline]
    fn on_move_made(&mut self, _ply: u32, _mv: Option<cozy_chess::Move>, made_by: MadeBy) {
        let nodes = match made_by {
            MadeBy::Node => &mut self.counts.main_nodes,
            MadeBy::NullMove => &mut self.counts.null_nodes,
            MadeBy::Quiescence => &mut self.counts.quiescence_nodes,
        };
        *nodes += 1;
    }

    #[inline]
    fn on_null_move(&mut self, tried: &NullMoveTried) {
        self.counts.null_moves += 1;
        self.counts.null_move_cutoffs += u64::from(tried.cutoff);
    }

    #[inline]
    fn on_node_exit(&mut self, node: &NodeExit) {
        if node.outcome == NodeKind::Cut {
            self.counts.cutoffs += 1;
            self.counts.first_move_cutoffs += u64::from(node.moves_searched == 1);
            self.counts.cutoff_moves += u64::from(node.moves_searched);
        }
    }

    fn on_iteration(&mut self, iteration: &CompletedIteration<'_>) {
        let before: u64 = self.iterations.iter().sum();
        self.iterations.push(iteration.nodes - before);
    }
}

/// Searches a position and counts.
pub fn bench_position(variant: &Variant, position: &LabPosition, limit: SearchLimit) -> Benched {
    let mut counter = Counter::default();
    let report = search_observed(variant, &position.position, &limit.limits(), &mut counter);
    Benched {
        counts: counter.counts,
        iterations: counter.iterations,
        report,
    }
}

/// Searches every position with every variant. When the workers are asked to stop, the results are of the positions
/// that every variant has completed.
pub fn bench(
    variants: &[Variant],
    positions: &[LabPosition],
    limit: SearchLimit,
    workers: &Workers,
) -> Columns<Benched> {
    workers.columns(variants, positions, |variant, (_, position)| {
        bench_position(variant, position, limit)
    })
}
