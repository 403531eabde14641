//! Positions that a game can begin with.

use lmrlab_engine::game::{Ending, Game};
use lmrlab_engine::position::Position;

/// The position, if a game can begin with it.
///
/// # Errors
/// Why it cannot: the game is already over.
pub fn playable(position: Position) -> Result<Position, String> {
    match Game::new(position.clone()).ending() {
        None => Ok(position),
        Some(ending) => Err(match ending {
            Ending::Checkmate => "the game is over: checkmate",
            Ending::Stalemate => "the game is over: stalemate",
            Ending::FiftyMoves => "the game is over: drawn by the fifty-move rule",
            Ending::InsufficientMaterial => "the game is over: neither side can mate",
            Ending::Repetition => "the game is over: repetition",
        }
        .to_owned()),
    }
}
