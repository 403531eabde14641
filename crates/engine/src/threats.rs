//! Static threats: hanging pieces, and pieces attacked by a lesser piece.

use cozy_chess::{
    BitBoard, Color, Move, Piece, Square, get_between_rays, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};

use crate::evaluation::pawn_attacks_of;
use crate::position::Position;

/// The squares that one side attacks, by kind of attacker.
struct Attacks {
    by_pawns: BitBoard,
    by_minors: BitBoard,
    by_rooks: BitBoard,
    all: BitBoard,
}

impl Attacks {
    fn of(position: &Position, color: Color) -> Self {
        let by = |piece: Piece| attacks_by(position, color, piece);
        let by_pawns = by(Piece::Pawn);
        let by_minors = by(Piece::Knight) | by(Piece::Bishop);
        let by_rooks = by(Piece::Rook);
        Self {
            by_pawns,
            by_minors,
            by_rooks,
            all: by_pawns | by_minors | by_rooks | by(Piece::Queen) | by(Piece::King),
        }
    }
}

/// The squares that the pieces of one kind and side attack.
#[inline]
fn attacks_by(position: &Position, color: Color, piece: Piece) -> BitBoard {
    let occupied = position.board().occupied();
    let pieces = position.pieces(color, piece);
    let union = |attacks: fn(Square, BitBoard) -> BitBoard| {
        pieces
            .into_iter()
            .fold(BitBoard::EMPTY, |sum, square| sum | attacks(square, occupied))
    };
    match piece {
        Piece::Pawn => pawn_attacks_of(pieces, color),
        Piece::Knight => union(|square, _| get_knight_moves(square)),
        Piece::Bishop => union(get_bishop_moves),
        Piece::Rook => union(get_rook_moves),
        Piece::Queen => union(|square, occupied| get_bishop_moves(square, occupied) | get_rook_moves(square, occupied)),
        Piece::King => union(|square, _| get_king_moves(square)),
    }
}

/// The knights, bishops, rooks and queens of `color` that are attacked by a lesser piece, or attacked and undefended.
pub(crate) fn threatened(position: &Position, color: Color) -> BitBoard {
    let enemy = Attacks::of(position, !color);
    let own = Attacks::of(position, color);
    let minors = position.pieces(color, Piece::Knight) | position.pieces(color, Piece::Bishop);
    let rooks = position.pieces(color, Piece::Rook);
    let queens = position.pieces(color, Piece::Queen);
    let by_lesser = (minors & enemy.by_pawns)
        | (rooks & (enemy.by_pawns | enemy.by_minors))
        | (queens & (enemy.by_pawns | enemy.by_minors | enemy.by_rooks));
    let loose = (minors | rooks | queens) & enemy.all & !own.all;
    by_lesser | loose
}

/// The squares that the side that is not to move attacks.
#[derive(Debug, Clone, Copy)]
pub(crate) struct EnemyAttacks {
    /// For each kind of piece, the squares that lesser pieces attack. Empty for pawns and kings.
    pub(crate) of_lesser_pieces: [BitBoard; Piece::NUM],
    /// The squares that any piece attacks.
    pub(crate) all: BitBoard,
}

impl EnemyAttacks {
    pub(crate) fn of(position: &Position) -> Self {
        let attacks = Attacks::of(position, !position.side_to_move());
        let (pawns, minors) = (attacks.by_pawns, attacks.by_pawns | attacks.by_minors);
        let rooks = minors | attacks.by_rooks;
        Self {
            of_lesser_pieces: [BitBoard::EMPTY, pawns, pawns, minors, rooks, BitBoard::EMPTY],
            all: attacks.all,
        }
    }
}

/// Whether a move increases the number of threatened enemy pieces.
pub(crate) fn creates_threat(before: &Position, after: &Position) -> bool {
    let enemy = !before.side_to_move();
    threatened(after, enemy).len() > threatened(before, enemy).len()
}

/// Whether a move decreases the number of threatened own pieces.
pub(crate) fn escapes_threat(before: &Position, after: &Position) -> bool {
    let own = before.side_to_move();
    threatened(after, own).len() < threatened(before, own).len()
}

