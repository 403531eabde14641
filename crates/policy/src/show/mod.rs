//! The reduction of a plain quiet move by depth and by the moves searched before it: for people, and for plots.

mod given;
mod picture;

use std::fmt;

use crate::facts::{Fact, FactSet, Facts, Flags};
use crate::policy::Policy;

pub use self::given::{Given, NodeKind};
pub use self::picture::{Picture, PictureCell, Tone};

/// A quiet move about which nothing else is known: no check, no pawn, no killer; every fact that measures something is
/// 0, but for these: all moves before it were quiet too, so its number among the quiet moves is its number among all;
/// the node has 40 legal moves or as many as it takes; it stands one ply below the root, and its parent's first move led
/// to it; all pieces are on the board; the table knows nothing of it (`tt_depth` is -1); a null window is 1 wide, an
/// open one [`OPEN_WINDOW`].
#[derive(Debug, Clone, PartialEq)]
pub struct PlainMove<'g> {
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Moves of the node searched before this one.
    pub moves_searched: u32,
    flags: Flags,
    booleans: FactSet,
    given: &'g Given,
}

/// How many moves the node of a [`PlainMove`] has: about as many as a middle game position.
const LEGAL_MOVES: u32 = 40;

/// The width of an open window around a [`PlainMove`], in centipawns.
pub const OPEN_WINDOW: u32 = 50;

impl<'g> PlainMove<'g> {
    /// The move after so many others, in a node of this depth.
    pub fn new(depth: u32, moves_searched: u32, given: &'g Given) -> Self {
        let (flags, booleans) = given.truths();
        Self {
            depth,
            moves_searched,
            flags,
            booleans,
            given,
        }
    }
}

impl Facts for PlainMove<'_> {
    fn flags(&self) -> Flags {
        self.flags
    }

    fn boolean(&self, fact: Fact) -> bool {
        self.booleans.contains(fact)
    }

    fn number(&self, fact: Fact) -> f64 {
        if let Some(value) = self.given.number(fact) {
            return value;
        }
        let root = self.flags.has(Fact::Root);
        let number = match fact {
            Fact::Depth => self.depth,
            Fact::MovesSearched => self.moves_searched,
            Fact::MoveNumber | Fact::QuietNumber => self.moves_searched + 1,
            Fact::LegalMoves => LEGAL_MOVES.max(self.moves_searched + 1),
            Fact::Ply | Fact::ParentMoveNumber => u32::from(!root),
            Fact::Iteration => self.depth + u32::from(!root),
            Fact::Phase => 24,
            Fact::RootWindow => OPEN_WINDOW,
            Fact::Window if self.flags.has(Fact::Pv) => OPEN_WINDOW,
            Fact::Window => 1,
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
        Self::with_facts(policy, depths, moves, &Given::of_flags(flags))
    }

    /// As [`ReductionTable::new`], for moves of which more is known.
    pub fn with_facts(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Self {
        Self::of(depths, moves, |depth, searched| {
            policy.reduction(&PlainMove::new(depth, searched, given))
        })
    }

    /// As [`ReductionTable::with_facts`], but before the limits that depend on the move: what the scheme asks for, even
    /// where so much depth is not left. Published tables are such ones.
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
            row.iter()
                .zip(0..)
                .map(move |(&plies, moves_searched)| ReductionCell {
                    depth,
                    moves_searched,
                    plies,
                })
        })
    }

    /// The table for a person: equal neighbours together, no reduction as a dot.
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
    /// Compares two tables; what only one of them has is left out.
    pub fn new(old: &ReductionTable, new: &ReductionTable) -> Self {
        let pairs = |(old, new): (&Vec<i32>, &Vec<i32>)| -> Vec<_> {
            old.iter().copied().zip(new.iter().copied()).collect()
        };
        Self {
            rows: old.rows.iter().zip(&new.rows).map(pairs).collect(),
        }
    }

    /// The cells, row by row, equal ones included.
    pub fn cells(&self) -> impl Iterator<Item = DiffCell> {
        self.rows.iter().zip(1..).flat_map(|(row, depth)| {
            row.iter()
                .zip(0..)
                .map(move |(&(old, new), moves_searched)| DiffCell {
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

    /// The differences for a person, new minus old: equal neighbours together, no difference as a dot.
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
