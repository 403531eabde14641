//! The reductions of plain moves by depth and by the moves searched before, and the difference of two such tables.

use std::fmt;

use super::given::Given;
use super::picture::{Picture, PictureCell, Tone};
use super::plain_move::PlainMove;
use crate::facts::Flags;
use crate::policy::Policy;

/// The reductions of plain quiet moves: a row for each depth, a column for each number of moves searched before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReductionTable {
    rows: Vec<Vec<i32>>,
}

impl ReductionTable {
    /// Evaluates `policy` for depths from 1 to `depths` and for up to `moves` moves searched before. Besides `quiet`, the
    /// facts in `flags` are true.
    pub fn new(policy: &Policy, depths: u32, moves: u32, flags: Flags) -> Self {
        Self::with_facts(policy, depths, moves, &Given::of_flags(flags))
    }

    /// As [`ReductionTable::new`], for moves with these facts.
    pub fn with_facts(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        Self::of(depths, moves, |depth, searched| {
            policy.reduction(&PlainMove::new(depth, searched, given))
        })
    }

    /// As [`ReductionTable::with_facts`], but without the limits that depend on the move, such as the remaining depth.
    /// Published tables have no such limits.
    pub fn before_limits(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        Self::of(depths, moves, |depth, searched| {
            let explanation = policy.explain(&PlainMove::new(depth, searched, given));
            explanation.map_or(0, |explanation| explanation.whole)
        })
    }

    fn of(depths: u32, moves: u32, cell: impl Fn(u32, u32) -> i32) -> Self {
        Self {
            rows: (1..=depths)
                .map(|depth| (0..=moves).map(|moves| cell(depth, moves)).collect())
                .collect(),
        }
    }

    /// The cells, row by row, as they go to a CSV.
    pub fn cells(&self) -> impl Iterator<Item = ReductionCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter().zip(0..).map(move |(&plies, moves_searched)| ReductionCell {
                depth,
                moves_searched,
                plies,
            })
        })
    }

    /// The table for printing: equal neighbours merged, no reduction as a dot.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.rows, |&plies| PictureCell {
            text: match plies {
                0 => ".".to_owned(),
                plies => plies.to_string(),
            },
            tone: Tone::of(plies),
        })
    }
}

/// One cell of a [`ReductionTable`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReductionCell {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    /// The reduction, in plies.
    pub plies: i32,
}

impl fmt::Display for ReductionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture().fmt(f)
    }
}

/// Two tables of one size, cell by cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableDiff {
    rows: Vec<Vec<(i32, i32)>>,
}

impl TableDiff {
    /// Compares two tables, where they overlap.
    pub fn new(old: &ReductionTable, new: &ReductionTable) -> Self {
        let pairs =
            |(old, new): (&Vec<i32>, &Vec<i32>)| -> Vec<_> { old.iter().copied().zip(new.iter().copied()).collect() };
        Self {
            rows: old.rows.iter().zip(&new.rows).map(pairs).collect(),
        }
    }

    /// The cells, row by row, equal ones included.
    pub fn cells(&self) -> impl Iterator<Item = DiffCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter().zip(0..).map(move |(&(old, new), moves_searched)| DiffCell {
                depth,
                moves_searched,
                old,
                new,
            })
        })
    }

    /// How many cells differ.
    pub fn differing(&self) -> usize {
        self.cells().filter(|cell| cell.old != cell.new).count()
    }

    /// The differences for printing, new minus old: equal neighbours merged, no difference as a dot.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.rows, |&(old, new)| PictureCell {
            text: match new - old {
                0 => ".".to_owned(),
                change => format!("{change:+}"),
            },
            tone: Tone::of(new - old),
        })
    }
}

impl fmt::Display for TableDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.picture().fmt(f)
    }
}

/// One cell of a [`TableDiff`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffCell {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    /// The reduction in the first table, in plies.
    pub old: i32,
    /// The reduction in the second table, in plies.
    pub new: i32,
}
