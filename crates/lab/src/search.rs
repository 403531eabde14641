//! A search of one position from an empty transposition table and empty histories.

use std::fmt;
use std::sync::atomic::AtomicBool;

use lmrlab_engine::engine::Report;
use lmrlab_engine::game::Game;
use lmrlab_engine::limits::Limits;
use lmrlab_engine::position::Position;
use lmrlab_engine::search::observer::{Observer, Unobserved};

use super::variant::Variant;

/// How far the lab searches: limits that mean the same on every machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SearchLimit {
    /// Iterations, in plies.
    Depth(u32),
    /// Nodes: every move made.
    Nodes(u64),
}

impl SearchLimit {
    /// The limits as the engine takes them.
    pub fn limits(self) -> Limits {
        match self {
            Self::Depth(depth) => Limits::depth(depth),
            Self::Nodes(nodes) => Limits::nodes(nodes),
        }
    }
}

impl fmt::Display for SearchLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Depth(depth) => write!(f, "depth {depth}"),
            Self::Nodes(nodes) => write!(f, "{nodes} nodes"),
        }
    }
}

/// Searches a position with a variant and an observer.
pub fn search_observed(variant: &Variant, position: &Position, limits: &Limits, observer: &mut dyn Observer) -> Report {
    let game = Game::new(position.clone());
    variant
        .engine()
        .search_observed(&game, limits, &AtomicBool::new(false), observer)
}

/// Searches a position with a variant.
pub fn search(variant: &Variant, position: &Position, limits: &Limits) -> Report {
    search_observed(variant, position, limits, &mut Unobserved)
}
