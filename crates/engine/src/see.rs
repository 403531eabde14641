//! Static exchange evaluation (SEE): the gain or loss of a series of captures on one square.
//!
//! The swap algorithm: both sides capture with their least valuable piece and may stop at any time. Pins are not seen.

use cozy_chess::{
    BitBoard, Color, Move, Piece, Square, get_bishop_moves, get_king_moves, get_knight_moves, get_pawn_attacks,
    get_rook_moves,
};

use crate::position::Position;

/// Piece values in an exchange, in centipawns.
const VALUE: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// The value of a piece in an exchange, in centipawns.
pub(crate) fn see_value(piece: Piece) -> i32 {
    VALUE[piece as usize]
}

/// What a legal move gains or loses by the exchange on its destination, in centipawns.
pub(crate) fn see(position: &Position, mv: Move) -> i32 {
    if position.is_castling(mv) {
        return 0;
    }
    let mut exchange = Exchange::new(position, mv);
    let mut gains = [0i32; 33];
    gains[0] = exchange.first_gain;
    let mut count = 0;
    while let Some(victim) = exchange.capture() {
        count += 1;
        gains[count] = victim - gains[count - 1];
        if count + 1 == gains.len() {
            break;
        }
    }
    // A side leaves out a capture when it does better without it.
    while count > 0 {
        gains[count - 1] = -(-gains[count - 1]).max(gains[count]);
        count -= 1;
    }
    gains[0]
}

/// Whether [`see`] is at least `threshold` centipawns. Faster than [`see`].
pub(crate) fn see_at_least(position: &Position, mv: Move, threshold: i32) -> bool {
    if position.is_castling(mv) {
        return threshold <= 0;
    }
    let mut exchange = Exchange::new(position, mv);
    let mut balance = exchange.first_gain - threshold;
    if balance < 0 {
        return false;
    }
    // The side to move reaches the threshold even when it loses the moved piece for nothing.
    balance -= see_value(exchange.standing);
    if balance >= 0 {
        return true;
    }
    // A side cannot reach its threshold when its balance stays negative after it loses the capturing piece.
    while exchange.capture().is_some() {
        balance = -balance - 1 - see_value(exchange.standing);
        if balance >= 0 {
            break;
        }
    }
    exchange.side != position.side_to_move()
}

/// The state of an exchange on one square.
struct Exchange<'p> {
    position: &'p Position,
    target: Square,
    occupied: BitBoard,
    attackers: BitBoard,
    side: Color,
    /// The piece on the square: the next one to be captured.
    standing: Piece,
    first_gain: i32,
}

impl<'p> Exchange<'p> {
    fn new(position: &'p Position, mv: Move) -> Self {
        let us = position.side_to_move();
        let board = position.board();
        let mut occupied = board.occupied() ^ mv.from.bitboard();
        if position.is_en_passant(mv) {
            occupied ^= Square::new(mv.to.file(), mv.from.rank()).bitboard();
        }
        occupied |= mv.to.bitboard();
        let moved = position.piece_on(mv.from).unwrap_or(Piece::Pawn);
        let mut first_gain = position.captured(mv).map_or(0, see_value);
        if let Some(promotion) = mv.promotion {
            first_gain += see_value(promotion) - see_value(Piece::Pawn);
        }
        let mut exchange = Self {
            position,
            target: mv.to,
            occupied,
            attackers: BitBoard::EMPTY,
            side: !us,
            standing: mv.promotion.unwrap_or(moved),
            first_gain,
        };
        exchange.attackers = exchange.all_attackers();
        exchange
    }

    fn all_attackers(&self) -> BitBoard {
        let (board, target) = (self.position.board(), self.target);
        let pawns = board.pieces(Piece::Pawn);
        ((get_pawn_attacks(target, Color::White) & pawns & board.colors(Color::Black))
            | (get_pawn_attacks(target, Color::Black) & pawns & board.colors(Color::White))
            | (get_knight_moves(target) & board.pieces(Piece::Knight))
            | (get_king_moves(target) & board.pieces(Piece::King))
            | self.sliders())
            & self.occupied
    }

    fn sliders(&self) -> BitBoard {
        let board = self.position.board();
        let queens = board.pieces(Piece::Queen);
        (get_bishop_moves(self.target, self.occupied) & (board.pieces(Piece::Bishop) | queens))
            | (get_rook_moves(self.target, self.occupied) & (board.pieces(Piece::Rook) | queens))
    }

    /// Captures with the least valuable piece of the side to capture. Returns the value of the captured piece, or `None`
    /// when no capture is left (a king cannot capture a defended piece).
    fn capture(&mut self) -> Option<i32> {
        let board = self.position.board();
        let own = self.attackers & board.colors(self.side) & self.occupied;
        let (piece, from) = Piece::ALL
            .into_iter()
            .find_map(|piece| Some((piece, (own & board.pieces(piece)).next_square()?)))?;
        if piece == Piece::King && !(self.attackers & board.colors(!self.side) & self.occupied).is_empty() {
            return None;
        }
        let gain = see_value(self.standing);
        self.standing = piece;
        self.occupied ^= from.bitboard();
        // A slider may stand behind the piece that left.
        self.attackers = (self.attackers | self.sliders()) & self.occupied;
        self.side = !self.side;
        Some(gain)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cozy_chess::util::parse_uci_move;

    fn check(fen: &str, mv: &str, expected: i32) {
        let position = Position::from_fen(fen).unwrap();
        let mv = parse_uci_move(position.board(), mv).unwrap();
        assert!(position.board().is_legal(mv));
        assert_eq!(see(&position, mv), expected, "{fen} {mv}");
        for threshold in [
            -1000, -321, -320, -100, -1, 0, 1, 99, 100, 101, 219, 220, 221, 320, 500, 950,
        ] {
            assert_eq!(
                see_at_least(&position, mv, threshold),
                expected >= threshold,
                "{fen} {mv} at {threshold}, value {expected}"
            );
        }
    }

    #[test]
    fn simple_exchanges() {
        // An undefended pawn, a defended pawn, an equal trade, a quiet move to a square that a pawn attacks.
        check("1k1r4/1pp4p/p7/4p3/8/P5P1/1PP4P/2K1R3 w - - 0 1", "e1e5", 100);
        check("1k1r3q/1ppn3p/p4b2/4p3/8/P2N2P1/1PP1R1BP/2K1Q3 w - - 0 1", "d3e5", -220);
        check("4k3/8/3p4/4p3/3P4/8/8/4K3 w - - 0 1", "d4e5", 0);
        check("4k3/8/3p4/8/8/3N4/8/4K3 w - - 0 1", "d3e5", -320);
    }

    #[test]
    fn sliders_behind_sliders() {
        // Rooks doubled against one defender: the second one takes part.
        check("4k3/4r3/8/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100);
        check("4k3/4r3/4r3/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", -400);
    }

    #[test]
    fn a_king_does_not_walk_into_check() {
        check("8/8/3k4/4p3/8/8/4R3/K3R3 w - - 0 1", "e2e5", 100);
        check("8/8/3k4/4p3/8/8/4R3/K7 w - - 0 1", "e2e5", -400);
    }

    #[test]
    fn en_passant_and_promotion() {
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 100);
        check("4k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", 850);
        check("1r2k3/2P5/8/8/8/8/8/4K3 w - - 0 1", "c7c8q", -100);
    }
}
