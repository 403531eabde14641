//! Sets of squares relative to a side: fronts, spans, zones.

use cozy_chess::{BitBoard, Color, File, Square, get_between_rays, get_king_moves};

/// The squares that pawns on `pawns` attack.
#[inline]
pub(crate) fn pawn_attacks_of(pawns: BitBoard, color: Color) -> BitBoard {
    let (not_a, not_h) = (!File::A.bitboard().0, !File::H.bitboard().0);
    let pawns = pawns.0;
    BitBoard(match color {
        Color::White => ((pawns & not_a) << 7) | ((pawns & not_h) << 9),
        Color::Black => ((pawns & not_h) >> 7) | ((pawns & not_a) >> 9),
    })
}

/// The squares one rank ahead.
#[inline]
pub(crate) fn forward(squares: BitBoard, color: Color) -> BitBoard {
    BitBoard(match color {
        Color::White => squares.0 << 8,
        Color::Black => squares.0 >> 8,
    })
}

/// All squares on the ranks in front of `square`.
#[inline]
fn ranks_ahead(square: Square, color: Color) -> BitBoard {
    let rank = square.rank() as u32;
    BitBoard(match color {
        Color::White => u64::MAX << (8 * rank) << 8,
        Color::Black => !(u64::MAX << (8 * rank)),
    })
}

/// All squares on the rank of `square` and in front of it.
#[inline]
pub(crate) fn from_rank(square: Square, color: Color) -> BitBoard {
    ranks_ahead(square, color) | square.rank().bitboard()
}

/// The squares in front of `square`, on its own file.
#[inline]
pub(crate) fn ahead(square: Square, color: Color) -> BitBoard {
    square.file().bitboard() & ranks_ahead(square, color)
}

/// The passed pawn span: the squares ahead of `square` on its own and the adjacent files.
#[inline]
pub(crate) fn passed_pawn_span(square: Square, color: Color) -> BitBoard {
    (square.file().bitboard() | square.file().adjacent()) & ranks_ahead(square, color)
}

/// The rank of a square relative to a side, from 0.
#[inline]
pub(crate) fn relative_rank(square: Square, color: Color) -> usize {
    square.rank().relative_to(color) as usize
}

/// The king zone: the king's square, the squares around it, and one rank ahead of them.
#[inline]
pub(crate) fn king_zone(king: Square, color: Color) -> BitBoard {
    let near = get_king_moves(king) | king.bitboard();
    near | forward(near, color)
}

/// The files of a king's flank, by its own file: a to c, a to d, c to f, e to h, f to h.
#[inline]
pub(crate) fn king_flank(king: Square) -> BitBoard {
    const A: u64 = 0x0101_0101_0101_0101;
    const FLANKS: [u64; 8] = [
        A * 0b0000_0111,
        A * 0b0000_1111,
        A * 0b0000_1111,
        A * 0b0011_1100,
        A * 0b0011_1100,
        A * 0b1111_0000,
        A * 0b1111_0000,
        A * 0b1110_0000,
    ];
    BitBoard(FLANKS[king.file() as usize])
}

/// The number of `sliders` with exactly one piece between them and `square`. All of them stand on lines of `square`.
#[inline]
pub(crate) fn lone_blockers(square: Square, sliders: BitBoard, occupied: BitBoard) -> i32 {
    let alone = |slider: &Square| (get_between_rays(square, *slider) & occupied).len() == 1;
    sliders.into_iter().filter(alone).count() as i32
}

/// The Chebyshev distance: king moves between two squares.
#[inline]
pub(crate) fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_and_files() {
        assert_eq!(ahead(Square::E4, Color::White).len(), 4);
        assert_eq!(ahead(Square::E4, Color::Black).len(), 3);
        assert_eq!(ahead(Square::E8, Color::White).len(), 0);
        assert_eq!(passed_pawn_span(Square::A7, Color::White).len(), 2);
        assert_eq!(passed_pawn_span(Square::D2, Color::White).len(), 18);
        assert_eq!(from_rank(Square::D2, Color::White).len(), 56);
        assert_eq!(from_rank(Square::D2, Color::Black).len(), 16);
        assert_eq!(king_zone(Square::G1, Color::White).len(), 9);
        assert_eq!(king_zone(Square::E4, Color::Black).len(), 12);
    }
}
