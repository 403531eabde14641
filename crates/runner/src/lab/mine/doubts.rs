//! Watches a search whose null moves are verified, and keeps the positions in which the verification failed.

use std::collections::HashSet;

use cozy_chess::Move;
use lmrlab_engine::position::Position;
use lmrlab_engine::search::observer::{Entered, Maker, NullMoveTried, Observer};

/// What has become of a node's null move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Null {
    #[default]
    Untried,
    /// It has been made.
    Made,
    /// It reached beta, and is being verified by a search of the node itself.
    Doubted,
}

/// Where passing reached beta, and a search of the position itself did not.
#[derive(Debug)]
pub(super) struct Doubts {
    root: Position,
    /// The moves from the root; `None` for a null move.
    line: Vec<Option<Move>>,
    /// By distance from the root.
    nulls: Vec<Null>,
    seen: HashSet<u64>,
    /// The positions, in the order in which they were met.
    pub(super) positions: Vec<Position>,
}

impl Doubts {
    pub(super) fn new(root: Position) -> Self {
        Self {
            root,
            line: Vec::new(),
            nulls: Vec::new(),
            seen: HashSet::new(),
            positions: Vec::new(),
        }
    }

    fn null(&mut self, ply: u32) -> &mut Null {
        let ply = ply as usize;
        if self.nulls.len() <= ply {
            self.nulls.resize(ply + 1, Null::Untried);
        }
        &mut self.nulls[ply]
    }

    /// The position so far from the root.
    fn position(&self, ply: u32) -> Option<Position> {
        let mut position = self.root.clone();
        for mv in self.line.get(..ply as usize)? {
            match mv {
                Some(mv) => position.play(*mv),
                None => position = position.pass()?,
            }
        }
        Some(position)
    }
}

impl Observer for Doubts {
    const WATCHES_NODES: bool = true;

    fn made(&mut self, ply: u32, mv: Option<Move>, maker: Maker) {
        self.line.truncate(ply as usize);
        self.line.push(mv);
        if maker == Maker::NullMove {
            *self.null(ply) = Null::Made;
        }
    }

    fn entered(&mut self, node: &Entered) {
        // Everything below a null move is further from the root.
        let null = self.null(node.ply);
        if *null == Null::Made {
            *null = Null::Doubted;
        }
    }

    fn null_move(&mut self, tried: &NullMoveTried) {
        let null = std::mem::take(self.null(tried.ply));
        if null == Null::Doubted
            && !tried.cutoff
            && let Some(position) = self.position(tried.ply)
            && self.seen.insert(position.key())
        {
            self.positions.push(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;

    use lmrlab_engine::engine::Engine;
    use lmrlab_engine::game::Game;
    use lmrlab_engine::limits::Limits;
    use lmrlab_engine::preset::Preset;
    use lmrlab_policy::Policy;

    use super::*;

    /// Positions doubted in the tree below a zugzwang with knights, and nodes of the search.
    fn doubted(verification_depth: i32) -> (Vec<Position>, u64) {
        let root = Position::from_fen("8/8/4p3/4P1n1/4N3/4Kp2/5Pk1/8 b - - 0 1").unwrap();
        let mut preset = Preset::default();
        preset.parameters.null_move_verification_depth = verification_depth;
        let mut engine = Engine::new(Arc::new(preset), Arc::new(Policy::none()), 1);
        let mut doubts = Doubts::new(root.clone());
        let (game, go) = (Game::new(root), AtomicBool::new(false));
        let report = engine.search_observed(&game, &Limits::depth(20), &go, &mut doubts);
        (doubts.positions, report.nodes)
    }

    #[test]
    fn a_search_that_verifies_nothing_doubts_nothing() {
        assert!(doubted(0).0.is_empty());
    }

    #[test]
    fn doubts_are_positions_in_which_a_null_move_can_be_made() {
        let (positions, nodes) = doubted(6);
        assert!(!positions.is_empty(), "{nodes} nodes");
        let mut keys = HashSet::new();
        for position in positions {
            assert!(position.has_pieces(position.side_to_move()) && !position.in_check());
            assert!(keys.insert(position.key()), "{position} twice");
        }
    }
}
