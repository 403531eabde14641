//! Games of random moves, for what is true of every position.

use cozy_chess::{Board, Move};
use proptest::prelude::*;

use crate::bench;
use crate::position::Position;

/// Where games begin: openings, middlegames and endgames.
pub(crate) fn starts() -> impl Strategy<Value = &'static str> {
    prop::sample::select(bench::POSITIONS)
}

/// Which of its legal moves each position of a game goes on with.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..120)
}

/// The positions of a game, up to its end or the last choice.
pub(crate) fn random_game(start: &str, choices: &[u16]) -> Vec<Position> {
    let mut position = Position::from_fen(start).unwrap();
    let mut positions = vec![position.clone()];
    for &choice in choices {
        let moves = legal_moves(position.board());
        if moves.is_empty() {
            break;
        }
        position.play(moves[usize::from(choice) % moves.len()]);
        positions.push(position.clone());
    }
    positions
}

/// All legal moves.
pub(crate) fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|found| {
        moves.extend(found);
        false
    });
    moves
}
