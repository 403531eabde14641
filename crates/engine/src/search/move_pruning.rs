//! Pruning of single moves: late move, futility, history and SEE pruning.

use std::sync::LazyLock;

use cozy_chess::Move;

use super::node_state::Node;
use super::state::Search;
use crate::move_picker::MovePicker;
use crate::position::Position;
use crate::reductions::Reductions;
use crate::score::Score;
use crate::see::see_at_least;

/// A move that may be pruned.
#[derive(Debug, Clone, Copy)]
pub(super) struct Candidate {
    pub(super) mv: Move,
    pub(super) quiet: bool,
    pub(super) gives_check: bool,
    /// The depth for the margins, in plies (see `pruning_depth`).
    pub(super) depth: i32,
}

/// Depths and move numbers with a logarithm of their own.
const LOGARITHMS: usize = 64;

/// Reductions by depth and move number.
static REDUCTIONS: LazyLock<[[i8; LOGARITHMS]; LOGARITHMS]> = LazyLock::new(|| {
    let ln = |number: usize| libm::log(number.max(1) as f64);
    std::array::from_fn(|depth| {
        std::array::from_fn(|number| match number {
            0 | 1 => 0,
            _ => libm::round(0.8 + ln(depth) * ln(number) / 2.3) as i8,
        })
    })
});

impl<R: Reductions, const OBSERVED: bool> Search<'_, R, OBSERVED> {
    /// The reduction of the node's next move by the logarithms of depth and move number and, if it is quiet, by its histories,
    /// in plies.
    #[inline]
    pub(super) fn logarithmic_reduction(&self, position: &Position, node: &Node, mv: Move, quiet: bool) -> i32 {
        let depth = (node.depth.get().max(0) as usize).min(LOGARITHMS - 1);
        let number = (node.moves_searched as usize + 1).min(LOGARITHMS - 1);
        let reduction = i32::from(REDUCTIONS[depth][number]);
        let ply = self.parameters.pruning_history_ply;
        if quiet && ply > 0 {
            reduction - self.memory.ordering.quiet(position, mv, &node.context) / ply
        } else {
            reduction
        }
    }

    /// Whether to prune a move. May skip all later quiet moves. Call it only after a move with a score has been searched.
    pub(super) fn prunes(
        &self,
        position: &Position,
        node: &mut Node,
        picker: &mut MovePicker,
        candidate: Candidate,
    ) -> bool {
        let parameters = &self.parameters;
        let Candidate {
            mv,
            quiet,
            gives_check,
            depth,
        } = candidate;
        let plies = depth.max(0);
        if quiet && !node.in_check {
            if parameters.late_move_pruning && depth <= parameters.late_move_pruning_max_depth {
                let enough =
                    parameters.late_move_pruning_base + parameters.late_move_pruning_growth * plies * plies / 100;
                let enough = if node.improving { enough } else { enough / 2 };
                if node.quiets_seen as i32 > enough {
                    picker.skip_quiets();
                    return true;
                }
            }
            if parameters.futility && depth <= parameters.futility_max_depth && !gives_check {
                let reachable = Score::centipawns(
                    node.static_eval.get() + parameters.futility_base + parameters.futility_margin * plies,
                );
                if reachable <= node.window.alpha {
                    // The same holds for all later quiet moves.
                    node.best_score = node.best_score.max(reachable);
                    picker.skip_quiets();
                    return true;
                }
            }
            if parameters.history_pruning
                && depth <= parameters.history_pruning_max_depth
                && self.memory.ordering.quiet(position, mv, &node.context)
                    < -parameters.history_pruning_margin * plies.max(1)
            {
                return true;
            }
        }
        if parameters.see_pruning && depth <= parameters.see_pruning_max_depth && !picker.yielded_good_capture() {
            let loss = if quiet {
                parameters.see_pruning_quiet_margin * plies * plies
            } else {
                parameters.see_pruning_capture_margin * plies
            };
            if !see_at_least(position, mv, -loss) {
                return true;
            }
        }
        false
    }
}
