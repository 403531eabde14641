//! The events of a search, and the observer that receives them.

use std::time::Duration;

use cozy_chess::Move;
use lmrlab_policy::facts::Facts;
use lmrlab_policy::rule::RuleSet;

use crate::position::Position;
use crate::score::Score;

pub use lmrlab_policy::show::NodeKind;

/// Receives the events of a search as they happen. By default every method does nothing.
pub trait Observer {
    /// The events that the observer receives besides [`Observer::on_iteration`]. Called once, at the start of a search.
    fn events(&self) -> Events {
        Events::NONE
    }

    /// A policy has set the reduction of the move that is searched next.
    fn on_decision(&mut self, decision: &Decision<'_>) {
        let _ = decision;
    }

    /// Asks for a shadow search of the late move of the last [`Observer::on_decision`] at this ply, before its own search.
    fn wants_shadow(&mut self, ply: u32) -> Option<ShadowSearch> {
        let _ = ply;
        None
    }

    /// A shadow search has ended.
    fn on_shadow(&mut self, result: &ShadowResult) {
        let _ = result;
    }

    /// A move was searched once. Re-searches may follow.
    fn on_move_search(&mut self, search: &MoveSearch) {
        let _ = search;
    }

    /// The last search of a late move has ended.
    fn on_late_move(&mut self, late: &LateMoveResult<'_>) {
        let _ = late;
    }

    /// A move was made, which counts as a node. `mv` is `None` for a null move; `ply` is the distance from the root of the
    /// position before it.
    fn on_move_made(&mut self, ply: u32, mv: Option<Move>, made_by: MadeBy) {
        let _ = (ply, mv, made_by);
    }

    /// A node begins. Not called for nodes of quiescence.
    fn on_node_entry(&mut self, node: &NodeEntry) {
        let _ = node;
    }

    /// A null move was tried.
    fn on_null_move(&mut self, tried: &NullMoveTried) {
        let _ = tried;
    }

    /// The moves of a node have been searched. Not called for a node without legal moves or pruned before its first move.
    fn on_node_exit(&mut self, node: &NodeExit) {
        let _ = node;
    }

    /// An iteration has ended. Not called for an iteration that a limit interrupted.
    fn on_iteration(&mut self, iteration: &CompletedIteration<'_>) {
        let _ = iteration;
    }
}

/// A set of kinds of events. An observer that receives only [`Observer::on_iteration`] does not slow the search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Events {
    /// Every move, also those that the policy cannot reduce: [`Observer::on_decision`] and [`Observer::on_move_search`].
    pub moves: bool,
    /// Late moves: [`Observer::on_decision`] and [`Observer::wants_shadow`] for moves that the policy can reduce,
    /// [`Observer::on_move_search`] for all moves, and [`Observer::on_late_move`].
    pub reductions: bool,
    /// The tree: [`Observer::on_move_made`], [`Observer::on_node_entry`], [`Observer::on_null_move`] and
    /// [`Observer::on_node_exit`].
    pub nodes: bool,
    /// Every fact: the search also collects those that the policy does not read. [`Decision::facts`] has them.
    pub facts: bool,
}

impl Events {
    /// None but [`Observer::on_iteration`].
    pub const NONE: Self = Self {
        moves: false,
        reductions: false,
        nodes: false,
        facts: false,
    };
    /// Every move.
    pub const MOVES: Self = Self {
        moves: true,
        ..Self::NONE
    };
    /// Late moves.
    pub const REDUCTIONS: Self = Self {
        reductions: true,
        ..Self::NONE
    };
    /// The tree.
    pub const NODES: Self = Self {
        nodes: true,
        ..Self::NONE
    };
    /// Every fact.
    pub const FACTS: Self = Self {
        facts: true,
        ..Self::NONE
    };

    /// The union with `others`.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self {
            moves: self.moves || others.moves,
            reductions: self.reductions || others.reductions,
            nodes: self.nodes || others.nodes,
            facts: self.facts || others.facts,
        }
    }
}

/// An observer that ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

/// A policy's decision about a move.
#[derive(Clone, Copy)]
pub struct Decision<'s> {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// The position before the move.
    pub position: &'s Position,
    /// The move.
    pub mv: Move,
    /// Its number among the node's moves, from 1.
    pub move_number: u32,
    /// The reduction, in plies; negative for an extension.
    pub reduction: i32,
    /// The depth of the unreduced search, in plies.
    pub full_depth: i32,
    /// The expected kind of the node.
    pub kind: NodeKind,
    /// The facts that the policy can read.
    pub facts: &'s dyn Facts,
    /// Evaluates the policy again; returns the rules that applied.
    pub(super) applied: &'s dyn Fn() -> RuleSet,
}

impl Decision<'_> {
    /// The rules of the policy that applied.
    ///
    /// This evaluates the policy again: the search skips rules that cannot change the reduction.
    pub fn rules(&self) -> RuleSet {
        (self.applied)()
    }
}

/// A search of a late move on a copy of the tables: at full depth, or deeper where the policy extends the move. It does
/// not change the observed search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShadowSearch {
    /// The number of nodes after which the shadow search stops.
    pub node_limit: u64,
    /// Whether the policy reduces moves below the move.
    pub reduces: bool,
}

/// The result of a shadow search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ShadowResult {
    /// Distance of the move's node from the root, in plies.
    pub ply: u32,
    /// Whether the score is above the raised alpha; `None` when the node limit stopped the search.
    pub raises: Option<bool>,
    /// Nodes of the search.
    pub nodes: u64,
}

/// One search of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MoveSearch {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// The move's number among the node's moves, from 1.
    pub move_number: u32,
    /// Depth after the move, in plies.
    pub depth: i32,
    /// Whether the window was a null window.
    pub null_window: bool,
    /// The node's alpha at the time.
    pub alpha: Score,
    /// The score of the search, from the node's point of view.
    pub score: Score,
    /// Nodes of the search.
    pub nodes: u64,
}

/// The result of a late move: one that the policy can reduce.
#[derive(Clone, Copy)]
pub struct LateMoveResult<'s> {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// The position after the move.
    pub child: &'s Position,
    /// The reduction, in plies.
    pub reduction: i32,
    /// The node's alpha before the move.
    pub alpha: Score,
    /// The score of the last search, from the node's point of view.
    pub score: Score,
}

/// The part of the search that made a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MadeBy {
    /// The main search.
    Node,
    /// Null move pruning.
    NullMove,
    /// Quiescence.
    Quiescence,
}

/// A node before its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeEntry {
    /// Distance from the root, in plies.
    pub ply: u32,
    /// Remaining depth, in plies; at least 1.
    pub depth: u32,
    /// The expected kind.
    pub kind: NodeKind,
}

/// A null move that was tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NullMoveTried {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// Remaining depth of the node, in plies.
    pub depth: u32,
    /// Whether it cut off: the node ended without another search.
    pub cutoff: bool,
    /// Nodes of its search and of the verification search.
    pub nodes: u64,
}

/// A node after its search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NodeExit {
    /// Distance from the root, in plies.
    pub ply: u32,
    /// Remaining depth, in plies.
    pub depth: u32,
    /// The expected kind.
    pub kind: NodeKind,
    /// The actual kind: [`NodeKind::Cut`] when a move reached beta, [`NodeKind::All`] when none beat alpha,
    /// [`NodeKind::Pv`] when its score lies between.
    pub outcome: NodeKind,
    /// Moves searched; after a cutoff, the number of the move that caused it.
    pub moves_searched: u32,
}

/// The state of a search after an iteration.
#[derive(Debug, Clone, Copy)]
pub struct CompletedIteration<'s> {
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
