//! The curve of a late move: the result of its search with each reduction. The engine searches the move once for each
//! reduction, on a copy of its search.

use crate::late_move::LateMove;
use crate::trace::Outcome;

/// How far a curve goes beyond the engine's own reduction, in plies.
const BEYOND: i32 = 3;

/// One of this number of moves that fail low with a reduction of 0 gets a whole curve. The others get only the point of
/// reduction 0.
pub const FAILING_LOW: u64 = 4;

/// Whether a move that fails low with a reduction of 0 gets a whole curve, by its number in the trace. Every move that
/// raises alpha gets one.
pub fn takes_failing_low(id: u64) -> bool {
    id.is_multiple_of(FAILING_LOW)
}

/// The searches for the curve of a sampled move, one after the other: with a reduction of 0, then with those below 0,
/// then with those above. [`Host::curve`](crate::Host::curve) begins a curve, [`Host::point`](crate::Host::point) takes
/// the result of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Curve {
    id: u64,
    own: i32,
    is_late: bool,
    next: Option<i32>,
}

/// One search of a curve: the engine's ordinary search of the move, with this reduction.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct CurveSearch {
    /// The reduction, in plies; below 0 an extension.
    pub reduction: i32,
    /// Whether the search is that of a late move.
    pub late: bool,
}

/// The result of one search of a curve.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurvePoint {
    /// Whether the score of the first search was above alpha.
    pub failed_high: bool,
    /// The nodes of the first search.
    pub first_nodes: u64,
    /// The outcome of the move, by its last search.
    pub outcome: Outcome,
    /// The nodes of all its searches.
    pub nodes: u64,
}

impl Curve {
    pub(crate) fn of(late_move: &LateMove) -> Self {
        Self {
            id: late_move.id,
            own: late_move.reduction,
            is_late: late_move.late,
            next: Some(0),
        }
    }

    /// The next search; `None` when the curve is complete.
    pub fn search(&self) -> Option<CurveSearch> {
        self.next.map(|reduction| CurveSearch {
            reduction,
            late: self.is_late || reduction != self.own,
        })
    }

    /// Chooses the next search after one has ended; `outcome` is `None` when it was stopped.
    pub(crate) fn proceed(&mut self, full_depth: i32, outcome: Option<Outcome>) {
        let Some(reduction) = self.next else {
            return;
        };
        // A greater reduction than this one changes nothing: quiescence follows anyway.
        let is_deepest = reduction >= full_depth && reduction >= self.own;
        let most = self.own.max(0).saturating_add(BEYOND);
        self.next = match (reduction, outcome) {
            (0, Some(Outcome::FailedLow)) if !takes_failing_low(self.id) => None,
            (0.., None) => None,
            (..=0, Some(_)) if reduction > self.own.min(-1) => Some(reduction - 1),
            (..0, _) => Some(1),
            _ if is_deepest || reduction >= most => None,
            _ => Some(reduction + 1),
        };
    }
}
