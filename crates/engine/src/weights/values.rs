//! The numbers of the evaluation, in the order of the catalogue of terms: middlegame and endgame, in centipawns; for
//! the terms of danger, in attack units.
//!
//! The weights were fitted to 364508 quiet positions of 15673 games that this engine played against itself, beginning with the
//! weights that it had then: `fit --prior 30 --result-share 0.3 --step 0.3 --patience 12` (crates/engine/README.md names the
//! program). Mean loss (cross-entropy less the entropy of the targets, in nats), before and after:
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
    // MATERIAL
    t(52, 100), t(269, 296), t(287, 315), t(385, 539), t(874, 916),
    // PIECE_PAWNS
    t(1, 5), t(1, 4), t(-1, 2), t(6, 2),
    // PIECE_PAIR
    t(-1, 10), t(-10, -3),
    // PAWN_SQUARE
    t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    t(-7, 3), t(5, -6), t(-7, -5), t(-2, -5),
    t(-11, -3), t(-4, -6), t(-2, -10), t(-1, -8),
    t(-4, 5), t(-4, 4), t(1, -4), t(12, -13),
    t(6, 16), t(10, 12), t(3, 1), t(18, -7),
    t(26, 34), t(35, 32), t(14, 23), t(39, 25),
    t(71, 54), t(32, 74), t(51, 78), t(58, 63),
    t(0, 0), t(0, 0), t(0, 0), t(0, 0),
    // KNIGHT_SQUARE
    t(-51, -43), t(-25, -25), t(-26, -20), t(-17, -14),
    t(-17, -8), t(-2, -16), t(-14, -5), t(-9, -5),
    t(-16, -8), t(-4, -10), t(-3, -9), t(-1, 6),
    t(1, 1), t(19, -1), t(19, 7), t(13, 19),
    t(5, -2), t(14, -1), t(21, 5), t(21, 13),
    t(-12, -6), t(7, -5), t(22, 6), t(23, 2),
    t(-3, -21), t(-18, 9), t(9, -4), t(15, 9),
    t(-105, -71), t(-64, -31), t(-51, 3), t(-24, 4),
    // BISHOP_SQUARE
    t(-12, -12), t(-7, -17), t(-22, -3), t(-11, -9),
    t(2, -24), t(9, -22), t(3, -8), t(-6, -4),
    t(4, -5), t(12, -1), t(6, -8), t(4, 6),
    t(8, -6), t(5, 0), t(10, 8), t(11, 12),
    t(1, -5), t(3, 10), t(16, 6), t(13, 13),
    t(-2, -1), t(5, 11), t(-11, 6), t(-7, 9),
    t(-25, -3), t(-23, -1), t(-9, 4), t(17, 5),
    t(-34, 0), t(-24, -8), t(-35, 18), t(-25, 11),
    // ROOK_SQUARE
    t(-6, -9), t(-7, -11), t(1, -11), t(4, -17),
    t(-8, -15), t(-10, -10), t(3, -22), t(2, -16),
    t(-15, -2), t(-10, -3), t(-11, -2), t(-2, -8),
    t(-25, 21), t(1, 13), t(6, 9), t(-6, 5),
    t(-11, 21), t(-1, 22), t(15, 12), t(-3, 7),
    t(1, 15), t(16, 11), t(-3, 12), t(24, 0),
    t(19, 10), t(10, 9), t(19, 3), t(19, -1),
    t(17, 21), t(-3, 23), t(9, 20), t(11, 17),
    // QUEEN_SQUARE
    t(-7, -46), t(-17, -44), t(-11, -28), t(-3, -39),
    t(-12, 6), t(8, -32), t(2, -34), t(0, -24),
    t(-4, -1), t(4, -10), t(5, 7), t(1, 8),
    t(1, 4), t(-2, 13), t(1, 21), t(2, 22),
    t(-4, 16), t(1, 31), t(2, 31), t(1, 35),
    t(4, 6), t(12, 2), t(1, 38), t(12, 10),
    t(-1, 18), t(-14, 17), t(8, 27), t(0, 28),
    t(4, -6), t(28, 4), t(20, 14), t(11, 13),
    // KING_SQUARE
    t(24, -48), t(24, -27), t(-16, -18), t(-16, -26),
    t(11, -18), t(14, -7), t(-22, 3), t(-43, 11),
    t(-9, -6), t(-2, 7), t(-35, 20), t(-51, 29),
    t(-40, -3), t(-43, 16), t(-49, 32), t(-92, 44),
    t(-69, 8), t(-46, 25), t(-77, 43), t(-105, 46),
    t(-41, 13), t(-30, 23), t(-64, 44), t(-78, 41),
    t(-26, -17), t(-22, 25), t(-56, 35), t(-81, 40),
    t(-69, -109), t(-20, -24), t(-32, 26), t(-73, -4),
    // DOUBLED_PAWN
    t(-6, -17),
    // ISOLATED_PAWN
    t(1, -7), t(-9, -13),
    // BACKWARD_PAWN
    t(4, -11), t(-7, -12),
    // DEFENDED_PAWN
    t(0, 0), t(5, 2), t(11, 7), t(10, 6), t(17, 12), t(32, 29), t(77, 25), t(0, 0),
    // PHALANX_PAWN
    t(0, 0), t(2, -1), t(4, 4), t(8, 7), t(12, 22), t(43, 50), t(32, 55), t(0, 0),
    // CANDIDATE_PAWN
    t(0, 0), t(1, -7), t(2, 3), t(0, 6), t(-1, 13), t(5, 17), t(0, 0), t(0, 0),
    // PASSED_PAWN
    t(0, 0), t(-7, 10), t(-7, 8), t(-10, 25), t(9, 53), t(26, 71), t(76, 93), t(0, 0),
    // PASSED_DEFENDED
    t(6, 4),
    // PASSED_BLOCKED
    t(0, 0), t(-3, -1), t(-5, 2), t(7, -7), t(-6, -13), t(-14, -21), t(-33, -47), t(0, 0),
    // PASSED_SAFE_ADVANCE
    t(0, 0), t(-4, 3), t(-3, 4), t(4, 10), t(8, 15), t(24, 28), t(40, 34), t(0, 0),
    // PASSED_FREE_PATH
    t(0, 0), t(-30, 18), t(-33, 17), t(-31, 27), t(-4, 37), t(28, 58), t(34, 53), t(0, 0),
    // PASSED_OWN_KING
    t(5, 6), t(7, 26), t(1, 12), t(5, 3), t(-2, -4), t(-5, -5), t(-4, -6), t(-2, -8),
    // PASSED_ENEMY_KING
    t(-15, -11), t(-3, -17), t(4, -14), t(2, 2), t(-2, 15), t(-2, 20), t(1, 22), t(-4, 20),
    // PASSED_ROOK_BEHIND
    t(4, 30),
    // KNIGHT_MOBILITY
    t(-39, -70), t(-25, -34), t(-11, -17), t(-7, -12), t(-2, -5), t(2, 3), t(5, 7), t(9, 5), t(14, 6),
    // BISHOP_MOBILITY
    t(-36, -54), t(-21, -36), t(-8, -25), t(-6, -12), t(0, -4), t(4, -3), t(6, 5),
    t(6, 7), t(10, 4), t(6, 11), t(11, 4), t(22, 11), t(31, 7), t(29, 10),
    // ROOK_MOBILITY
    t(-59, -71), t(-15, -62), t(1, -40), t(0, -31), t(2, -27), t(-5, -13), t(-1, -9), t(1, -8),
    t(3, -3), t(1, 3), t(5, 5), t(3, 15), t(3, 18), t(4, 19), t(6, 18),
    // QUEEN_MOBILITY
    t(-21, -53), t(-5, -43), t(-21, -48), t(-8, -58), t(-9, -49), t(-4, -39), t(-6, -23),
    t(-4, -24), t(0, -28), t(3, -23), t(4, -10), t(1, -1), t(3, 9), t(1, 17),
    t(3, 18), t(-1, 28), t(0, 26), t(4, 15), t(7, 16), t(0, 18), t(6, 19),
    t(13, 0), t(-1, -4), t(1, -13), t(9, -13), t(-18, -21), t(12, 15), t(-13, -11),
    // BISHOP_PAIR
    t(17, 42),
    // BISHOP_PAWNS
    t(-4, -3),
    // OUTPOST
    t(18, 7), t(20, 8),
    // MINOR_BEHIND_PAWN
    t(4, 10),
    // REACHABLE_OUTPOST
    t(7, 9),
    // MINOR_KING_DISTANCE
    t(-4, -1), t(-2, -1),
    // BISHOP_LONG_DIAGONAL
    t(3, 11),
    // BISHOP_XRAY_PAWN
    t(-3, 1),
    // TRAPPED_ROOK
    t(-1, -23),
    // QUEEN_EXPOSED
    t(-12, 3),
    // ROOK_ON_FILE
    t(10, 14), t(23, 2),
    // ROOK_ON_SEVENTH
    t(-4, 10),
    // THREAT_BY_PAWN
    t(50, 30), t(45, 51), t(50, 26), t(45, 8),
    // THREAT_BY_MINOR
    t(2, 14), t(16, 29), t(29, 25), t(44, 12), t(38, 20),
    // THREAT_BY_ROOK
    t(1, 17), t(14, 27), t(23, 25), t(-1, 14), t(42, 19),
    // THREAT_BY_KING
    t(3, 17),
    // HANGING
    t(10, 18),
    // THREAT_BY_PAWN_STEP
    t(12, 13),
    // THREAT_ON_QUEEN
    t(3, 0), t(8, 1),
    // RESTRICTED_SQUARE
    t(3, 1),
    // SPACE
    t(-1, -1),
    // KING_SHELTER
    t(-14, 15), t(8, -16), t(11, -6), t(2, -4), t(-10, 3), t(-13, 15), t(18, 26),
    t(-26, 14), t(24, -1), t(19, -10), t(-5, -3), t(-17, 1), t(-21, 5), t(-18, 18),
    t(-15, 0), t(22, 1), t(-2, 1), t(0, -1), t(-12, -3), t(-9, 3), t(15, 9),
    t(-6, -4), t(2, 5), t(1, -4), t(-1, -7), t(-6, -4), t(-20, -1), t(8, 10),
    // KING_STORM
    t(-11, -7), t(1, 2), t(-14, 29), t(-23, 6), t(-2, 2), t(-3, -6), t(-7, 4),
    t(-2, -5), t(-20, -17), t(4, 29), t(3, 2), t(-5, 3), t(0, -5), t(-12, -1),
    t(-2, -2), t(32, 37), t(-46, 16), t(-18, 11), t(-2, 1), t(6, -2), t(6, -6),
    t(2, 3), t(2, 5), t(0, 14), t(-5, 3), t(-1, 0), t(2, 4), t(3, 3),
    // KING_BLOCKED_STORM
    t(0, 0), t(20, 32), t(-20, -13), t(3, -1), t(10, -1), t(9, -11), t(13, -8),
    // KING_ON_FILE
    t(-31, 0), t(-6, 7), t(-7, 3),
    // KING_PAWN_DISTANCE
    t(-3, -9),
    // KING_PAWNLESS_FLANK
    t(7, -29),
    // DANGER_ATTACKER
    t(64, 41), t(30, 11), t(53, -58), t(36, 32),
    // DANGER_ATTACK
    t(18, 14),
    // DANGER_WEAK_SQUARE
    t(32, -6),
    // DANGER_DEFENCE
    t(-6, 17),
    // DANGER_SAFE_CHECK
    t(161, 64), t(200, 40),
    t(70, 112), t(168, 44),
    t(119, 105), t(240, 32),
    t(167, 115), t(262, 131),
    // DANGER_UNSAFE_CHECK
    t(14, 15),
    // DANGER_FLANK_ATTACK
    t(16, -10), t(4, -2),
    // DANGER_FLANK_DEFENCE
    t(-11, 6),
    // DANGER_BLOCKER
    t(44, 80),
    // DANGER_NO_PAWN
    t(48, -61),
    // DANGER_NO_QUEEN
    t(-183, -80),
    // DANGER_BASE
    t(44, 38),
    // TEMPO
    t(19, 16),
];
