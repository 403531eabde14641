//! Who watches a search.

use std::time::Duration;

use cozy_chess::Move;
use lmrlab_policy::facts::Facts;
use lmrlab_policy::rule::RuleSet;

use crate::position::Position;
use crate::score::Score;

pub use lmrlab_policy::show::NodeKind;

/// Told what a search does as it does it. All methods have defaults that do nothing.
pub trait Observer {
    /// What it wants to hear of, besides [`Observer::progress`]. Asked once, when a search begins.
    fn watches(&self) -> Watches {
        Watches::NOTHING
    }

    /// A policy has decided about a move that is about to be searched. Not called for a policy that never reduces.
    fn deciding(&mut self, decision: &Decision<'_>) {
        let _ = decision;
    }

    /// A move was searched once; it may be searched again.
    fn searched(&mut self, attempt: &Attempt) {
        let _ = attempt;
    }

    /// All searches of a move of which [`Observer::deciding`] told are over.
    fn decided(&mut self, late: &Decided<'_>) {
        let _ = late;
    }

    /// A move was made, which counts as a node. `mv` is `None` for a null move; `ply` is the distance from the root of the
    /// position before it.
    fn made(&mut self, ply: u32, mv: Option<Move>, maker: Maker) {
        let _ = (ply, mv, maker);
    }

    /// A node that is not quiescence is about to be searched.
    fn entered(&mut self, node: &Entered) {
        let _ = node;
    }

    /// A null move was tried.
    fn null_move(&mut self, tried: &NullMoveTried) {
        let _ = tried;
    }

    /// The moves of a node have been searched. Not called for a node that ended before its first move, or had none.
    fn left(&mut self, node: &Left) {
        let _ = node;
    }

    /// An iteration has ended. Not called for one that a limit cut short.
    fn progress(&mut self, progress: &Progress<'_>) {
        let _ = progress;
    }
}

/// What an observer wants to hear of. One that wants nothing but [`Observer::progress`] costs the search nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Watches {
    /// Every move, also those that the policy cannot reduce: [`Observer::deciding`] and [`Observer::searched`].
    pub moves: bool,
    /// Late moves: [`Observer::deciding`] of those that the policy can reduce, [`Observer::searched`] of all moves, and
    /// [`Observer::decided`].
    pub reductions: bool,
    /// The tree: [`Observer::made`], [`Observer::entered`], [`Observer::null_move`] and [`Observer::left`].
    pub nodes: bool,
}

impl Watches {
    /// Nothing but [`Observer::progress`].
    pub const NOTHING: Self = Self {
        moves: false,
        reductions: false,
        nodes: false,
    };
    /// Every move.
    pub const MOVES: Self = Self {
        moves: true,
        ..Self::NOTHING
    };
    /// Late moves.
    pub const REDUCTIONS: Self = Self {
        reductions: true,
        ..Self::NOTHING
    };
    /// The tree.
    pub const NODES: Self = Self {
        nodes: true,
        ..Self::NOTHING
    };

    /// These and `others`.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self {
            moves: self.moves || others.moves,
            reductions: self.reductions || others.reductions,
            nodes: self.nodes || others.nodes,
        }
    }
}

/// The observer of a search that nobody observes.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// What a policy said about a move.
#[derive(Clone, Copy)]
pub struct Decision<'s> {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// The move.
    pub mv: Move,
    /// Its number among the node's moves, from 1.
    pub move_number: u32,
    /// What the policy takes from its depth, in plies; negative for an extension.
    pub reduction: i32,
    /// The depth of its unreduced search, in plies.
    pub full_depth: i32,
    /// What kind of node it is a move of, as far as that is known before its moves are searched.
    pub kind: NodeKind,
    /// What the policy could read.
    pub facts: &'s dyn Facts,
    /// Asks the policy again, for the rules.
    pub(super) applied: &'s dyn Fn() -> RuleSet,
}

impl Decision<'_> {
    /// The rules of the policy that applied.
    ///
    /// This asks the policy once more: the search itself leaves out what cannot change the reduction.
    pub fn rules(&self) -> RuleSet {
        (self.applied)()
    }
}

/// One search of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// The move's number among the node's moves, from 1.
    pub move_number: u32,
    /// Depth left after the move, in plies.
    pub depth: i32,
    /// Whether the window was a null window.
    pub null_window: bool,
    /// The node's alpha at the time.
    pub alpha: Score,
    /// What came back, from the node's point of view.
    pub score: Score,
    /// Nodes that it took.
    pub nodes: u64,
}

/// What came of a move about which a policy decided.
#[derive(Clone, Copy)]
pub struct Decided<'s> {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// The position after the move.
    pub child: &'s Position,
    /// Keys of the positions from the root, or from the last null move, to the one after the move: what repetitions are
    /// found by.
    pub keys: &'s [u64],
    /// The depth of the move's unreduced search, in plies.
    pub full_depth: i32,
    /// What the policy took from it, in plies.
    pub reduction: i32,
    /// The node's alpha before the move.
    pub alpha: Score,
    /// What came back at last, from the node's point of view.
    pub score: Score,
    /// Whether the position after the move is expected to fail high.
    pub expected_cut: bool,
    /// The nominal depth of the iteration, in plies.
    pub iteration: u32,
}

/// Who made a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Maker {
    /// A node, to search the move.
    Node,
    /// A node that tried a null move.
    NullMove,
    /// A node that tried whether a capture refutes it by far (ProbCut).
    ProbCut,
    /// Quiescence.
    Quiescence,
}

/// A node at its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Entered {
    /// Distance from the root, in plies.
    pub ply: u32,
    /// Remaining depth, in plies; at least 1.
    pub depth: u32,
    /// What it is expected to be.
    pub kind: NodeKind,
}

/// A null move that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullMoveTried {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Whether it decided the node: nothing else was searched.
    pub cutoff: bool,
    /// Nodes that it took, a verification included.
    pub nodes: u64,
}

/// A node at its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Left {
    /// Distance from the root, in plies.
    pub ply: u32,
    /// Remaining depth, in plies.
    pub depth: u32,
    /// What it was expected to be.
    pub kind: NodeKind,
    /// What it turned out to be: [`NodeKind::Cut`] when a move reached beta, [`NodeKind::All`] when none beat alpha,
    /// [`NodeKind::Pv`] when its score lies between.
    pub outcome: NodeKind,
    /// Moves searched; with a cutoff the number of the move that made it.
    pub moves_searched: u32,
}

/// Where a search stands.
#[derive(Debug, Clone, Copy)]
pub struct Progress<'s> {
    /// The nominal depth of the iteration, in plies.
    pub depth: u32,
    /// The furthest distance from the root reached so far, in plies.
    pub seldepth: u32,
    /// The score, for the side to move.
    pub score: Score,
    /// Moves made so far.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in permille.
    pub permille_full: u32,
    /// The principal variation.
    pub pv: &'s [Move],
}
