//! How a policy changes the size and the shape of search trees.

use std::ops::AddAssign;
use std::time::Duration;

use lmrlab_engine::chess_variant::ChessVariant;
use lmrlab_engine::engine::Report;
use lmrlab_engine::search::observer::{
    CompletedIteration, Events, MadeBy, NodeExit, NodeKind, NullMoveTried, Observer,
};
use serde::Serialize;

use super::each::each;
use super::positions::LabPosition;
use super::ratio::ratio;
use super::search::{SearchLimit, search_observed};
use super::variant::Variant;
use super::workers::{Columns, Workers};
use lmrlab_results::lab_rows::{BenchRow, BenchTime, IterationRow};
use lmrlab_results::written_score::WrittenScore;
use lmrlab_stats::geometric_mean;

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
    /// Nodes from the beginning of the search to the end of each iteration that it completed, from depth 1.
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
        self.iterations.push(iteration.nodes);
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
    workers.columns(variants, positions, |variant, position| {
        bench_position(variant, position, limit)
    })
}

/// The sums and means of a variant over all positions.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Summary {
    /// The policy.
    pub policy: String,
    /// Nodes: every move made.
    pub nodes: u64,
    /// Nodes divided by those of the first policy.
    pub nodes_ratio: Option<f64>,
    /// The geometric mean of the same quotient, position by position: large trees do not outweigh small ones.
    pub nodes_ratio_geometric_mean: Option<f64>,
    /// Time of the observed searches, in milliseconds.
    pub time_ms: f64,
    /// The same divided by that of the first policy.
    pub time_ratio: Option<f64>,
    /// Nodes a second.
    pub nodes_per_second: f64,
    /// Completed iterations, averaged over the positions.
    pub mean_depth: f64,
    /// The geometric mean of the effective branching factors of all iterations from the second on.
    pub effective_branching_factor: Option<f64>,
    /// Of the nodes where a move reached beta, the share where it was the first.
    pub first_move_cutoff_rate: Option<f64>,
    /// The mean number of the move that reached beta, from 1.
    pub mean_cutoff_move: Option<f64>,
    /// The share of null moves that decided their node.
    pub null_move_cutoff_rate: Option<f64>,
    /// The share of nodes that are quiescence's.
    pub quiescence_share: Option<f64>,
    /// By iteration.
    pub iterations: Vec<IterationSummary>,
}

/// An iteration over all positions that completed it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct IterationSummary {
    /// Its nominal depth, in plies.
    pub depth: u32,
    /// Positions that completed it.
    pub positions: u64,
    /// Nodes of the iteration alone, over these positions.
    pub nodes: u64,
    /// The same divided by the nodes of the iteration before, over these positions. Knuth and Moore (1975) define the
    /// branching factor; iterative deepening makes it measurable.
    pub effective_branching_factor: Option<f64>,
}

/// Sums up each variant's searches.
pub fn summarize(variants: &[Variant], benched: &[Vec<Benched>]) -> Vec<Summary> {
    let time = |searches: &[Benched]| {
        let time: Duration = searches.iter().map(|benched| benched.report.time).sum();
        time.as_secs_f64() * 1e3
    };
    let nodes = |searches: &[Benched]| searches.iter().map(|benched| benched.report.nodes).sum();
    let first: &[Benched] = benched.first().map_or(&[], Vec::as_slice);
    variants
        .iter()
        .zip(benched)
        .map(|(variant, searches)| {
            let mut counts = Counts::default();
            for benched in searches {
                counts += &benched.counts;
            }
            let iterations = iterations(searches);
            let factors = iterations
                .iter()
                .filter_map(|iteration| iteration.effective_branching_factor);
            let depths = searches.iter().map(|benched| benched.iterations.len());
            let time_ms = time(searches);
            let total: u64 = nodes(searches);
            Summary {
                policy: variant.name.clone(),
                nodes: total,
                nodes_ratio: ratio(total, nodes(first)),
                nodes_ratio_geometric_mean: geometric_mean(
                    searches
                        .iter()
                        .zip(first)
                        .filter_map(|(benched, first)| ratio(benched.report.nodes, first.report.nodes)),
                ),
                time_ms,
                time_ratio: Some(time_ms / time(first)).filter(|ratio| ratio.is_finite()),
                nodes_per_second: if time_ms > 0.0 {
                    total as f64 / time_ms * 1e3
                } else {
                    0.0
                },
                mean_depth: depths.sum::<usize>() as f64 / searches.len().max(1) as f64,
                effective_branching_factor: geometric_mean(factors),
                first_move_cutoff_rate: ratio(counts.first_move_cutoffs, counts.cutoffs),
                mean_cutoff_move: ratio(counts.cutoff_moves, counts.cutoffs),
                null_move_cutoff_rate: ratio(counts.null_move_cutoffs, counts.null_moves),
                quiescence_share: ratio(counts.quiescence_nodes, counts.nodes()),
                iterations,
            }
        })
        .collect()
}

