//! Random games, for property tests of positions.

use cozy_chess::{Board, Move};
use proptest::prelude::*;

use crate::bench;
use crate::position::Position;

/// Positions of Chess960 and double Chess960.
const CHESS960: [&str; 4] = [
    "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1",
    "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/NRKBQBNR w HBca - 0 1",
    "rkr5/pppppppp/8/8/8/8/PPPPPPPP/1RK4R w HBca - 0 1",
    "1r2kr2/8/8/8/8/8/8/R1K4R b HAfb - 0 1",
];

/// Start positions: openings, middlegames and endgames.
pub(crate) fn starts() -> impl Strategy<Value = &'static str> {
    prop::sample::select([bench::POSITIONS, &CHESS960].concat())
}

/// The index of the move at each ply of a game.
pub(crate) fn choices() -> impl Strategy<Value = Vec<u16>> {
    prop::collection::vec(any::<u16>(), 0..120)
}

/// The positions of a random game.
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
