//! The reduction of a plain quiet move by depth and by the moves searched before it: for people, and for plots.

use std::fmt;

use crate::facts::{Fact, Facts, Flags};
use crate::policy::Policy;

/// A quiet move about which nothing else is known: no check, no pawn, no killer; every fact that measures something is 0.
///
/// All moves before it were quiet too, so its number among the quiet moves is its number among all.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PlainMove {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    /// What else is true of the move or its node, such as `pv`.
    pub flags: Flags,
}

/// How many moves the node of a [`PlainMove`] has: about as many as a middle game position.
const LEGAL_MOVES: u32 = 40;

impl Facts for PlainMove {
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, _: Fact) -> bool {
        false
    }

    fn number(&self, fact: Fact) -> f64 {
        let number = match fact {
            Fact::Depth => self.depth,
            Fact::MovesSearched => self.moves_searched,
            Fact::MoveNumber | Fact::QuietNumber => self.moves_searched + 1,
            Fact::LegalMoves => LEGAL_MOVES.max(self.moves_searched + 1),
            Fact::Ply => u32::from(!self.flags.has(Fact::Root)),
            Fact::TtDepth => return -1.0,
            _ => 0,
        };
        f64::from(number)
    }
}

/// The reductions of plain quiet moves: a row for each depth, a column for each number of moves searched before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ReductionTable {
    rows: Vec<Vec<i32>>,
}

impl ReductionTable {
    /// Evaluates `policy` for depths from 1 to `depths` and for up to `moves` moves searched before. Besides `quiet`, the
    /// facts in `flags` are true.
    pub fn new(policy: &Policy, depths: u32, moves: u32, flags: Flags) -> Self {
        let flags = flags.with(Fact::Quiet, true);
        let cell = |depth, moves_searched| {
            policy.reduction(&PlainMove {
                depth,
                moves_searched,
                flags,
            })
        };
        Self {
            rows: (1..=depths)
                .map(|depth| (0..=moves).map(|moves| cell(depth, moves)).collect())
                .collect(),
        }
    }

    /// The cells, row by row, as they go to a CSV.
    pub fn cells(&self) -> impl Iterator<Item = ReductionCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter()
                .zip(0..)
                .map(move |(&plies, moves_searched)| ReductionCell {
                    depth,
                    moves_searched,
                    plies,
                })
        })
    }

    fn column(&self, index: usize) -> impl Iterator<Item = i32> {
        self.rows
            .iter()
            .filter_map(move |row| row.get(index).copied())
    }

    /// Runs of neighbours that are alike, as first and last index.
    fn runs(count: usize, alike: impl Fn(usize, usize) -> bool) -> Vec<(usize, usize)> {
        let mut runs: Vec<(usize, usize)> = Vec::new();
        for index in 0..count {
            match runs.last_mut() {
                Some((_, last)) if alike(*last, index) => *last = index,
                _ => runs.push((index, index)),
            }
        }
        runs
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

/// The table for a person: equal neighbours together, no reduction as a dot.
impl fmt::Display for ReductionTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let columns = Self::runs(self.rows.first().map_or(0, Vec::len), |a, b| {
            self.column(a).eq(self.column(b))
        });
        let rows = Self::runs(self.rows.len(), |a, b| self.rows.get(a) == self.rows.get(b));
        let label = |(first, last): (usize, usize), offset: usize| {
            if first == last {
                format!("{}", first + offset)
            } else {
                format!("{}-{}", first + offset, last + offset)
            }
        };
        let heads: Vec<_> = columns.iter().map(|run| label(*run, 0)).collect();
        let sides: Vec<_> = rows.iter().map(|run| label(*run, 1)).collect();
        const CORNER: &str = "depth";
        let side = sides
            .iter()
            .map(String::len)
            .max()
            .unwrap_or(0)
            .max(CORNER.len());
        writeln!(f, "{:side$}  moves searched before", "")?;
        write!(f, "{CORNER:>side$}")?;
        for head in &heads {
            write!(f, "  {head:>2}")?;
        }
        writeln!(f)?;
        for ((row, _), name) in rows.iter().zip(&sides) {
            write!(f, "{name:>side$}")?;
            for ((column, _), head) in columns.iter().zip(&heads) {
                let plies = self
                    .rows
                    .get(*row)
                    .and_then(|row| row.get(*column))
                    .copied()
                    .unwrap_or(0);
                let cell = if plies == 0 {
                    ".".to_owned()
                } else {
                    plies.to_string()
                };
                let width = head.len().max(2);
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
