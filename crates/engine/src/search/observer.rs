//! Who watches a search.

use std::time::Duration;

use cozy_chess::Move;
use lmrlab_policy::facts::Facts;

use crate::score::Score;

/// Told what a search does as it does it. The search takes its observer as a type parameter, so that what is not
/// watched is not compiled in.
pub trait Observer {
    /// Whether it wants to hear of every move; without it neither [`Observer::deciding`] nor [`Observer::searched`] is
    /// called, nor compiled in.
    const WATCHES_MOVES: bool = false;

    /// A policy has decided about a move that is about to be searched. Not called for a policy that never reduces.
    fn deciding(&mut self, decision: &Decision<'_>) {
        let _ = decision;
    }

    /// A move was searched once; it may be searched again.
    fn searched(&mut self, attempt: &Attempt) {
        let _ = attempt;
    }

    /// An iteration has ended, or a better move was found within one.
    fn progress(&mut self, progress: &Progress<'_>) {
        let _ = progress;
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

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
    /// What the policy could read.
    pub facts: &'s dyn Facts,
}

/// One search of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Attempt {
    /// Distance of the node from the root, in plies.
    pub ply: u32,
    /// Depth left after the move, in plies.
    pub depth: i32,
    /// Whether the window was a null window.
    pub null_window: bool,
    /// What came back, from the node's point of view.
    pub score: Score,
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
