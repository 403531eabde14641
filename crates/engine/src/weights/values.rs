//! The numbers of the evaluation, in the order of the catalogue of terms: middlegame and endgame, in centipawns; for
//! the terms of danger, in attack units.
//!
//! Written by
//!
//! ```text
//! lmrlab tune eval fit eval/c3.csv eval/gen1.csv --prior 30 --result-share 0.3 --step 0.3 --patience 12 --out eval/w-0.3.rs --force
//! ```
//!
//! from 364508 quiet positions of 15673 games that this engine played against itself, beginning with the weights
//! that it had then. Mean loss (cross-entropy less the entropy of the targets, in nats), before and after:
//!
//! ```text
//! training      328051 positions  0.051614 -> 0.051057
//! validation     36457 positions  0.054357 -> 0.053482
//! ```
//!
//! Passes over the positions: 19. Steepness of the logistic curve: 0.009107 per centipawn. Afterwards the
//! tables of squares and mobility were centred, their means moved into the material, and all weights multiplied by
//! 0.9928, which makes a pawn worth 100 in the endgame.

use super::tapered::{Tapered, t};
use super::terms::WEIGHT_COUNT;

/// What every term is worth.
#[rustfmt::skip]
pub(crate) static WEIGHTS: [Tapered; WEIGHT_COUNT] = [
    // A pawn, knight, bishop, rook, queen.
    // MATERIAL
    t(52, 100), t(269, 296), t(287, 315), t(385, 539), t(874, 916),
    // A knight, bishop, rook, queen, for each own pawn.
    // PIECE_PAWNS
    t(1, 5), t(1, 4), t(-1, 2), t(6, 2),
    // Two knights or more; two rooks or more.
    // PIECE_PAIR
    t(-1, 10), t(-10, -3),
    // A pawn by rank of its own side and by file: a or h, b or g, c or f, d or e.
    // PAWN_SQUARE
    t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(-7, 3), t(5, -6), t(-7, -5), t(-2, -5),
    t(-11, -3), t(-4, -6), t(-2, -10), t(-1, -8),
    t(-4, 5), t(-4, 4), t(1, -4), t(12, -13),
    t(6, 16), t(10, 12), t(3, 1), t(18, -7),
    t(26, 34), t(35, 32), t(14, 23), t(39, 25),
    t(71, 54), t(32, 74), t(51, 78), t(58, 63),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    // A knight by rank and file.
    // KNIGHT_SQUARE
    t(-51, -43), t(-25, -25), t(-26, -20), t(-17, -14),
    t(-17, -8), t(-2, -16), t(-14, -5), t(-9, -5),
    t(-16, -8), t(-4, -10), t(-3, -9), t(-1, 6),
    t(1, 1), t(19, -1), t(19, 7), t(13, 19),
    t(5, -2), t(14, -1), t(21, 5), t(21, 13),
    t(-12, -6), t(7, -5), t(22, 6), t(23, 2),
    t(-3, -21), t(-18, 9), t(9, -4), t(15, 9),
    t(-105, -71), t(-64, -31), t(-51, 3), t(-24, 4),
    // A bishop by rank and file.
    // BISHOP_SQUARE
    t(-12, -12), t(-7, -17), t(-22, -3), t(-11, -9),
    t(2, -24), t(9, -22), t(3, -8), t(-6, -4),
    t(4, -5), t(12, -1), t(6, -8), t(4, 6),
    t(8, -6), t(5, 0), t(10, 8), t(11, 12),
    t(1, -5), t(3, 10), t(16, 6), t(13, 13),
    t(-2, -1), t(5, 11), t(-11, 6), t(-7, 9),
    t(-25, -3), t(-23, -1), t(-9, 4), t(17, 5),
    t(-34, 0), t(-24, -8), t(-35, 18), t(-25, 11),
    // A rook by rank and file.
    // ROOK_SQUARE
    t(-6, -9), t(-7, -11), t(1, -11), t(4, -17),
    t(-8, -15), t(-10, -10), t(3, -22), t(2, -16),
    t(-15, -2), t(-10, -3), t(-11, -2), t(-2, -8),
    t(-25, 21), t(1, 13), t(6, 9), t(-6, 5),
    t(-11, 21), t(-1, 22), t(15, 12), t(-3, 7),
    t(1, 15), t(16, 11), t(-3, 12), t(24, 0),
    t(19, 10), t(10, 9), t(19, 3), t(19, -1),
    t(17, 21), t(-3, 23), t(9, 20), t(11, 17),
    // A queen by rank and file.
    // QUEEN_SQUARE
    t(-7, -46), t(-17, -44), t(-11, -28), t(-3, -39),
    t(-12, 6), t(8, -32), t(2, -34), t(0, -24),
    t(-4, -1), t(4, -10), t(5, 7), t(1, 8),
    t(1, 4), t(-2, 13), t(1, 21), t(2, 22),
    t(-4, 16), t(1, 31), t(2, 31), t(1, 35),
    t(4, 6), t(12, 2), t(1, 38), t(12, 10),
    t(-1, 18), t(-14, 17), t(8, 27), t(0, 28),
    t(4, -6), t(28, 4), t(20, 14), t(11, 13),
    // The king by rank and file.
    // KING_SQUARE
    t(24, -48), t(24, -27), t(-16, -18), t(-16, -26),
    t(11, -18), t(14, -7), t(-22, 3), t(-43, 11),
    t(-9, -6), t(-2, 7), t(-35, 20), t(-51, 29),
    t(-40, -3), t(-43, 16), t(-49, 32), t(-92, 44),
    t(-69, 8), t(-46, 25), t(-77, 43), t(-105, 46),
    t(-41, 13), t(-30, 23), t(-64, 44), t(-78, 41),
    t(-26, -17), t(-22, 25), t(-56, 35), t(-81, 40),
    t(-69, -109), t(-20, -24), t(-32, 26), t(-73, -4),
    // A pawn with another of its side in front of it on the same file.
    // DOUBLED_PAWN
    t(-6, -17),
    // A pawn without own pawns on the neighbouring files: with an enemy pawn ahead on its own file, without.
    // ISOLATED_PAWN
    t(1, -7), t(-9, -13),
    // A pawn that its neighbours have left behind and that cannot safely advance: with an enemy pawn ahead,
    // without.
    // BACKWARD_PAWN
    t(4, -11), t(-7, -12),
    // A pawn that an own pawn defends, by rank.
    // DEFENDED_PAWN
    t(0, 0), t(5, 2), t(11, 7), t(10, 6), t(17, 12), t(32, 29), t(77, 25), t(0, 0),
    // A pawn with an own pawn beside it, by rank.
    // PHALANX_PAWN
    t(0, 0), t(2, -1), t(4, 4), t(8, 7), t(12, 22), t(43, 50), t(32, 55), t(0, 0),
    // A pawn that is not passed. Its file is free ahead, and it has as many helpers on the neighbouring files as
    // enemy pawns stand in its way there, by rank.
    // CANDIDATE_PAWN
    t(0, 0), t(1, -7), t(2, 3), t(0, 6), t(-1, 13), t(5, 17), t(0, 0), t(0, 0),
    // A passed pawn, by rank.
    // PASSED_PAWN
    t(0, 0), t(-7, 10), t(-7, 8), t(-10, 25), t(9, 53), t(26, 71), t(76, 93), t(0, 0),
    // A passed pawn that an own pawn defends.
    // PASSED_DEFENDED
    t(6, 4),
    // A passed pawn with an enemy piece on its next square, by rank.
    // PASSED_BLOCKED
    t(0, 0), t(-3, -1), t(-5, 2), t(7, -7), t(-6, -13), t(-14, -21), t(-33, -47), t(0, 0),
    // A passed pawn that can advance without being captured at once, by rank.
    // PASSED_SAFE_ADVANCE
    t(0, 0), t(-4, 3), t(-3, 4), t(4, 10), t(8, 15), t(24, 28), t(40, 34), t(0, 0),
    // A passed pawn with no enemy piece and no enemy attack on its way, by rank.
    // PASSED_FREE_PATH
    t(0, 0), t(-30, 18), t(-33, 17), t(-31, 27), t(-4, 37), t(28, 58), t(34, 53), t(0, 0),
    // Distance of the own king to the square before a passed pawn, once for each rank from the fourth on.
    // PASSED_OWN_KING
    t(5, 6), t(7, 26), t(1, 12), t(5, 3), t(-2, -4), t(-5, -5), t(-4, -6), t(-2, -8),
    // Distance of the enemy king to that square, counted the same way.
    // PASSED_ENEMY_KING
    t(-15, -11), t(-3, -17), t(4, -14), t(2, 2), t(-2, 15), t(-2, 20), t(1, 22), t(-4, 20),
    // A passed pawn with an own rook behind it.
    // PASSED_ROOK_BEHIND
    t(4, 30),
    // A knight by the number of squares that it can go to and that no enemy pawn attacks.
    // KNIGHT_MOBILITY
    t(-39, -70), t(-25, -34), t(-11, -17), t(-7, -12), t(-2, -5), t(2, 3), t(5, 7), t(9, 5), t(14, 6),
    // A bishop by that number, seeing through own queens.
    // BISHOP_MOBILITY
    t(-36, -54), t(-21, -36), t(-8, -25), t(-6, -12), t(0, -4), t(4, -3), t(6, 5),
    t(6, 7), t(10, 4), t(6, 11), t(11, 4), t(22, 11), t(31, 7), t(29, 10),
    // A rook by that number, seeing through own queens and rooks.
    // ROOK_MOBILITY
    t(-59, -71), t(-15, -62), t(1, -40), t(0, -31), t(2, -27), t(-5, -13), t(-1, -9), t(1, -8),
    t(3, -3), t(1, 3), t(5, 5), t(3, 15), t(3, 18), t(4, 19), t(6, 18),
    // A queen by that number.
    // QUEEN_MOBILITY
    t(-21, -53), t(-5, -43), t(-21, -48), t(-8, -58), t(-9, -49), t(-4, -39), t(-6, -23),
    t(-4, -24), t(0, -28), t(3, -23), t(4, -10), t(1, -1), t(3, 9), t(1, 17),
    t(3, 18), t(-1, 28), t(0, 26), t(4, 15), t(7, 16), t(0, 18), t(6, 19),
    t(13, 0), t(-1, -4), t(1, -13), t(9, -13), t(-18, -21), t(12, 15), t(-13, -11),
    // Two bishops or more.
    // BISHOP_PAIR
    t(17, 42),
    // A bishop, for each own pawn on squares of its colour.
    // BISHOP_PAWNS
    t(-4, -3),
    // A knight, bishop on a square that an own pawn defends and no enemy pawn can ever attack, ranks four to
    // six.
    // OUTPOST
    t(18, 7), t(20, 8),
    // A knight or bishop right behind a pawn of either side.
    // MINOR_BEHIND_PAWN
    t(4, 10),
    // A knight that can go to such a square.
    // REACHABLE_OUTPOST
    t(7, 9),
    // The distance to the own king of a knight, of a bishop, in king moves.
    // MINOR_KING_DISTANCE
    t(-4, -1), t(-2, -1),
    // A bishop that sees two squares of the centre on a long diagonal, with nothing but pawns in its way.
    // BISHOP_LONG_DIAGONAL
    t(3, 11),
    // An enemy pawn on a diagonal of a bishop.
    // BISHOP_XRAY_PAWN
    t(-3, 1),
    // A rook with a mobility of three or less between the own king and the nearer edge.
    // TRAPPED_ROOK
    t(-1, -23),
    // A queen with a single piece between it and an enemy bishop or rook on its lines.
    // QUEEN_EXPOSED
    t(-12, 3),
    // A rook on a file without own pawns: with enemy pawns, without any.
    // ROOK_ON_FILE
    t(10, 14), t(23, 2),
    // A rook on the seventh rank, with enemy pawns there or the enemy king on the eighth.
    // ROOK_ON_SEVENTH
    t(-4, 10),
    // An enemy knight, bishop, rook, queen that a pawn attacks.
    // THREAT_BY_PAWN
    t(50, 30), t(45, 51), t(50, 26), t(45, 8),
    // An enemy pawn (not well defended), knight, bishop, rook, queen that a knight or bishop attacks.
    // THREAT_BY_MINOR
    t(2, 14), t(16, 29), t(29, 25), t(44, 12), t(38, 20),
    // An enemy pawn, knight, bishop, rook, queen that a rook attacks: not well defended, but for a queen.
    // THREAT_BY_ROOK
    t(1, 17), t(14, 27), t(23, 25), t(-1, 14), t(42, 19),
    // An enemy piece or pawn that is not well defended and that the king attacks.
    // THREAT_BY_KING
    t(3, 17),
    // An enemy piece or pawn that is attacked and not defended, or a piece attacked twice and not well defended.
    // HANGING
    t(10, 18),
    // An enemy piece that a pawn could attack after a safe step.
    // THREAT_BY_PAWN_STEP
    t(12, 13),
    // A safe square from which a knight, a slider attacks the enemy queen.
    // THREAT_ON_QUEEN
    t(3, 0), t(8, 1),
    // A square that the enemy attacks, not well, and that is attacked.
    // RESTRICTED_SQUARE
    t(3, 1),
    // A square on the files c to f and the own ranks two to four that no own pawn occupies and no enemy pawn
    // attacks.
    // SPACE
    t(-1, -1),
    // The rearmost own pawn before the king on its file or one beside it: by file (a or h, ...) and rank, 0 for
    // none.
    // KING_SHELTER
    t(-14, 15), t(8, -16), t(11, -6), t(2, -4), t(-10, 3), t(-13, 15), t(18, 26),
    t(-26, 14), t(24, -1), t(19, -10), t(-5, -3), t(-17, 1), t(-21, 5), t(-18, 18),
    t(-15, 0), t(22, 1), t(-2, 1), t(0, -1), t(-12, -3), t(-9, 3), t(15, 9),
    t(-6, -4), t(2, 5), t(1, -4), t(-1, -7), t(-6, -4), t(-20, -1), t(8, 10),
    // The foremost enemy pawn on such a file, not behind the king and not blocked by an own pawn: by file and
    // rank from the king's side, 0 for none.
    // KING_STORM
    t(-11, -7), t(1, 2), t(-14, 29), t(-23, 6), t(-2, 2), t(-3, -6), t(-7, 4),
    t(-2, -5), t(-20, -17), t(4, 29), t(3, 2), t(-5, 3), t(0, -5), t(-12, -1),
    t(-2, -2), t(32, 37), t(-46, 16), t(-18, 11), t(-2, 1), t(6, -2), t(6, -6),
    t(2, 3), t(2, 5), t(0, 14), t(-5, 3), t(-1, 0), t(2, 4), t(3, 3),
    // Such an enemy pawn that an own pawn blocks, by rank.
    // KING_BLOCKED_STORM
    t(0, 0), t(20, 32), t(-20, -13), t(3, -1), t(10, -1), t(9, -11), t(13, -8),
    // The king on a file without pawns, without own pawns, without enemy pawns.
    // KING_ON_FILE
    t(-31, 0), t(-6, 7), t(-7, 3),
    // The distance of the king to the nearest pawn, in king moves.
    // KING_PAWN_DISTANCE
    t(-3, -9),
    // The king on a flank without pawns.
    // KING_PAWNLESS_FLANK
    t(7, -29),
    // A knight, bishop, rook, queen that attacks the zone around the king.
    // DANGER_ATTACKER
    t(64, 41), t(30, 11), t(53, -58), t(36, 32),
    // One attack of a piece on a square next to the king.
    // DANGER_ATTACK
    t(18, 14),
    // A square of the zone that is attacked, and defended by nothing but king or queen.
    // DANGER_WEAK_SQUARE
    t(32, -6),
    // A square of the zone that its side defends twice.
    // DANGER_DEFENCE
    t(-6, 17),
    // A safe check by a knight, bishop, rook, queen: one; two or more.
    // DANGER_SAFE_CHECK
    t(161, 64), t(200, 40),
    t(70, 112), t(168, 44),
    t(119, 105), t(240, 32),
    t(167, 115), t(262, 131),
    // A check that would be answered by a capture.
    // DANGER_UNSAFE_CHECK
    t(14, 15),
    // A square of the king's flank, on the first five ranks of its side, that is attacked; that is attacked twice.
    // DANGER_FLANK_ATTACK
    t(16, -10), t(4, -2),
    // Such a square that the king's side attacks.
    // DANGER_FLANK_DEFENCE
    t(-11, 6),
    // A piece of either side that alone stands between the king and a bishop, rook or queen.
    // DANGER_BLOCKER
    t(44, 80),
    // No own pawn in the zone.
    // DANGER_NO_PAWN
    t(48, -61),
    // No queen to attack with.
    // DANGER_NO_QUEEN
    t(-183, -80),
    // What every attack begins with.
    // DANGER_BASE
    t(44, 38),
    // The right to move.
    // TEMPO
    t(19, 16),
];
