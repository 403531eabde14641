//! The numbers of the evaluation.
//!
//! All of them were set by hand for this project, from the usual values of the pieces and simple rules about squares.
//! Each is a pair: its worth in the middlegame and in the endgame.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

use cozy_chess::{Color, Piece, Square};

/// A pair of centipawn values, for the middlegame and for the endgame.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Tapered {
    pub(crate) middlegame: i32,
    pub(crate) endgame: i32,
}

/// A pair of weights.
pub(crate) const fn t(middlegame: i32, endgame: i32) -> Tapered {
    Tapered {
        middlegame,
        endgame,
    }
}

impl Tapered {
    pub(crate) const ZERO: Self = t(0, 0);
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        t(
            self.middlegame + other.middlegame,
            self.endgame + other.endgame,
        )
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        t(
            self.middlegame - other.middlegame,
            self.endgame - other.endgame,
        )
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        t(-self.middlegame, -self.endgame)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, count: i32) -> Self {
        t(self.middlegame * count, self.endgame * count)
    }
}

/// How much of the middlegame a piece stands for; the initial position has [`FULL_PHASE`].
pub(crate) const fn phase_weight(piece: Piece) -> i32 {
    match piece {
        Piece::Pawn | Piece::King => 0,
        Piece::Knight | Piece::Bishop => 1,
        Piece::Rook => 2,
        Piece::Queen => 4,
    }
}

/// The phase of the initial position.
pub(crate) const FULL_PHASE: i32 = 24;

/// What a piece is worth by itself.
pub(crate) const MATERIAL: [Tapered; 6] = [
    t(82, 105),
    t(325, 300),
    t(340, 320),
    t(480, 545),
    t(1000, 1010),
    t(0, 0),
];

/// What a piece is worth on each rank of its side, and on each file (a to d; e to h mirror them).
struct Placement {
    ranks: [Tapered; 8],
    files: [Tapered; 4],
    /// For each step that a square is nearer to the centre than a corner is (0 to 6).
    centre: Tapered,
}

const PLACEMENT: [Placement; 6] = [
    // Pawn: advance, and hold the centre.
    Placement {
        ranks: [
            t(0, 0),
            t(-4, -8),
            t(-4, -8),
            t(4, 0),
            t(10, 14),
            t(22, 40),
            t(48, 80),
            t(0, 0),
        ],
        files: [t(-12, 2), t(-2, 2), t(-2, 0), t(4, -2)],
        centre: t(3, 0),
    },
    // Knight: the centre, and outposts on the fourth to sixth rank.
    Placement {
        ranks: [
            t(-30, -18),
            t(-16, -10),
            t(-4, -2),
            t(6, 6),
            t(12, 8),
            t(14, 4),
            t(-4, -6),
            t(-34, -18),
        ],
        files: [t(-24, -14), t(-6, -6), t(2, 2), t(6, 6)],
        centre: t(5, 5),
    },
    // Bishop: off the back rank.
    Placement {
        ranks: [
            t(-14, -8),
            t(2, -4),
            t(4, 2),
            t(4, 4),
            t(4, 4),
            t(4, 4),
            t(-10, -2),
            t(-14, -4),
        ],
        files: [t(-6, -4), t(4, 0), t(0, 2), t(2, 2)],
        centre: t(3, 3),
    },
    // Rook: central files, the seventh rank.
    Placement {
        ranks: [
            t(-2, -4),
            t(-10, -6),
            t(-12, -4),
            t(-10, 2),
            t(-2, 6),
            t(6, 6),
            t(18, 8),
            t(8, 8),
        ],
        files: [t(-8, 0), t(-2, 0), t(4, 0), t(8, -2)],
        centre: t(0, 0),
    },
    // Queen: not too early out, central in the endgame.
    Placement {
        ranks: [
            t(0, -22),
            t(2, -14),
            t(0, -2),
            t(-2, 10),
            t(-4, 16),
            t(0, 14),
            t(-6, 12),
            t(2, 4),
        ],
        files: [t(-4, -8), t(-2, -2), t(0, 2), t(2, 4)],
        centre: t(0, 4),
    },
    // King: behind its pawns first, in the centre later.
    Placement {
        ranks: [
            t(16, -34),
            t(-4, -14),
            t(-34, 0),
            t(-50, 10),
            t(-56, 16),
            t(-50, 16),
            t(-46, 4),
            t(-46, -20),
        ],
        files: [t(20, -18), t(24, -4), t(-6, 4), t(-16, 8)],
        centre: t(-4, 6),
    },
];

