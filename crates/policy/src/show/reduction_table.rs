//! The reductions of plain moves by depth and by the moves searched before.

use super::given::Given;
use super::picture::Picture;
use super::plain_move::PlainMove;
use crate::policy::Policy;

/// A unit of depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// A whole ply.
    Ply,
    /// Half a ply.
    HalfPly,
    /// A ply divided by 1,024.
    Ply1024th,
}

impl Unit {
    fn per_ply(self) -> f64 {
        match self {
            Self::Ply => 1.0,
            Self::HalfPly => 2.0,
            Self::Ply1024th => 1024.0,
        }
    }

    /// The plural, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "plies",
            Self::HalfPly => "half-plies",
            Self::Ply1024th => "1/1024 ply",
        }
    }
}

/// The reductions of plain quiet moves: a row for each depth from 1, a column for each number of moves searched before from 0.
#[derive(Debug, Clone, PartialEq)]
pub struct ReductionTable {
    rows: Vec<Vec<f64>>,
    /// Digits after the decimal point when the table is printed.
    decimals: usize,
}

impl ReductionTable {
    /// The whole plies by which a search reduces moves with these facts.
    pub fn new(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        Self::of(depths, moves, 0, |depth, searched| {
            policy.reduction(&PlainMove::new(depth, searched, given)).into()
        })
    }

    /// The same in a unit of published tables, before the limits that depend on the move, such as the remaining depth. With
    /// `real`, the numbers before rounding; otherwise whole numbers of `unit`, rounded as the policy rounds plies.
    pub fn in_unit(policy: &Policy, depths: u32, moves: u32, given: &Given, unit: Unit, real: bool) -> Self {
        let decimals = if real && unit != Unit::Ply1024th { 2 } else { 0 };
        Self::of(depths, moves, decimals, |depth, searched| {
            policy.in_unit(&PlainMove::new(depth, searched, given), unit.per_ply(), real)
        })
    }

    fn of(depths: u32, moves: u32, decimals: usize, cell: impl Fn(u32, u32) -> f64) -> Self {
        let row = |depth| (0..=moves).map(|searched| cell(depth, searched)).collect();
        Self {
            rows: (1..=depths).map(row).collect(),
            decimals,
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

    /// The table for printing: equal neighbours merged, no reduction as a dot.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.rows, |cell| format!("{cell:.*}", self.decimals))
    }

    /// By how much the reductions of another table of the same size are greater, for printing: no difference as a dot.
    pub fn difference(&self, other: &Self) -> Picture {
        let minus = |(old, new): (&Vec<f64>, &Vec<f64>)| new.iter().zip(old).map(|(n, o)| n - o).collect();
        let rows: Vec<Vec<f64>> = self.rows.iter().zip(&other.rows).map(minus).collect();
        Picture::of(&rows, |cell| match format!("{cell:.*}", self.decimals) {
            text if text.starts_with('-') => text,
            text => format!("+{text}"),
        })
    }
}
