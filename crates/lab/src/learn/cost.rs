//! What a move costs with a reduction, and how much it counts.

use crate::curves::Curve;

/// What a move costs with a reduction.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Cost {
    /// Its nodes as a share of those at full depth.
    pub(super) nodes: f64,
    /// Whether it is missed; see [`Curve::misses`].
    pub(super) missed: bool,
}

impl Cost {
    pub(super) fn of(curve: &Curve, reduction: i32) -> Self {
        Self {
            nodes: curve.point(reduction).nodes as f64 / curve.full().nodes.max(1) as f64,
            missed: curve.misses(reduction),
        }
    }

    /// The worse of both: the greater number of nodes, and a miss when one of them is.
    pub(super) fn worst(self, other: Self) -> Self {
        Self {
            nodes: self.nodes.max(other.nodes),
            missed: self.missed || other.missed,
        }
    }

    /// As one number, when a missed move costs `price`.
    pub(super) fn loss(self, price: f64) -> f64 {
        self.nodes + if self.missed { price } else { 0.0 }
    }
}

/// How much a move counts: as often as the search has moves like it, times its nodes at full depth.
pub(super) fn weight(curve: &Curve) -> f64 {
    curve.weight * curve.full().nodes.max(1) as f64
}
