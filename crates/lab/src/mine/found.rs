//! A mined position.

use cozy_chess::Move;
use cozy_chess::util::display_san_move;
use lmrlab_engine::position::Position;
use lmrlab_engine::score::Score;
use lmrlab_runner::epd::epd;

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

impl Found {
    /// As a line of an EPD file, with this id.
    pub fn epd(&self, id: &str) -> String {
        let board = self.position.board();
        let depth = self.depth.map(|depth| format!(" acd {depth};"));
        format!(
            "{} bm {};{} id \"{id}\"; c1 \"{}, second best {}\";",
            epd(&self.position),
            display_san_move(board, self.best),
            depth.unwrap_or_default(),
            self.score,
            self.second,
        )
    }
}
