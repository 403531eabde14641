//! The lines of the files of `bench`.

use std::ops::AddAssign;

use crate::fixed::Fixed;
use crate::row::rows;

rows! {
    /// A line of policies.csv of a bench: sums and means over the positions. A host reports nodes and times alone.
    #[derive(Default)]
    BenchedPolicy {
        policy: String = "Policy", "", "its name, with its overrides";
        nodes: u64 = "Nodes", "nodes", "of all searches";
        nodes_ratio: Option<f64> = "Ratio", "", "nodes divided by those of the first policy";
        nodes_ratio_geometric_mean: Option<f64> = "By position", "", "the same position by position: geometric mean, so large trees do not outweigh small ones";
        nodes_ratio_geometric_mean_low_95: Option<f64> = "from", "", "low end of the 95% interval of this mean";
        nodes_ratio_geometric_mean_high_95: Option<f64> = "to", "", "high end of the 95% interval of this mean";
        time_ms: Fixed<3> = "Time (ms)", "ms", "of all observed searches", Decimals(0);
        time_ratio: Option<f64> = "Time ratio", "", "time divided by that of the first policy";
        nodes_per_second: Option<f64> = "Nodes a second", "nodes", "nodes divided by the time", Decimals(0);
        mean_depth: Option<f64> = "Depth", "plies", "completed iterations, mean over the positions", Decimals(1);
        effective_branching_factor: Option<f64> = "EBF", "", "effective branching factor: geometric mean over the iterations from the second on";
        first_move_cutoff_rate: Option<f64> = "First-move cutoffs", "share", "of the beta cutoffs, those by the first move";
        mean_cutoff_move: Option<f64> = "Cutoff move", "", "mean number of the move that cut, from 1";
        null_move_cutoff_rate: Option<f64> = "Null-move cutoffs", "share", "of the null moves, those that cut";
        quiescence_share: Option<f64> = "Quiescence", "share", "of the nodes, those of the quiescence search";
    }

    /// What a search counts of its tree.
    #[derive(Default, Copy, Eq)]
    TreeCounts {
        quiescence_nodes: u64 = "Quiescence", "nodes", "of the quiescence search";
        null_moves: u64 = "Null moves", "", "null moves tried";
        null_move_cutoffs: u64 = "cut", "", "null moves that cut";
        cutoffs: u64 = "Cutoffs", "", "beta cutoffs";
        first_move_cutoffs: u64 = "by the first", "", "cutoffs by the first move";
        cutoff_moves: u64 = "Cutoff moves", "", "sum of the numbers of the moves that cut";
    }

    /// A line of positions.csv of a bench.
    #[derive(Default)]
    BenchRow {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        depth: usize = "Depth", "plies", "the last iteration";
        best: String = "Best", "", "the best move", Moves;
        score_cp: Option<i32> = "Score", "centipawns", "score of the best move, for the side to move; empty when it is a mate";
        mate_in: Option<i32> = "Mate in", "moves", "moves to the mate after the best move; negative: mated";
        nodes: u64 = "Nodes", "nodes", "of the search";
        ..counts: TreeCounts;
    }

    /// A line of iterations.csv of a bench.
    IterationRow {
        policy: String = "Policy", "", "its name, with its overrides";
        depth: u32 = "Depth", "plies", "of the iteration";
        positions: u64 = "Positions", "positions", "with a search that reached this iteration";
        nodes: u64 = "Nodes", "nodes", "of the iterations";
        effective_branching_factor: Option<f64> = "EBF", "", "nodes of the iteration, divided by those of the one before in the same positions";
    }

    /// A line of times.csv of a bench.
    BenchTime {
        policy: String = "Policy", "", "its name, with its overrides";
        position: String = "Position", "", "the position: its name, or `#` and its number";
        fen: String = "FEN", "", "the position";
        nodes: u64 = "Nodes", "nodes", "of the search";
        time_ms: f64 = "ms", "ms", "time of the search";
    }
}

impl AddAssign<&Self> for TreeCounts {
    fn add_assign(&mut self, other: &Self) {
        self.quiescence_nodes += other.quiescence_nodes;
        self.null_moves += other.null_moves;
        self.null_move_cutoffs += other.null_move_cutoffs;
        self.cutoffs += other.cutoffs;
        self.first_move_cutoffs += other.first_move_cutoffs;
        self.cutoff_moves += other.cutoff_moves;
    }
}
