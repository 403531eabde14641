//! The reductions of plain moves by depth and by the moves searched before.

use super::given::Given;
use super::plain_move::PlainMove;
use crate::policy::Policy;

/// The reductions of plain quiet moves: a row for each depth from 1, a column for each number of moves searched before from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct ReductionTable {
    rows: Vec<Vec<f64>>,
}

impl ReductionTable {
    /// The whole plies by which a search reduces moves with these facts.
    pub fn new(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        let row = |depth| {
            let cell = |searched| policy.reduction(&PlainMove::new(depth, searched, given)).into();
            (0..=moves).map(cell).collect()
        };
        Self {
            rows: (1..=depths).map(row).collect(),
        }
    }

    /// The cells, row by row: the depth in plies, the moves searched before, and the reduction.
    pub fn cells(&self) -> impl Iterator<Item = (u32, u32, f64)> {
        let rows = self.rows.iter().zip(1..);
        rows.flat_map(|(row, depth)| {
            row.iter()
                .zip(0..)
                .map(move |(cell, searched)| (depth, searched, *cell))
        })
    }
}
