//! Which moves give check, without making them.

use cozy_chess::{
    BitBoard, Move, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays, get_knight_moves,
    get_line_rays, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

use crate::position::Position;

/// The squares and pieces that can give check.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Checks {
    /// The enemy king's square.
    king: Square,
    /// By piece: the squares from which it attacks the king.
    squares: [BitBoard; Piece::NUM],
    /// Pieces of the side to move that block a slider of their own from the king: discovered check candidates.
    discoverers: BitBoard,
}

impl Checks {
    pub(crate) fn of(position: &Position) -> Self {
        let board = position.board();
        let us = position.side_to_move();
        let king = board.king(!us);
        let occupied = board.occupied();
        let diagonal = get_bishop_moves(king, occupied);
        let straight = get_rook_moves(king, occupied);
        let own = board.colors(us);
        let queens = board.pieces(Piece::Queen);
        let sliders = own
            & ((get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens))
                | (get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)));
        let mut discoverers = BitBoard::EMPTY;
        for slider in sliders {
            let between = get_between_rays(king, slider) & occupied;
            if between.len() == 1 {
                discoverers |= between & own;
            }
        }
        Self {
            king,
            squares: [
                get_pawn_attacks(king, !us),
                get_knight_moves(king),
                diagonal,
                straight,
                diagonal | straight,
                BitBoard::EMPTY,
            ],
            discoverers,
        }
    }

    /// Whether a move that neither promotes nor castles gives check by its own piece.
    #[inline]
    pub(crate) fn gives_directly(&self, piece: Piece, mv: Move) -> bool {
        self.squares[piece as usize].has(mv.to)
    }

    /// Whether a legal move gives check.
    #[inline]
    pub(crate) fn gives(&self, position: &Position, mv: Move) -> bool {
        let Some(piece) = position.piece_on(mv.from) else {
            return false;
        };
        if self.squares[piece as usize].has(mv.to) && mv.promotion.is_none() {
            return !position.is_castling(mv);
        }
        if self.discoverers.has(mv.from) && !get_line_rays(self.king, mv.from).has(mv.to) {
            return true;
        }
        let unusual =
            mv.promotion.is_some() || (piece == Piece::King && position.is_castling(mv)) || position.is_en_passant(mv);
        unusual && {
            let mut board = position.board().clone();
            board.play_unchecked(mv);
            !board.checkers().is_empty()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_games::{choices, legal_moves, random_game, starts};
    use proptest::prelude::*;

    fn every_move_agrees(position: &Position) {
        let checks = Checks::of(position);
        for mv in legal_moves(position.board()) {
            assert_eq!(
                checks.gives(position, mv),
                position.after(mv).in_check(),
                "{mv} in {position}"
            );
        }
    }

    #[test]
    fn odd_ways_to_give_check_are_seen() {
        for fen in [
            // Castling, en passant that opens a line, promotion through the pawn's own square.
            "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
            "3k4/8/8/8/8/8/8/R3K3 w Q - 0 1",
            "8/8/8/1k1pP2Q/8/8/8/4K3 w - d6 0 1",
            "8/1P6/8/8/1k6/8/8/4K3 w - - 0 1",
            // A king that steps out of its own bishop's way.
            "7k/8/8/8/3K4/8/1B6/8 w - - 0 1",
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        ] {
            every_move_agrees(&Position::from_fen(fen).unwrap());
        }
    }

    proptest! {
        #[test]
        fn checks_are_those_of_the_rules(start in starts(), choices in choices()) {
            for position in random_game(start, &choices) {
                every_move_agrees(&position);
            }
        }
    }
}