fn iterations(searches: &[Benched]) -> Vec<IterationSummary> {
    let deepest = searches.iter().map(|benched| benched.iterations.len()).max();
    (0..deepest.unwrap_or(0))
        .map(|index| {
            let until = |benched: &Benched, index: Option<usize>| index.map_or(0, |index| benched.iterations[index]);
            let of =
                |benched: &Benched, index: usize| until(benched, Some(index)) - until(benched, index.checked_sub(1));
            let reached = searches.iter().filter(|benched| benched.iterations.len() > index);
            let (mut positions, mut nodes, mut before) = (0, 0, 0);
            for benched in reached {
                positions += 1;
                nodes += of(benched, index);
                before += index.checked_sub(1).map_or(0, |index| of(benched, index));
            }
            IterationSummary {
                depth: index as u32 + 1,
                positions,
                nodes,
                effective_branching_factor: ratio(nodes, before),
            }
        })
        .collect()
}

/// The lines of the CSV, policy by policy.
pub fn rows(variants: &[Variant], positions: &[LabPosition], benched: &[Vec<Benched>]) -> Vec<BenchRow> {
    let names = variants.iter().map(|variant| &variant.name);
    each(names, positions, benched, |policy, position, benched| {
        let board = position.position.board();
        let counts = benched.counts;
        let (score_cp, mate_in) = WrittenScore::from(benched.report.score).cells();
        BenchRow {
            policy,
            position: position.name.clone(),
            fen: position.position.to_string(),
            depth: benched.iterations.len(),
            best: (benched.report.best).map_or_else(String::new, |mv| ChessVariant::of(board).uci_move(board, mv)),
            score_cp,
            mate_in,
            nodes: benched.report.nodes,
            quiescence_nodes: counts.quiescence_nodes,
            null_moves: counts.null_moves,
            null_move_cutoffs: counts.null_move_cutoffs,
            cutoffs: counts.cutoffs,
            first_move_cutoffs: counts.first_move_cutoffs,
            cutoff_moves: counts.cutoff_moves,
        }
    })
}

/// The lines of the CSV of iterations, policy by policy.
pub fn iteration_rows(summaries: &[Summary]) -> impl Iterator<Item = IterationRow> {
    summaries.iter().flat_map(|summary| {
        summary.iterations.iter().map(|iteration| IterationRow {
            policy: summary.policy.clone(),
            depth: iteration.depth,
            positions: iteration.positions,
            nodes: iteration.nodes,
            effective_branching_factor: iteration.effective_branching_factor,
        })
    })
}

/// The lines of the CSV of times, policy by policy.
pub fn time_rows(variants: &[Variant], positions: &[LabPosition], benched: &[Vec<Benched>]) -> Vec<BenchTime> {
    let names = variants.iter().map(|variant| &variant.name);
    each(names, positions, benched, |policy, position, benched| BenchTime {
        policy,
        position: position.name.clone(),
        fen: position.position.to_string(),
        nodes: benched.report.nodes,
        time_ms: benched.report.time.as_secs_f64() * 1e3,
    })
}