/// Whether two moves of the same side are connected (Glaurung 2.2), in the position between them. They are connected in
/// four cases. The second move is by the same piece. It goes to or across the square that the first move left. It goes
/// to a square that the first piece defends. It discovers a check by the first piece.
pub(crate) fn are_connected(position: &Position, first: Move, second: Move) -> bool {
    let occupied = position.board().occupied();
    let defends = || {
        let attacks = match position.piece_on(first.to) {
            Some(Piece::Pawn) => get_pawn_attacks(first.to, !position.side_to_move()),
            Some(Piece::Knight) => get_knight_moves(first.to),
            Some(Piece::Bishop) => get_bishop_moves(first.to, occupied),
            Some(Piece::Rook) => get_rook_moves(first.to, occupied),
            Some(Piece::Queen) => get_bishop_moves(first.to, occupied) | get_rook_moves(first.to, occupied),
            Some(Piece::King) => get_king_moves(first.to),
            None => BitBoard::EMPTY,
        };
        attacks.has(second.to)
    };
    let discovers_check = || {
        let king = position.board().king(position.side_to_move());
        let aims = match position.piece_on(first.to) {
            Some(Piece::Bishop) => get_bishop_moves(first.to, BitBoard::EMPTY),
            Some(Piece::Rook) => get_rook_moves(first.to, BitBoard::EMPTY),
            Some(Piece::Queen) => {
                get_bishop_moves(first.to, BitBoard::EMPTY) | get_rook_moves(first.to, BitBoard::EMPTY)
            }
            _ => BitBoard::EMPTY,
        };
        let line = get_between_rays(first.to, king);
        aims.has(king) && line & occupied == second.from.bitboard() && !line.has(second.to)
    };
    second.from == first.to
        || second.to == first.from
        || get_between_rays(second.from, second.to).has(first.from)
        || defends()
        || discovers_check()
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::util::parse_uci_move;

    fn after(fen: &str, mv: &str) -> (Position, Position) {
        let before = Position::from_fen(fen).unwrap();
        let mut after = before.clone();
        after.play(parse_uci_move(before.board(), mv).unwrap());
        (before, after)
    }

    #[test]
    fn lesser_pieces_attack_greater_ones() {
        let position = Position::from_fen("4k3/8/2r5/1b6/6p1/8/8/4K3 w - - 0 1").unwrap();
        let lesser = EnemyAttacks::of(&position).of_lesser_pieces;
        let attacked = |piece: Piece, square: Square| lesser[piece as usize].has(square);
        for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
            assert!(attacked(piece, Square::F3), "{piece:?}, by the pawn");
        }
        assert!(attacked(Piece::Rook, Square::E2) && !attacked(Piece::Knight, Square::E2));
        assert!(attacked(Piece::Queen, Square::C2) && !attacked(Piece::Rook, Square::C2));
        assert!(lesser[Piece::Pawn as usize].is_empty() && lesser[Piece::King as usize].is_empty());
    }

    #[test]
    fn a_pawn_attacks_a_knight() {
        // The example of Rebel's page: h3 against the knight on g4.
        let (before, after) = after("4k3/5p2/5p2/4p3/6n1/8/7P/4K3 w - - 0 1", "h2h3");
        assert!(creates_threat(&before, &after));
        assert!(!escapes_threat(&before, &after));
    }

    #[test]
    fn the_knight_walks_away() {
        let (before, after) = after("4k3/5p2/5p2/4p3/6n1/7P/8/4K3 b - - 0 1", "g4h6");
        assert!(escapes_threat(&before, &after));
        assert!(!creates_threat(&before, &after));
    }

    #[test]
    fn defending_what_hangs_escapes_too() {
        let (before, after) = after("4k3/8/8/8/1r4N1/8/8/4K2R w - - 0 1", "h1h4");
        assert!(escapes_threat(&before, &after), "{}", after.board());
        assert_eq!(threatened(&before, Color::White).len(), 1);
    }

    #[test]
    fn moves_are_connected_by_piece_square_line_and_support() {
        let position = Position::from_fen("6k1/8/8/8/3N4/8/8/R3K3 b - - 0 1").unwrap();
        let mv = |text: &str| text.parse().unwrap();
        // The knight came from f3 and moves to f5.
        assert!(are_connected(&position, mv("f3d4"), mv("d4f5")));
        // The rook uses the line that it left, or the square.
        assert!(are_connected(&position, mv("a4d4"), mv("a1a8")));
        assert!(are_connected(&position, mv("a4d4"), mv("a1a4")));
        // The knight supports b5.
        assert!(are_connected(&position, mv("f3d4"), mv("a1b5")));
        assert!(!are_connected(&position, mv("f3d4"), mv("a1a8")));
    }

    #[test]
    fn moves_are_connected_by_a_discovered_check() {
        // The rook came to e1; the knight steps aside and uncovers it.
        let fen = "4k3/8/8/8/8/4N3/8/K3R3 b - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let mv = |text: &str| text.parse().unwrap();
        assert!(are_connected(&position, mv("h1e1"), mv("e3c4")));
        // Something else stands between, or the piece does not aim at the king.
        let blocked = Position::from_fen("4k3/4p3/8/8/8/4N3/8/K3R3 b - - 0 1").unwrap();
        assert!(!are_connected(&blocked, mv("h1e1"), mv("e3c4")));
        let bishop = Position::from_fen("4k3/8/8/8/8/4N3/8/K3B3 b - - 0 1").unwrap();
        assert!(!are_connected(&bishop, mv("h4e1"), mv("e3c4")));
        // A pawn that stays on the line uncovers nothing.
        let pawn = Position::from_fen("4k3/8/8/8/8/8/4P3/K3R3 b - - 0 1").unwrap();
        assert!(!are_connected(&pawn, mv("h1e1"), mv("e2e4")));
    }

    #[test]
    fn an_equal_and_defended_piece_is_not_threatened() {
        let position = Position::from_fen("4k3/8/2p5/3n4/8/2N5/8/4K3 w - - 0 1").unwrap();
        assert!(threatened(&position, Color::Black).is_empty());
        // White's own knight is attacked by a knight and not defended.
        assert_eq!(threatened(&position, Color::White).len(), 1);
    }
}
