//! How a move is searched: its depth, its reduction and its windows.

use super::window::Window;
use crate::depth::Depth;

/// Depth, reduction and windows of the search of a move.
#[derive(Debug, Clone, Copy)]
pub(super) struct SearchPlan {
    /// The depth of an unreduced search.
    pub(super) full_depth: Depth,
    /// The reduction, in plies.
    pub(super) reduction: i32,
    /// Whether the first search has a null window.
    pub(super) narrow: bool,
    /// The node's window.
    pub(super) full: Window,
    /// The window of the first search.
    pub(super) scout: Window,
}

impl SearchPlan {
    /// The window of a search, and whether it is a null window.
    pub(super) fn window(self, kind: WindowKind) -> (Window, bool) {
        match kind {
            WindowKind::Scout => (self.scout, self.narrow),
            WindowKind::Full => (self.full, false),
        }
    }
}

/// The window of one search of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum WindowKind {
    /// The window of the first search: the null window above alpha, except for the first move or without principal variation
    /// search.
    Scout,
    /// The node's window.
    Full,
}
