//! A null-window search of one position of a tree, apart from the search of that tree.

use super::kind::NonPv;
use super::state::Search;
use super::time_management::time_budget;
use super::window::Window;
use crate::depth::{Depth, Ply};
use crate::limits::Limits;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;

/// A position of a tree, and the bound to search it with.
#[derive(Clone, Copy)]
pub struct Scout<'p> {
    /// The position.
    pub position: &'p Position,
    /// Keys of the line that leads to the position, its own the last. A repetition of any of them is a draw.
    pub keys: &'p [u64],
    /// The bound, for the side that has just moved.
    pub alpha: Score,
    /// The depth, in plies.
    pub depth: i32,
    /// The position's distance from the root of the tree, in plies.
    pub ply: u32,
    /// The nominal depth of the tree's iteration, in plies; extensions are limited by it.
    pub iteration: u32,
    /// Whether the position is expected to fail high.
    pub expected_cut: bool,
}

/// The result of a scout search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScoutResult {
    /// The score for the side that has just moved: a bound on either side of alpha. `None` when a limit stopped the search.
    pub score: Option<Score>,
    /// Nodes searched.
    pub nodes: u64,
}

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// Searches with increasing depth, up to `scout.depth`.
    pub(crate) fn scout(mut self, scout: &Scout<'_>, limits: &Limits) -> ScoutResult {
        self.budget = time_budget(limits, scout.position.move_number());
        self.root_index = 0;
        self.root_depth = Depth::new(scout.iteration as i32);
        let window = Window {
            alpha: scout.alpha,
            beta: scout.alpha + 1,
        };
        let ply = Ply::new((scout.ply as i32).min(Ply::MAX.get()));
        let mut score = Score::DRAW;
        for depth in scout.depth.min(1)..=scout.depth {
            let depth = Depth::new(depth);
            let cut = scout.expected_cut;
            score = -self.node::<NonPv>(scout.position, window.flipped(), depth, ply, cut, false);
            if self.stopped {
                break;
            }
        }
        ScoutResult {
            score: (!self.stopped).then_some(score),
            nodes: self.nodes,
        }
    }
}
