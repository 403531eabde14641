//! Random endgames in which one side has little room.

use cozy_chess::{BoardBuilder, Color, File, Piece, Rank, Square, get_king_moves};
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};

/// Attempts at a random endgame before there is none.
const ATTEMPTS: u32 = 1_000;

/// Most pairs of pawns that block each other.
const MOST_RAMS: usize = 3;

/// What a changed piece becomes: a minor piece most often.
const PIECES: [Piece; 7] = [
    Piece::Knight,
    Piece::Knight,
    Piece::Knight,
    Piece::Bishop,
    Piece::Bishop,
    Piece::Bishop,
    Piece::Rook,
];

/// What a side that is shut in has beside its king, and what its opponent has.
const SHUT_IN: [Piece; 6] = [
    Piece::Rook,
    Piece::Rook,
    Piece::Knight,
    Piece::Bishop,
    Piece::Bishop,
    Piece::Queen,
];

/// A random endgame in which the side that is not to move has little room.
///
/// Its king is in a corner or beside it, with one or two pieces and up to two pawns close by. The other king and some of
/// its men are not far. Up to three pairs of pawns block each other anywhere. No king is in check.
pub(super) fn shut_in(generator: &mut impl Rng) -> Option<Position> {
    (0..ATTEMPTS).find_map(|_| {
        let mut builder = BoardBuilder::empty();
        let inside = *Color::ALL.choose(generator)?;
        let corner = *[Square::A1, Square::H1, Square::A8, Square::H8].choose(generator)?;
        let near = |most: i32| move |square: Square| distance(square, corner) <= most;
        put(&mut builder, generator, Piece::King, inside, near(1))?;
        for _ in 0..(1..=2).choose(generator)? {
            let piece = *SHUT_IN.choose(generator)?;
            put(&mut builder, generator, piece, inside, near(2))?;
        }
        for _ in 0..(0..=2).choose(generator)? {
            put(&mut builder, generator, Piece::Pawn, inside, near(3))?;
        }
        put(&mut builder, generator, Piece::King, !inside, near(4))?;
        for _ in 0..(1..=2).choose(generator)? {
            let piece = *SHUT_IN.choose(generator)?;
            put(&mut builder, generator, piece, !inside, |_| true)?;
        }
        for _ in 0..(1..=2).choose(generator)? {
            put(&mut builder, generator, Piece::Pawn, !inside, near(3))?;
        }
        for _ in 0..(0..=MOST_RAMS).choose(generator)? {
            let square = (Square::A2 as usize..=Square::H6 as usize).choose(generator)?;
            let above = square + File::NUM;
            if builder.board[square].is_none() && builder.board[above].is_none() {
                builder.board[square] = Some((Piece::Pawn, Color::White));
                builder.board[above] = Some((Piece::Pawn, Color::Black));
            }
        }
        builder.side_to_move = !inside;
        built(&builder).filter(begins)
    })
}

/// Moves of a king from one square to the other.
fn distance(a: Square, b: Square) -> i32 {
    let files = (a.file() as i32 - b.file() as i32).abs();
    let ranks = (a.rank() as i32 - b.rank() as i32).abs();
    files.max(ranks)
}

/// The position with one man elsewhere, beside where it stood or anywhere, with another piece in a piece's place, or with a
/// pawn more or less. `None` when play cannot begin there.
pub(super) fn changed(position: &Position, generator: &mut impl Rng) -> Option<Position> {
    let mut builder = BoardBuilder::from_board(position.board());
    builder.en_passant = None;
    let from = position.board().occupied().into_iter().choose(generator)?;
    let (piece, color) = builder.board[from as usize]?;
    match (piece, (0..8).choose(generator)?) {
        (Piece::Pawn, 0) => builder.board[from as usize] = None,
        (Piece::Pawn, 1) => put(&mut builder, generator, Piece::Pawn, color, |_| true)?,
        (Piece::Knight | Piece::Bishop | Piece::Rook | Piece::Queen, 0) => {
            let other = *PIECES.choose(generator)?;
            builder.board[from as usize] = Some((other, color));
        }
        (_, kind) => {
            builder.board[from as usize] = None;
            put(&mut builder, generator, piece, color, |to| {
                to != from && (kind > 4 || get_king_moves(from).has(to))
            })?;
        }
    }
    built(&builder).filter(begins)
}

/// Whether play can begin there: no king is in check, and the game is not over.
fn begins(position: &Position) -> bool {
    !position.in_check() && Game::new(position.clone()).ending().is_none()
}

/// Puts a man on one of the empty squares that fit; a pawn where pawns can be.
fn put(
    builder: &mut BoardBuilder,
    generator: &mut impl Rng,
    piece: Piece,
    color: Color,
    fits: impl Fn(Square) -> bool,
) -> Option<()> {
    let square = Square::ALL
        .into_iter()
        .filter(|square| builder.board[*square as usize].is_none() && fits(*square))
        .filter(|square| piece != Piece::Pawn || (Rank::Second..=Rank::Seventh).contains(&square.rank()))
        .choose(generator)?;
    builder.board[square as usize] = Some((piece, color));
    Some(())
}

/// The position, if it can occur in a game. Through its FEN, because the library's builder lets kings stand side by side.
fn built(builder: &BoardBuilder) -> Option<Position> {
    Position::from_fen(&builder.build().ok()?.to_string()).ok()
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn one_king_is_in_a_corner_with_a_piece_beside_it() {
        let mut generator = Pcg64::new(1, 2);
        for _ in 0..50 {
            let position = shut_in(&mut generator).unwrap();
            let men = position.board().occupied().len();
            assert!((5..=18).contains(&men), "{position}");
            assert!(begins(&position), "{position}");
            let inside = !position.side_to_move();
            assert!(position.has_pieces(inside), "{position}");
            let king = position.board().king(inside);
            let corners = [Square::A1, Square::H1, Square::A8, Square::H8];
            assert!(corners.iter().any(|corner| distance(king, *corner) <= 1), "{position}");
        }
    }

    #[test]
    fn a_change_is_of_one_man() {
        let mut generator = Pcg64::new(5, 6);
        let mut position = shut_in(&mut generator).unwrap();
        let mut changes = 0;
        for _ in 0..200 {
            let Some(next) = changed(&position, &mut generator) else {
                continue;
            };
            changes += 1;
            assert!(begins(&next), "{next}");
            assert_eq!(next.side_to_move(), position.side_to_move());
            let differing = Square::ALL.into_iter().filter(|square| {
                (next.piece_on(*square), next.board().color_on(*square))
                    != (position.piece_on(*square), position.board().color_on(*square))
            });
            assert!(differing.count() <= 2, "{position} {next}");
            position = next;
        }
        assert!(changes > 50, "{changes}");
    }
}
