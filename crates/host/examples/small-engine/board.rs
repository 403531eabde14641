//! Moves and the value of a position. The rules of chess are those of cozy-chess.

use cozy_chess::{Board, Color, Move, Piece, Square};

pub(super) fn moves(board: &Board, is_wanted: impl Fn(Move) -> bool) -> Vec<Move> {
    let mut list = Vec::new();
    board.generate_moves(|moves| {
        list.extend(moves.into_iter().filter(|mv| is_wanted(*mv)));
        false
    });
    list
}

pub(super) fn after(board: &Board, mv: Move) -> Board {
    let mut after = board.clone();
    after.play_unchecked(mv);
    after
}

/// Castling takes the own rook in cozy-chess.
pub(super) fn is_capture(board: &Board, mv: Move) -> bool {
    let is_en_passant = board.piece_on(mv.from) == Some(Piece::Pawn) && mv.from.file() != mv.to.file();
    board.color_on(mv.to) == Some(!board.side_to_move()) || is_en_passant
}

pub(super) fn is_quiet(board: &Board, mv: Move) -> bool {
    !is_capture(board, mv) && mv.promotion.is_none()
}

pub(super) fn value(piece: Option<Piece>) -> i32 {
    piece.map_or(0, |piece| [100, 320, 330, 500, 950, 0][piece as usize])
}

/// Material and squares, in centipawns for the side to move.
pub(super) fn evaluate(board: &Board) -> i32 {
    let piece_at = |piece: Piece, square: Square, color: Color| {
        let (file, rank) = (square.file() as i32, square.rank().relative_to(color) as i32);
        let centre = 7 - (2 * file - 7).abs().max((2 * rank - 7).abs());
        let bonus = match piece {
            Piece::Pawn => 4 * rank + centre,
            Piece::King if !board.pieces(Piece::Queen).is_empty() => -12 * rank.min(3) - 2 * centre,
            _ => 3 * centre,
        };
        value(Some(piece)) + bonus
    };
    let side = |color: Color| -> i32 {
        let pieces = Piece::ALL.into_iter().flat_map(|piece| {
            let squares = board.colored_pieces(color, piece).into_iter();
            squares.map(move |square| (piece, square))
        });
        pieces.map(|(piece, square)| piece_at(piece, square, color)).sum()
    };
    side(board.side_to_move()) - side(!board.side_to_move())
}
