//! A plain quiet move, with given facts.

use super::given::Given;
use crate::facts::{Fact, FactSet, Facts, Flags};

/// A quiet move that gives no check, is not a pawn move and not a killer, changed by the given facts.
///
/// Numbers are 0, with these exceptions:
/// - All moves before it are quiet too, so `quiet_number` equals `move_number`.
/// - The node has 40 legal moves, or more if the move's number asks for it.
/// - The node is one ply below the root, after the root's first move.
/// - All pieces are on the board.
/// - There is no transposition table entry: `tt_depth` is -1.
/// - A null window is 1 wide, an open one [`OPEN_WINDOW`].
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

/// The number of legal moves of the node of a [`PlainMove`]: about that of a middlegame position.
const LEGAL_MOVES: u32 = 40;

/// The width of an open window around a [`PlainMove`], in centipawns.
pub const OPEN_WINDOW: u32 = 50;

impl<'g> PlainMove<'g> {
    /// A move of a node of this depth, after `moves_searched` others.
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
            Fact::OpponentPieces => 7,
            Fact::RootWindow => OPEN_WINDOW,
            Fact::Window if self.flags.has(Fact::Pv) => OPEN_WINDOW,
            Fact::Window => 1,
            Fact::TtDepth => return -1.0,
            _ => 0,
        };
        f64::from(number)
    }
}
