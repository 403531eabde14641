//! A mined position.

use cozy_chess::Move;
use cozy_chess::util::display_san_move;
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use lmrlab_runner::epd::epd;

use crate::positions::LabPosition;

/// A position that was kept.
#[derive(Debug, Clone)]
pub struct Found {
    /// The position, with a clean fifty-move counter.
    pub position: Position,
    /// Its best move.
    pub best: Move,
    /// The score of that, for the side to move.
    pub score: Score,
    /// The score of the second move.
    pub second: Score,
    /// A zugzwang: the greatest depth, in plies, at which a search without null moves finds the move and one with unverified
    /// null moves does not.
    pub depth: Option<u32>,
}

/// What stands between the two scores in the comment of a mined position.
const SECOND_BEST: &str = ", second best ";

/// Whether a position is one that [`Found::epd`] wrote: this project's own search chose it.
pub fn is_mined(position: &LabPosition) -> bool {
    position
        .operation("c1")
        .is_some_and(|comment| comment.contains(SECOND_BEST))
}

impl Found {
    /// As a line of an EPD file, with this id.
    pub fn epd(&self, id: &str) -> String {
        let board = self.position.board();
        let depth = self.depth.map(|depth| format!(" acd {depth};"));
        format!(
            "{} bm {};{} id \"{id}\"; c1 \"{}{SECOND_BEST}{}\";",
            epd(&self.position),
            display_san_move(board, self.best),
            depth.unwrap_or_default(),
            self.score,
            self.second,
        )
    }
}
