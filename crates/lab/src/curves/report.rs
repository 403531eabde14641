//! Curves as a table.

use super::curve::Curve;
use lmrlab_results::number_text::percent;
use lmrlab_runner::text_table::TextTable;

/// The greatest reduction in the table, in plies.
const GREATEST: i32 = 8;

/// For each reduction: how often the first search misses a move that raises alpha, how often it raises alpha for
/// nothing, and the cost of the searches. Each move counts with its weight.
pub fn curve_table(curves: &[Curve]) -> String {
    let mut table = TextTable::new(
        0,
        [
            "plies",
            "moves",
            "of them raise",
            "missed",
            "false alarms",
            "nodes of R = 0",
        ],
    );
    for reduction in -1..=GREATEST {
        let known = curves.iter().filter(|curve| curve.knows(reduction));
        let mut sums = Sums::default();
        known.clone().for_each(|curve| sums.add(curve, reduction));
        if sums.sampled == 0 {
            continue;
        }
        let share = |part: f64, whole: f64| percent((whole > 0.0).then(|| part / whole));
        table.push([
            reduction.to_string(),
            sums.sampled.to_string(),
            share(sums.raising, sums.moves),
            share(sums.missed, sums.raising),
            share(sums.false_alarms, sums.moves - sums.raising),
            share(sums.nodes, sums.full_nodes),
        ]);
    }
    format!(
        "{table}missed: of the moves that raise alpha at full depth, those that fail low in the first search\n\
         false alarms: of the moves that fail low at full depth, those that raise alpha in the first search\n\
         nodes: of all searches of the move, those that follow the first one included\n"
    )
}

/// Sums over moves, each with its weight.
#[derive(Debug, Default)]
struct Sums {
    sampled: u64,
    moves: f64,
    raising: f64,
    missed: f64,
    false_alarms: f64,
    nodes: f64,
    full_nodes: f64,
}

impl Sums {
    fn add(&mut self, curve: &Curve, reduction: i32) {
        let (full, point) = (curve.full(), curve.point(reduction));
        let weight_if = |condition: bool| if condition { curve.weight } else { 0.0 };
        self.sampled += 1;
        self.moves += curve.weight;
        self.raising += weight_if(full.raises);
        self.missed += weight_if(full.raises && !point.first_raises);
        self.false_alarms += weight_if(!full.raises && point.first_raises);
        self.nodes += curve.weight * point.nodes as f64;
        self.full_nodes += curve.weight * full.nodes as f64;
    }
}
