//! What a missed move costs at each kind of node: what the start pays for one.
//!
//! A miss does not cost the same at each kind of node. The numbers of a start that was tuned by games show what a miss
//! costs there. Half a ply more at all nodes of a kind saves nodes and misses moves. The ratio of both is the price at
//! which the start is in balance.

use std::fmt::Write as _;

use lmrlab_engine::search::observer::NodeKind;
use lmrlab_policy::Policy;
use rayon::prelude::*;

use super::cost::{Cost, weight};
use crate::curves::curve_facts::FactColumns;
use crate::curves::{Curve, CurveFile};
use crate::node_kinds::{KINDS, kind_name};

/// The price where the curves do not say what the start pays: that of the best rank correlation with games (docs/learning.md).
pub(super) const USUAL: f64 = 4.7;

/// Half of the change of a reduction from which a price is taken, in plies.
const HALF: f64 = 0.5;

/// A price needs at least this number of curves that the change of the reduction makes missed or found.
const LEAST_CHANGES: usize = 20;

/// The price of a missed move at each kind of node, in searches of the move at full depth.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Prices([f64; KINDS.len()]);

/// What more reduction at the late moves of a kind changes.
#[derive(Debug, Clone, Copy, Default)]
struct Change {
    saved: f64,
    missed: f64,
    curves: usize,
}

impl Change {
    fn plus(self, other: Self) -> Self {
        Self {
            saved: self.saved + other.saved,
            missed: self.missed + other.missed,
            curves: self.curves + other.curves,
        }
    }

    fn price(self) -> Option<f64> {
        let known = self.curves >= LEAST_CHANGES && self.missed > 0.0 && self.saved > 0.0;
        known.then(|| self.saved / self.missed)
    }
}

impl Prices {
    /// What `start` pays for a missed move, times `factor`. A kind with too few curves has the price of all kinds together.
    pub fn of_start(start: &Policy, file: &CurveFile, factor: f64) -> Self {
        let columns = FactColumns::of(file, start);
        let of_curve = |curve: &Curve| {
            let facts = columns.facts(curve);
            let Some(raw) = start.raw(&facts) else {
                return Change::default();
            };
            let cost = |raw: f64| Cost::of(curve, start.limited(start.whole(raw), &facts));
            let (less, more) = (cost(raw - HALF), cost(raw + HALF));
            let missed = |cost: Cost| f64::from(u8::from(cost.missed));
            Change {
                saved: weight(curve) * (less.nodes - more.nodes),
                missed: weight(curve) * (missed(more) - missed(less)),
                curves: usize::from(less.missed != more.missed),
            }
        };
        // The sums are made in the order of the file, so they are the same on any number of threads.
        let of_curves: Vec<Change> = file.curves.par_iter().map(of_curve).collect();
        let mut changes = [Change::default(); KINDS.len()];
        for (curve, change) in file.curves.iter().zip(of_curves) {
            let sum = &mut changes[place(curve.kind)];
            *sum = sum.plus(change);
        }
        let all = changes.into_iter().fold(Change::default(), Change::plus);
        let usual = all.price().unwrap_or(USUAL);
        Self(changes.map(|change| factor * change.price().unwrap_or(usual)))
    }

    /// The price at a kind of node.
    pub fn at(&self, kind: NodeKind) -> f64 {
        self.0[place(kind)]
    }

    /// The prices in one line.
    pub fn text(&self) -> String {
        let mut text = "price of a missed move, in searches of it at full depth:".to_owned();
        for (kind, price) in KINDS.into_iter().zip(self.0) {
            let _ = write!(text, " {} {price:.1}", kind_name(kind));
        }
        text
    }

    #[cfg(test)]
    pub(super) fn same(price: f64) -> Self {
        Self([price; KINDS.len()])
    }
}

fn place(kind: NodeKind) -> usize {
    KINDS.iter().position(|known| *known == kind).unwrap_or(0)
}