/// Moves available to a piece, relative to what is usual for it: worth of each one more.
pub(crate) const MOBILITY: [Mobility; 4] = [
    Mobility {
        usual: 4,
        each: t(5, 5),
    },
    Mobility {
        usual: 6,
        each: t(5, 5),
    },
    Mobility {
        usual: 6,
        each: t(2, 5),
    },
    Mobility {
        usual: 12,
        each: t(1, 3),
    },
];

/// Worth of a piece's mobility: knight, bishop, rook, queen.
pub(crate) struct Mobility {
    /// Number of squares at which it is worth nothing.
    pub(crate) usual: i32,
    /// Worth of one square more.
    pub(crate) each: Tapered,
}

/// A passed pawn, by rank of its own side.
pub(crate) const PASSED_PAWN: [Tapered; 8] = [
    t(0, 0),
    t(2, 8),
    t(2, 12),
    t(10, 28),
    t(24, 52),
    t(48, 92),
    t(80, 140),
    t(0, 0),
];
/// A passed pawn whose next square is occupied by an enemy piece keeps this much of its worth, in percent.
pub(crate) const BLOCKED_PASSED_PAWN_PERCENT: i32 = 60;
/// A passed pawn, for each square that the own king is nearer to it than the enemy king, from the fourth rank on.
pub(crate) const PASSED_PAWN_KING_DISTANCE: Tapered = t(0, 9);
/// A pawn with another of its side in front of it on the same file.
pub(crate) const DOUBLED_PAWN: Tapered = t(-8, -18);
/// A pawn without own pawns on the neighbouring files.
pub(crate) const ISOLATED_PAWN: Tapered = t(-12, -12);
/// A pawn that an own pawn defends.
pub(crate) const DEFENDED_PAWN: Tapered = t(8, 6);
/// Two bishops or more.
pub(crate) const BISHOP_PAIR: Tapered = t(28, 48);
/// A rook on a file without pawns.
pub(crate) const ROOK_ON_OPEN_FILE: Tapered = t(30, 8);
/// A rook on a file without own pawns.
pub(crate) const ROOK_ON_SEMI_OPEN_FILE: Tapered = t(14, 6);
/// An own pawn on the three files around the king, one or two ranks in front of it.
pub(crate) const KING_SHIELD: Tapered = t(11, 0);
/// A file next to the king, or the king's, without an own pawn.
pub(crate) const KING_OPEN_FILE: Tapered = t(-14, 0);
/// Weight of one attack of a knight, bishop, rook or queen on a square around the king.
pub(crate) const KING_ATTACK: [i32; 4] = [6, 5, 8, 12];
/// A piece attacked by a pawn.
pub(crate) const THREAT_BY_PAWN: Tapered = t(38, 26);
/// The right to move.
pub(crate) const TEMPO: i32 = 12;

const PIECE_SQUARE: [[Tapered; 64]; 6] = {
    let mut table = [[Tapered::ZERO; 64]; 6];
    let mut piece = 0;
    while piece < 6 {
        let mut square = 0;
        while square < 64 {
            let (rank, file) = (square / 8, square % 8);
            let half_file = if file < 4 { file } else { 7 - file };
            let half_rank = if rank < 4 { rank } else { 7 - rank };
            let nearness = (half_file + half_rank) as i32;
            let placement = &PLACEMENT[piece];
            let (r, f, c) = (
                placement.ranks[rank],
                placement.files[half_file],
                placement.centre,
            );
            table[piece][square] = t(
                MATERIAL[piece].middlegame + r.middlegame + f.middlegame + c.middlegame * nearness,
                MATERIAL[piece].endgame + r.endgame + f.endgame + c.endgame * nearness,
            );
            square += 1;
        }
        piece += 1;
    }
    table
};

/// Material and square of a piece, from White's point of view.
#[inline]
pub(crate) fn piece_square(color: Color, piece: Piece, square: Square) -> Tapered {
    match color {
        Color::White => PIECE_SQUARE[piece as usize][square as usize],
        Color::Black => -PIECE_SQUARE[piece as usize][square as usize ^ 56],
    }
}
