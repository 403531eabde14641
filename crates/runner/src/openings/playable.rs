//! Positions that a game can begin with.

use cozy_chess::{Board, Color, File, Rank, Square};
use lmrlab_engine::game::{Ending, Game};
use lmrlab_engine::position::Position;

/// The position, if a game can begin with it.
///
/// # Errors
/// Why it cannot: the game is already over, or castling is that of Chess960.
pub fn playable(position: Position) -> Result<Position, String> {
    if is_chess960(position.board()) {
        return Err("castling from these squares is that of Chess960, which openings do not support".to_owned());
    }
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

/// Whether castling is that of Chess960. No move changes that.
pub(super) fn is_chess960(board: &Board) -> bool {
    [Color::White, Color::Black].into_iter().any(|color| {
        let rights = board.castle_rights(color);
        let home = Square::new(File::E, Rank::First.relative_to(color));
        let any = rights.short.is_some() || rights.long.is_some();
        (any && board.king(color) != home)
            || rights.short.is_some_and(|file| file != File::H)
            || rights.long.is_some_and(|file| file != File::A)
    })
}
