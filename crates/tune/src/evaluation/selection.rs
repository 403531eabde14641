//! Which positions of a game are kept for tuning.

use cozy_chess::{Color, Move};
use lmrlab_engine::position::Position;

/// Which positions of a game to keep: quiet ones, that the static evaluation should judge as the search does.
#[derive(Debug, Clone, Copy)]
pub struct Selection {
    /// Plies after the opening from which no position is kept.
    pub skipped_plies: u32,
    /// Greatest absolute score that is kept, in centipawns.
    pub max_score: i32,
    /// The greatest number of positions from one game, a random choice of the quiet ones.
    pub per_game: usize,
}

impl Selection {
    /// Whether to keep a position, `played` plies after the opening. `best` is the move that was played.
    pub(super) fn wants(&self, position: &Position, best: Move, white_score_cp: i32, played: u32) -> bool {
        played >= self.skipped_plies
            && (-self.max_score..=self.max_score).contains(&white_score_cp)
            && !position.in_check()
            && position.is_quiet(best)
            && Color::ALL.iter().all(|color| has_more_than_a_king(position, *color))
    }
}

/// A score of the side to move, from White's point of view.
pub(super) fn seen_by_white(position: &Position, score: i32) -> i32 {
    match position.side_to_move() {
        Color::White => score,
        Color::Black => -score,
    }
}

/// The result of a game for White, in half points.
pub(super) fn half_points(winner: Option<Color>) -> u8 {
    match winner {
        Some(Color::White) => 2,
        None => 1,
        Some(Color::Black) => 0,
    }
}

fn has_more_than_a_king(position: &Position, color: Color) -> bool {
    position.board().colors(color).len() > 1
}
