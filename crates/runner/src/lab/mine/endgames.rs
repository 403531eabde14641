//! Random endgames in which hardly anything can move, and the positions before them.

use cozy_chess::{
    BitBoard, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_bishop_moves,
    get_king_moves, get_knight_moves, get_rook_moves,
};
use lmrlab_engine::game::Game;
use lmrlab_engine::position::Position;
use rand::Rng;
use rand::seq::{IndexedRandom, IteratorRandom};

/// Attempts at a random endgame before there is none.
const ATTEMPTS: u32 = 1_000;

/// Fewest and most pairs of pawns that block each other.
const LEAST_RAMS: usize = 2;
const MOST_RAMS: usize = 5;

/// Most other pawns of a side.
const MOST_FREE_PAWNS: usize = 1;

/// What a side has beside its king and its pawns: a minor piece most often.
const PIECES: [Option<Piece>; 8] = [
    Some(Piece::Knight),
    Some(Piece::Knight),
    Some(Piece::Knight),
    Some(Piece::Bishop),
    Some(Piece::Bishop),
    Some(Piece::Bishop),
    Some(Piece::Rook),
    None,
];

/// A random endgame: kings, at most one piece a side, one to four pairs of pawns that block each other and up to two other
/// pawns a side, on squares that chance chose; nobody is in check.
pub(super) fn random(generator: &mut impl Rng) -> Option<Position> {
    (0..ATTEMPTS).find_map(|_| {
        let mut builder = BoardBuilder::empty();
        for _ in 0..(LEAST_RAMS..=MOST_RAMS).choose(generator)? {
            let square = (Square::A2 as usize..=Square::H6 as usize).choose(generator)?;
            let above = square + File::NUM;
            if builder.board[square].is_none() && builder.board[above].is_none() {
                builder.board[square] = Some((Piece::Pawn, Color::White));
                builder.board[above] = Some((Piece::Pawn, Color::Black));
            }
        }
        for color in Color::ALL {
            let piece = PIECES.choose(generator).copied().flatten();
            let pawns = (0..=MOST_FREE_PAWNS).choose(generator)?;
            let men = [Some(Piece::King), piece].into_iter().flatten();
            for man in men.chain(std::iter::repeat_n(Piece::Pawn, pawns)) {
                put(&mut builder, generator, man, color, |_| true)?;
            }
        }
        builder.side_to_move = *Color::ALL.choose(generator)?;
        built(&builder).filter(begins)
    })
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
            let other = PIECES.choose(generator).copied().flatten()?;
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

/// Whether play can begin there: nobody is in check, and the game is not over.
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
        .filter(|square| {
            piece != Piece::Pawn || (Rank::Second..=Rank::Seventh).contains(&square.rank())
        })
        .choose(generator)?;
    builder.board[square as usize] = Some((piece, color));
    Some(())
}

/// The positions from which a move that captures nothing, promotes nothing and is neither castling nor a double step of a
/// pawn leads here, with the move.
pub(super) fn before(position: &Position) -> Vec<(Position, Move)> {
    let board = position.board();
    let mover = !board.side_to_move();
    let mut found = Vec::new();
    for to in board.colors(mover) {
        let Some(piece) = position.piece_on(to) else {
            continue;
        };
        for from in origins(piece, to, mover, board.occupied()) - board.occupied() {
            let mut builder = BoardBuilder::from_board(board);
            builder.board[from as usize] = builder.board[to as usize].take();
            builder.side_to_move = mover;
            builder.en_passant = None;
            let mv = Move {
                from,
                to,
                promotion: None,
            };
            if let Some(earlier) = built(&builder)
                && earlier.board().is_legal(mv)
            {
                found.push((earlier, mv));
            }
        }
    }
    found
}

/// The position, if it can occur in a game. Through its FEN, because the library's builder lets kings stand side by side.
fn built(builder: &BoardBuilder) -> Option<Position> {
    Position::from_fen(&builder.build().ok()?.to_string()).ok()
}

/// Where a man may have come from.
fn origins(piece: Piece, to: Square, color: Color, occupied: BitBoard) -> BitBoard {
    match piece {
        Piece::Pawn => {
            let back = if color == Color::White { -1 } else { 1 };
            let from = to.try_offset(0, back);
            from.filter(|from| from.rank().relative_to(color) != Rank::First)
                .map_or(BitBoard::EMPTY, Square::bitboard)
        }
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, occupied),
        Piece::Rook => get_rook_moves(to, occupied),
        Piece::Queen => get_bishop_moves(to, occupied) | get_rook_moves(to, occupied),
        Piece::King => get_king_moves(to),
    }
}

#[cfg(test)]
mod tests {
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn random_endgames_are_positions_with_few_men() {
        let mut generator = Pcg64::new(1, 2);
        let mut pieces = 0;
        for _ in 0..50 {
            let position = random(&mut generator).unwrap();
            let men = position.board().occupied().len();
            assert!((4..=16).contains(&men), "{position}");
            assert!(!position.in_check());
            pieces += u32::from(position.has_pieces(position.side_to_move()));
        }
        assert!(pieces > 20);
    }

    #[test]
    fn a_move_leads_from_each_earlier_position_to_this_one() {
        let mut generator = Pcg64::new(3, 4);
        for _ in 0..20 {
            let position = random(&mut generator).unwrap();
            let earlier = before(&position);
            assert!(!earlier.is_empty(), "{position}");
            for (before, mv) in earlier {
                assert!(before.captured(mv).is_none());
                assert_eq!(before.after(mv).key(), position.key(), "{before} {mv}");
            }
        }
    }

    #[test]
    fn a_change_is_of_one_man() {
        let mut generator = Pcg64::new(5, 6);
        let mut position = random(&mut generator).unwrap();
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
                    != (
                        position.piece_on(*square),
                        position.board().color_on(*square),
                    )
            });
            assert!(differing.count() <= 2, "{position} {next}");
            position = next;
        }
        assert!(changes > 50, "{changes}");
    }

    #[test]
    fn what_may_have_come_from_where() {
        // Not from b2, beside the other king; the pawn not from e2, two steps away.
        let position = Position::from_fen("8/8/8/8/4P3/2k5/8/K7 b - - 0 1").unwrap();
        let mut moves: Vec<String> = before(&position)
            .iter()
            .map(|(_, mv)| mv.to_string())
            .collect();
        moves.sort();
        assert_eq!(moves, ["a2a1", "b1a1", "e3e4"]);
    }
}
