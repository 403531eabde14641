//! Who watches a search.

use std::time::Duration;

use cozy_chess::Move;

use crate::score::Score;

/// Told what a search does as it does it. The search takes its observer as a type parameter, so that what is not
/// watched is not compiled in.
pub trait Observer {
    /// An iteration has ended, or a better move was found within one.
    fn progress(&mut self, progress: &Progress<'_>) {
        let _ = progress;
    }
}

/// Watches nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {}

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
