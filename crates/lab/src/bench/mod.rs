//! How a policy changes the size and the shape of search trees.

mod outcome;

use lmrlab_engine::engine::Report;
use lmrlab_engine::search::observer::{
    CompletedIteration, Events, MadeBy, NodeExit, NodeKind, NullMoveTried, Observer,
};
use lmrlab_results::rows::bench::TreeCounts;

pub use self::outcome::BenchTables;
pub(crate) use self::outcome::compared;
use super::positions::LabPosition;
use super::search::{SearchLimit, search_observed};
use super::variant::Variant;
use super::workers::{Columns, Workers};

/// One position searched with one variant.
#[derive(Debug, Clone)]
pub struct Benched {
    /// The counts of the search.
    pub counts: TreeCounts,
    /// Nodes of each iteration that it completed, from depth 1.
    pub iterations: Vec<u64>,
    /// The result.
    pub report: Report,
}

/// Counts the nodes, null moves and cutoffs of a search.
#[derive(Debug, Default)]
pub(super) struct Counter {
    pub(super) counts: TreeCounts,
    iterations: Vec<u64>,
}

impl Observer for Counter {
    fn events(&self) -> Events {
        Events::NODES
    }

    #[inline]
    fn on_move_made(&mut self, _ply: u32, _mv: Option<cozy_chess::Move>, made_by: MadeBy) {
        self.counts.quiescence_nodes += u64::from(made_by == MadeBy::Quiescence);
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
