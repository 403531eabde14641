//! The positions that an engine searches for its check. Together they have en passant captures, promotions, castling,
//! checks, passed pawns and hanging pieces.

/// The positions, made for these checks.
pub(super) const POSITIONS: [&str; 8] = [
    "r3k2r/p1p1qpb1/bn1ppnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "r1bqk2r/pp2bppp/2n1pn2/3p4/2PP4/2N2N2/PP2BPPP/R1BQK2R w KQkq - 4 8",
    "4k3/1P3ppp/8/3pP3/2pP1b2/8/pP3PPP/4K2R w K d6 0 30",
    "8/2P2pk1/1p4p1/3PpR2/p2P3p/5PP1/r2p2PK/8 w - e6 0 41",
    "r2q1rk1/1b2bppp/p1n1pn2/1p6/3P4/1BN2N2/PP3PPP/R1BQR1K1 b - - 3 13",
    "2kr3r/ppp2ppp/2n5/1B1qp1B1/3P2b1/5N2/PPPQ1PPP/R3K2R w KQ - 2 11",
    "8/3P1k2/2P2p2/pp3P1p/4K1pP/P5P1/1p6/2n5 w - - 0 50",
    "3r2k1/5ppp/p1q1p3/1p1nP3/3N4/P2RQ1P1/1P3P1P/6K1 b - - 1 27",
];

#[cfg(test)]
mod tests {
    use lmrlab_engine::position::Position;

    use super::POSITIONS;

    #[test]
    fn the_positions_are_legal_and_have_moves_of_every_kind() {
        let mut kinds = [0; 3];
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            position.board().generate_moves(|moves| {
                for mv in moves {
                    kinds[0] += usize::from(position.is_en_passant(mv));
                    kinds[1] += usize::from(mv.promotion.is_some());
                    kinds[2] += usize::from(position.is_castling(mv));
                }
                false
            });
        }
        let [en_passant, promotions, castling] = kinds;
        assert!(en_passant >= 2 && promotions >= 4 && castling >= 3, "{kinds:?}");
    }
}
