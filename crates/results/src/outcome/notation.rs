//! The moves of the files, which are in UCI notation, as a person reads them: in standard algebraic notation.

use cozy_chess::util::{display_san_move, parse_uci_move};
use cozy_chess::{Board, Move};
use lmrlab_engine::position::Position;

/// A move in UCI notation that is legal here.
pub fn legal(board: &Board, text: &str) -> Option<Move> {
    parse_uci_move(board, text).ok().filter(|mv| board.is_legal(*mv))
}

/// A legal move in standard algebraic notation.
pub fn san(board: &Board, mv: Move) -> String {
    display_san_move(board, mv).to_string()
}

/// Moves of one position. A word that is no legal move stays as it is.
pub fn moves_in_san(fen: &str, moves: &str) -> String {
    let words = moves.split_whitespace().map(|word| line_in_san(fen, word));
    words.collect::<Vec<_>>().join(" ")
}

/// A line of moves that begins in a position. From the first word that is no legal move on it stays as it is.
pub fn line_in_san(fen: &str, line: &str) -> String {
    let mut position = Position::from_fen(fen).ok();
    let words = line.split_whitespace().map(|word| {
        let before = position.take();
        let Some((before, mv)) = before.and_then(|before| legal(before.board(), word).map(|mv| (before, mv))) else {
            return word.to_owned();
        };
        position = Some(before.after(mv));
        san(before.board(), mv)
    });
    words.collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn moves_and_lines_are_shown_in_san() {
        assert_eq!(moves_in_san(START, "g1f3 e2e4 e7e5"), "Nf3 e4 e7e5");
        assert_eq!(
            line_in_san(START, "e2e4 e7e5 g1f3 b8c6 f1b5 g8f6 e1g1"),
            "e4 e5 Nf3 Nc6 Bb5 Nf6 O-O"
        );
        assert_eq!(line_in_san(START, "e2e4 e2e4 d7d5"), "e4 e2e4 d7d5");
        assert_eq!(moves_in_san("no position", "e2e4"), "e2e4");
    }
}
