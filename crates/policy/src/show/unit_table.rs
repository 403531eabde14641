//! Tables of reductions in other units than whole plies, as published schemes have them.

use super::given::Given;
use super::picture::{Picture, PictureCell, Tone};
use super::plain_move::PlainMove;
use crate::policy::Policy;

/// A unit of depth.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Unit {
    /// A whole ply.
    Ply,
    /// Half a ply.
    HalfPly,
    /// A ply divided by 1,024.
    Ply1024th,
}

impl Unit {
    /// How many of them make a ply.
    pub fn per_ply(self) -> f64 {
        match self {
            Self::Ply => 1.0,
            Self::HalfPly => 2.0,
            Self::Ply1024th => 1024.0,
        }
    }

    /// Several of them, in words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ply => "plies",
            Self::HalfPly => "half-plies",
            Self::Ply1024th => "1/1024 ply",
        }
    }
}

/// The reductions of plain quiet moves in some unit, before the limits that depend on the move, such as the remaining depth.
#[derive(Debug, Clone, PartialEq)]
pub struct UnitTable {
    rows: Vec<Vec<f64>>,
    /// Digits after the decimal point when the table is printed.
    decimals: usize,
}

/// One cell of a [`UnitTable`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct UnitCell {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    /// The reduction, in the unit of the table.
    pub reduction: f64,
}

impl UnitTable {
    /// Whole numbers of `unit`, rounded as the policy rounds plies, between its `min` and `max`; with `real`, the numbers
    /// as the policy computes them. For depths from 1 to `depths` and up to `moves` moves searched before.
    pub fn new(policy: &Policy, depths: u32, moves: u32, given: &Given, unit: Unit, real: bool) -> Self {
        let cell = |depth, searched| policy.in_unit(&PlainMove::new(depth, searched, given), unit.per_ply(), real);
        Self {
            rows: (1..=depths)
                .map(|depth| (0..=moves).map(|searched| cell(depth, searched)).collect())
                .collect(),
            decimals: if real && unit != Unit::Ply1024th { 2 } else { 0 },
        }
    }

    /// The cells, row by row, as they go to a CSV.
    pub fn cells(&self) -> impl Iterator<Item = UnitCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter().zip(0..).map(move |(&reduction, moves_searched)| UnitCell {
                depth,
                moves_searched,
                reduction,
            })
        })
    }

    /// The table for printing: equal neighbours merged, no reduction as a dot.
    pub fn picture(&self) -> Picture {
        self.draw(&self.rows, |text| text)
    }

    /// What another table of the same size has more, for printing: no difference as a dot.
    pub fn difference(&self, other: &Self) -> Picture {
        let minus =
            |(old, new): (&Vec<f64>, &Vec<f64>)| -> Vec<f64> { new.iter().zip(old).map(|(n, o)| n - o).collect() };
        let rows: Vec<Vec<f64>> = self.rows.iter().zip(&other.rows).map(minus).collect();
        self.draw(&rows, |text| match text.starts_with('-') {
            true => text,
            false => format!("+{text}"),
        })
    }

    fn draw(&self, rows: &[Vec<f64>], sign: impl Fn(String) -> String) -> Picture {
        Picture::of(rows, |&reduction| PictureCell {
            text: match reduction {
                0.0 => ".".to_owned(),
                reduction => sign(format!("{reduction:.*}", self.decimals)),
            },
            tone: Tone::of(reduction as i32),
        })
    }
}
