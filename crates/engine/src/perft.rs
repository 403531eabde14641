//! Perft: counting the leaves of the game tree, the usual test of a move generator.

use cozy_chess::Move;

use crate::position::Position;

/// The number of sequences of `depth` legal moves from a position.
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut count = 0;
            position.board().generate_moves(|moves| {
                count += moves.len() as u64;
                false
            });
            count
        }
        _ => divide(position, depth).map(|(_, nodes)| nodes).sum(),
    }
}

/// [`perft`] by first move, in the order of generation. Empty for depth 0.
pub fn divide(position: &Position, depth: u32) -> impl Iterator<Item = (Move, u64)> {
    let mut moves = Vec::new();
    if depth > 0 {
        position.board().generate_moves(|found| {
            moves.extend(found);
            false
        });
    }
    moves.into_iter().map(move |mv| {
        let mut child = position.clone();
        child.play(mv);
        (mv, perft(&child, depth - 1))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts from the Chess Programming Wiki's perft results.
    #[test]
    fn known_counts() {
        for (fen, counts) in [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                &[20, 400, 8_902, 197_281][..],
            ),
            (
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                &[48, 2_039, 97_862],
            ),
            ("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238]),
            (
                "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
                &[6, 264, 9_467],
            ),
            (
                "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
                &[44, 1_486, 62_379],
            ),
            // Chess960 and double Chess960.
            (
                "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
                &[21, 528, 12_189],
            ),
            (
                "2nnrbkr/p1qppppp/8/1ppb4/6PP/3PP3/PPP2P2/BQNNRBKR w HEhe - 1 9",
                &[21, 807, 18_002],
            ),
            (
                "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9",
                &[29, 502, 14_569],
            ),
        ] {
            let position = Position::from_fen(fen).unwrap();
            for (depth, count) in (1..).zip(counts) {
                assert_eq!(perft(&position, depth), *count, "{fen} at depth {depth}");
            }
        }
    }

    #[test]
    fn dividing_adds_up() {
        let position = Position::initial();
        assert_eq!(divide(&position, 3).map(|(_, nodes)| nodes).sum::<u64>(), 8_902);
        assert_eq!(divide(&position, 0).count(), 0);
        assert_eq!(perft(&position, 0), 1);
    }
}
