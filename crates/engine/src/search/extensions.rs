//! Extensions: check, single reply, pawn to the seventh, recapture, singular.

use cozy_chess::{Move, Piece, Rank};

use super::kind::{NodeType, NonPv};
use super::node_state::Node;
use super::state::Search;
use super::window::Window;
use crate::depth::Depth;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::see::see_at_least;
use crate::transposition::Bound;

/// The result of a singular search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Singular {
    /// Extend the transposition table move by this many plies; negative for a shallower search.
    Extend(i32),
    /// Other moves reach beta too: cut off with this score.
    MultiCut(Score),
}

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// The extension of a move by its own properties, in plies.
    pub(super) fn extension(&self, position: &Position, node: &Node, mv: Move, gives_check: bool) -> i32 {
        if node.ply.get() >= 2 * self.root_depth.get() {
            return 0;
        }
        let parameters = &self.parameters;
        let pushes_to_seventh = || {
            position.piece_on(mv.from) == Some(Piece::Pawn)
                && mv.to.rank().relative_to(position.side_to_move()) == Rank::Seventh
        };
        let keeps_material = || !parameters.check_extension_see || see_at_least(position, mv, 0);
        i32::from(
            (parameters.check_extension && gives_check && keeps_material())
                || (parameters.single_reply_extension && node.legal_moves == 1)
                || (parameters.pawn_to_seventh_extension && pushes_to_seventh()),
        )
    }

    /// Searches the node without its transposition table move, to test whether that move is singular.
    pub(super) fn singular<K: NodeType>(&mut self, position: &Position, node: &Node, mv: Move) -> Singular {
        let parameters = &self.parameters;
        let Some(tt_entry) = node.tt_entry else {
            return Singular::Extend(0);
        };
        if K::ROOT
            || !parameters.singular_extension
            || node.tt_move != Some(mv)
            || node.depth.get() < parameters.singular_min_depth
            || tt_entry.depth < node.depth - 3
            || tt_entry.bound == Bound::Upper
            || tt_entry.score.is_mate()
            || self.memory.stack[node.ply.index()].excluded.is_some()
            || node.ply.get() >= 2 * self.root_depth.get()
        {
            return Singular::Extend(0);
        }
        let double_margin = parameters.singular_double_margin;
        let beta = tt_entry.score - parameters.singular_margin * node.depth.get() / 16;
        let window = Window { alpha: beta - 1, beta };
        self.memory.stack[node.ply.index()].excluded = Some(mv);
        let half = Depth::new((node.depth.get() - 1) / 2);
        let score = self.node::<NonPv>(position, window, half, node.ply, node.expected_cut, node.after_null);
        self.memory.stack[node.ply.index()].excluded = None;
        if score < beta {
            let alone = !K::PV && double_margin < 1_000 && score + double_margin < beta;
            Singular::Extend(1 + i32::from(alone))
        } else if beta >= node.window.beta {
            Singular::MultiCut(beta)
        } else if tt_entry.score >= node.window.beta {
            Singular::Extend(-1)
        } else {
            Singular::Extend(0)
        }
    }
}
