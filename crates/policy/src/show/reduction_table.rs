//! The reductions of plain moves by depth and by the moves searched before.

use super::given::Given;
use super::plain_move::plain_move;
use crate::policy::Policy;

/// The whole plies by which a search reduces plain quiet moves with these facts, row by row. Each cell has the depth in plies,
/// from 1; the moves searched before, from 0; and the reduction.
pub fn reduction_table(policy: &Policy, depths: u32, moves: u32, given: &Given) -> Vec<(u32, u32, i32)> {
    let cells = (1..=depths).flat_map(|depth| (0..=moves).map(move |searched| (depth, searched)));
    cells
        .map(|(depth, searched)| (depth, searched, policy.reduction(&plain_move(depth, searched, given))))
        .collect()
}
