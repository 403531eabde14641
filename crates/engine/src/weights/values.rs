//! The numbers of the evaluation, in the order of the catalogue of terms: middlegame and endgame, in centipawns; for
//! the terms of danger, in attack units.
//!
//! Written by
//!
//! ```text
//! lmrlab tune eval fit positions.csv --step 0.3 --patience 10 --out crates/engine/src/weights/values.rs --force
//! ```
//!
//! from 180289 quiet positions of 9479 games that this engine played against itself, beginning with the weights
//! that it had then. Mean loss (cross-entropy less the entropy of the targets, in nats), before and after:
//!
//! ```text
//! training      161931 positions  0.100301 -> 0.093470
//! validation     18358 positions  0.107251 -> 0.103359
//! ```
//!
//! Passes over the positions: 10. Steepness of the logistic curve: 0.006544 per centipawn. Afterwards the
//! tables of squares and mobility were centred, their means moved into the material, and all weights multiplied by
//! 0.9058, which makes a pawn worth 100 in the endgame.

use super::tapered::{Tapered, t};
use super::terms::WEIGHT_COUNT;

/// What every term is worth.
#[rustfmt::skip]
pub(crate) static WEIGHTS: [Tapered; WEIGHT_COUNT] = [
    // A pawn, knight, bishop, rook, queen.
    // MATERIAL
    t(66, 100), t(283, 301), t(310, 301), t(402, 523), t(902, 936),
    // A pawn by rank of its own side and by file: a or h, b or g, c or f, d or e.
    // PAWN_SQUARE
    t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(-10, 0), t(2, -6), t(-8, -7), t(0, -5),
    t(-12, -6), t(-6, -6), t(1, -8), t(4, -7),
    t(-6, 2), t(-3, 4), t(0, -8), t(11, -10),
    t(3, 25), t(18, 18), t(7, 1), t(24, 0),
    t(28, 48), t(31, 46), t(12, 31), t(32, 29),
    t(47, 77), t(40, 70), t(34, 84), t(67, 67),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    // A knight by rank and file.
    // KNIGHT_SQUARE
    t(-52, -47), t(-31, -31), t(-32, -24), t(-12, -5),
    t(-34, -22), t(-16, -33), t(-4, -5), t(-6, -7),
    t(-23, -17), t(-3, -13), t(1, 0), t(15, 9),
    t(-11, -17), t(29, -5), t(25, 18), t(30, 23),
    t(-5, 1), t(14, 2), t(14, 9), t(39, 11),
    t(-8, -20), t(5, -2), t(22, 4), t(31, 10),
    t(-31, -28), t(-23, -14), t(13, -8), t(10, 7),
    t(-75, -52), t(-52, -43), t(-38, -15), t(-32, -10),
    // A bishop by rank and file.
    // BISHOP_SQUARE
    t(-23, -11), t(-4, -1), t(-18, -9), t(-9, -16),
    t(-16, -6), t(5, -4), t(0, -8), t(-1, -7),
    t(-4, 1), t(18, -6), t(11, 3), t(9, 3),
    t(-5, 12), t(-8, -4), t(14, 6), t(8, 15),
    t(3, -5), t(14, 1), t(4, 11), t(17, 13),
    t(-3, -10), t(19, 11), t(-11, 5), t(5, 6),
    t(-32, -9), t(-7, -14), t(-2, 1), t(-5, 1),
    t(-29, -10), t(-21, -18), t(-32, -9), t(-6, 2),
    // A rook by rank and file.
    // ROOK_SQUARE
    t(-6, -3), t(-7, -3), t(7, 0), t(14, -17),
    t(-20, -15), t(-5, -6), t(-3, -14), t(-2, -15),
    t(-15, 0), t(-8, -11), t(4, -10), t(4, -10),
    t(-16, 11), t(5, 0), t(6, 12), t(-3, 4),
    t(-10, 15), t(9, 9), t(16, 16), t(-1, -3),
    t(17, 10), t(7, 9), t(8, 6), t(9, -6),
    t(17, 12), t(8, 10), t(28, 11), t(29, 7),
    t(24, 25), t(7, 18), t(14, 19), t(17, 4),
    // A queen by rank and file.
    // QUEEN_SQUARE
    t(-1, -36), t(0, -41), t(-10, -28), t(-1, -33),
    t(2, -11), t(13, -11), t(-7, -26), t(0, -19),
    t(-5, -10), t(9, 5), t(6, 23), t(4, 7),
    t(-9, 12), t(3, 14), t(0, 26), t(-7, 18),
    t(-3, 15), t(-6, 36), t(12, 42), t(14, 37),
    t(15, 16), t(12, 22), t(8, 31), t(-3, 21),
    t(-14, 4), t(-10, 12), t(-9, 19), t(-10, 32),
    t(-12, -15), t(10, -1), t(19, 10), t(16, 15),
    // The king by rank and file.
    // KING_SQUARE
    t(30, -59), t(30, -33), t(-7, -18), t(-13, -23),
    t(7, -28), t(12, -9), t(-8, 5), t(-26, 8),
    t(-6, -5), t(-2, 16), t(-36, 28), t(-47, 32),
    t(-28, 5), t(-40, 20), t(-56, 36), t(-80, 50),
    t(-56, 5), t(-45, 27), t(-67, 40), t(-83, 44),
    t(-33, 12), t(-25, 24), t(-68, 29), t(-82, 35),
    t(-30, -11), t(-23, 14), t(-47, 33), t(-60, 43),
    t(-28, -54), t(-27, -23), t(-48, -6), t(-66, 6),
    // A pawn with another of its side in front of it on the same file.
    // DOUBLED_PAWN
    t(-5, -15),
    // A pawn without own pawns on the neighbouring files: with an enemy pawn ahead on its own file, without.
    // ISOLATED_PAWN
    t(-4, -8), t(-11, -9),
    // A pawn that its neighbours have left behind and that cannot safely advance: with an enemy pawn ahead,
    // without.
    // BACKWARD_PAWN
    t(9, -17), t(-4, -8),
    // A pawn that an own pawn defends, by rank.
    // DEFENDED_PAWN
    t(0, 0), t(5, 2), t(12, 4), t(9, 8), t(8, 9), t(21, 13), t(32, 21), t(0, 0),
    // A pawn with an own pawn beside it, by rank.
    // PHALANX_PAWN
    t(0, 0), t(2, -2), t(5, 4), t(4, 10), t(4, 16), t(23, 23), t(30, 30), t(0, 0),
    // A passed pawn, by rank.
    // PASSED_PAWN
    t(0, 0), t(-5, 15), t(2, 10), t(0, 23), t(11, 44), t(35, 71), t(65, 104), t(0, 0),
    // A passed pawn that an own pawn defends.
    // PASSED_DEFENDED
    t(8, 7),
    // A passed pawn whose next square an enemy piece occupies, by rank.
    // PASSED_BLOCKED
    t(0, 0), t(-10, 10), t(1, 6), t(-8, -18), t(-1, -11), t(-7, -35), t(-30, -53), t(0, 0),
    // A passed pawn that can advance without being captured at once, by rank.
    // PASSED_SAFE_ADVANCE
    t(0, 0), t(0, 3), t(7, 6), t(-6, 7), t(-5, 16), t(6, 25), t(24, 40), t(0, 0),
    // A passed pawn whose way is neither occupied by the enemy nor attacked, by rank.
    // PASSED_FREE_PATH
    t(0, 0), t(0, 12), t(0, 12), t(6, 26), t(9, 33), t(27, 54), t(30, 72), t(0, 0),
    // Distance of the own king to the square before a passed pawn, once for each rank from the fourth on.
    // PASSED_OWN_KING
    t(17, 12), t(14, 20), t(10, 12), t(11, 3), t(-3, -1), t(-6, -2), t(-4, -6), t(-1, -5),
    // Distance of the enemy king to that square, counted the same way.
    // PASSED_ENEMY_KING
    t(-12, -13), t(3, -17), t(-2, -10), t(1, 5), t(-7, 16), t(5, 19), t(8, 20), t(-6, 16),
    // A passed pawn with an own rook behind it.
    // PASSED_ROOK_BEHIND
    t(9, 20),
    // A knight by the number of squares that it can go to and that no enemy pawn attacks.
    // KNIGHT_MOBILITY
    t(-37, -44), t(-27, -42), t(-15, -18), t(-7, -13), t(0, -3), t(6, 7), t(9, 9), t(19, 8), t(9, 5),
    // A bishop by that number, seeing through own queens.
    // BISHOP_MOBILITY
    t(-46, -57), t(-26, -29), t(-7, -28), t(-6, -15), t(3, -1), t(13, -7), t(11, 8),
    t(13, 11), t(13, 18), t(20, 16), t(12, 15), t(12, 20), t(33, 15), t(30, 16),
    // A rook by that number, seeing through own queens and rooks.
    // ROOK_MOBILITY
    t(-39, -75), t(-20, -56), t(-10, -37), t(-2, -29), t(2, -25), t(-4, -8), t(4, -1), t(2, 2),
    t(0, 10), t(12, 1), t(14, 10), t(8, 13), t(17, 19), t(22, 24), t(19, 24),
    // A queen by that number.
    // QUEEN_MOBILITY
    t(-20, -47), t(1, -30), t(-14, -30), t(-7, -35), t(-15, -37), t(-12, -24), t(-4, -21),
    t(-5, -21), t(-1, -24), t(4, -17), t(2, -5), t(4, 0), t(7, 5), t(6, 12),
    t(10, 20), t(9, 22), t(12, 22), t(20, 27), t(11, 30), t(10, 28), t(16, 31),
    t(19, 26), t(11, 21), t(18, 26), t(10, 24), t(7, 28), t(13, 36), t(15, 39),
    // Two bishops or more.
    // BISHOP_PAIR
    t(20, 44),
    // A bishop, for each own pawn on squares of its colour.
    // BISHOP_PAWNS
    t(-5, 0),
    // A knight, bishop on a square that an own pawn defends and no enemy pawn can ever attack, ranks four to
    // six.
    // OUTPOST
    t(15, 13), t(21, 16),
    // A knight or bishop right behind a pawn of either side.
    // MINOR_BEHIND_PAWN
    t(6, 9),
    // A rook on a file without own pawns: with enemy pawns, without any.
    // ROOK_ON_FILE
    t(14, 12), t(35, 5),
    // A rook on the seventh rank, with enemy pawns there or the enemy king on the eighth.
    // ROOK_ON_SEVENTH
    t(-4, 17),
    // An enemy knight, bishop, rook, queen that a pawn attacks.
    // THREAT_BY_PAWN
    t(63, 40), t(65, 46), t(68, 37), t(51, 24),
    // An enemy pawn (not well defended), knight, bishop, rook, queen that a knight or bishop attacks.
    // THREAT_BY_MINOR
    t(1, 13), t(23, 33), t(40, 34), t(56, 39), t(55, 50),
    // An enemy pawn, knight, bishop, rook, queen that a rook attacks: not well defended, but for a queen.
    // THREAT_BY_ROOK
    t(2, 23), t(15, 28), t(25, 29), t(-9, 9), t(55, 44),
    // An enemy piece or pawn that is not well defended and that the king attacks.
    // THREAT_BY_KING
    t(20, 28),
    // An enemy piece or pawn that is attacked and not defended, or a piece attacked twice and not well defended.
    // HANGING
    t(24, 24),
    // An enemy piece that a pawn could attack after a safe step.
    // THREAT_BY_PAWN_STEP
    t(19, 12),
    // A square that the enemy attacks, not well, and that is attacked.
    // RESTRICTED_SQUARE
    t(5, -1),
    // A square on the files c to f and the own ranks two to four that no own pawn occupies and no enemy pawn
    // attacks.
    // SPACE
    t(3, 0),
    // The rearmost own pawn before the king on its file or one beside it: by file (a or h, ...) and rank, 0 for
    // none.
    // KING_SHELTER
    t(-12, 10), t(9, -13), t(2, 2), t(4, 2), t(-11, -3), t(-11, 2), t(7, 11),
    t(-20, 3), t(16, 7), t(17, -11), t(-1, 0), t(-19, 1), t(-7, 7), t(5, 15),
    t(-16, -2), t(24, 4), t(-4, -1), t(1, -2), t(-10, -5), t(-11, 6), t(-8, 12),
    t(-7, -6), t(11, 4), t(6, -2), t(-3, -5), t(-7, 1), t(8, -2), t(8, 2),
    // The foremost enemy pawn on such a file, not behind the king and not blocked by an own pawn: by file and
    // rank from the king's side, 0 for none.
    // KING_STORM
    t(-7, -5), t(-9, 0), t(-22, 9), t(-24, 3), t(-4, 8), t(-1, -5), t(-2, 5),
    t(-3, -4), t(-5, 1), t(-13, 13), t(0, 1), t(1, 9), t(0, 0), t(-11, -1),
    t(-4, -1), t(2, 5), t(-36, -3), t(-14, 3), t(-8, -1), t(3, 2), t(6, -2),
    t(1, -1), t(-8, -4), t(-4, 11), t(-5, -4), t(-4, -2), t(2, -1), t(-2, -15),
    // Such an enemy pawn that an own pawn blocks, by rank.
    // KING_BLOCKED_STORM
    t(0, 0), t(14, 18), t(-9, -13), t(4, 10), t(15, -2), t(1, 3), t(3, 5),
    // The king on a file without pawns, without own pawns, without enemy pawns.
    // KING_ON_FILE
    t(-33, -1), t(-15, 5), t(-7, -2),
    // A knight, bishop, rook, queen that attacks the zone around the king.
    // DANGER_ATTACKER
    t(39, 13), t(64, 8), t(55, -18), t(67, 68),
    // One attack of a piece on a square next to the king.
    // DANGER_ATTACK
    t(19, -5),
    // A square of the zone that is attacked, and defended by nothing but king or queen.
    // DANGER_WEAK_SQUARE
    t(38, -10),
    // A square of the zone that its side defends twice.
    // DANGER_DEFENCE
    t(-11, 25),
    // A safe check by a knight, bishop, rook, queen: one; two or more.
    // DANGER_SAFE_CHECK
    t(183, 42), t(231, 38),
    t(131, 66), t(174, 44),
    t(198, 60), t(293, 53),
    t(185, 95), t(243, 97),
    // A check that would be answered by a capture.
    // DANGER_UNSAFE_CHECK
    t(12, 25),
    // No own pawn in the zone.
    // DANGER_NO_PAWN
    t(65, 22),
    // No queen to attack with.
    // DANGER_NO_QUEEN
    t(-193, -53),
    // What every attack begins with.
    // DANGER_BASE
    t(27, 40),
    // The right to move.
    // TEMPO
    t(27, 20),
];
