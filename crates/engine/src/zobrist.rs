//! Hash keys of positions and of parts of them (Zobrist 1970).

use cozy_chess::{Board, Color, File, Piece, Square};

/// The hash keys of a position. Each side's pieces are hashed from its own side of the board. So the colour-flipped
/// mirror image of a position has the same keys, with the sides exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Keys {
    pawns: [u64; 2],
    /// All other pieces.
    pieces: [u64; 2],
    castling: u64,
}

impl Keys {
    /// Adds or removes a piece.
    #[inline]
    pub(crate) fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        *self.share(color, piece) ^= piece_key(color, piece, square);
    }

    /// Moves a piece.
    #[inline]
    pub(crate) fn shift(&mut self, color: Color, piece: Piece, from: Square, to: Square) {
        *self.share(color, piece) ^= piece_key(color, piece, from) ^ piece_key(color, piece, to);
    }

    /// The partial key that a piece belongs to: that of pawns, or that of other pieces.
    #[inline]
    fn share(&mut self, color: Color, piece: Piece) -> &mut u64 {
        let shares = if piece == Piece::Pawn {
            &mut self.pawns
        } else {
            &mut self.pieces
        };
        &mut shares[color as usize]
    }

    /// Sets the castling rights from a board.
    pub(crate) fn set_castling(&mut self, board: &Board) {
        self.castling = 0;
        for color in Color::ALL {
            let rights = board.castle_rights(color);
            for (wing, file) in [rights.short, rights.long].into_iter().enumerate() {
                if let Some(file) = file {
                    self.castling ^= CASTLING[color as usize][wing][file as usize];
                }
            }
        }
    }

    /// The key of the whole position, without en passant.
    #[inline]
    pub(crate) fn whole(&self, side_to_move: Color) -> u64 {
        let share = |color: Color| self.pawns[color as usize] ^ self.pieces[color as usize];
        join(share(Color::White), share(Color::Black)) ^ self.castling ^ SIDE[side_to_move as usize]
    }

    /// The key of the pawns of both sides; 0 without pawns.
    #[inline]
    pub(crate) fn pawns(&self) -> u64 {
        join(self.pawns[0], self.pawns[1])
    }

    /// The key of the pawns of both sides, from one side of the board: colour-flipped positions have the same key.
    #[inline]
    pub(crate) fn pawns_seen_by(&self, us: Color) -> u64 {
        join(self.pawns[us as usize], self.pawns[!us as usize])
    }

    /// The key of a side's pieces other than pawns, from its own side of the board.
    #[inline]
    pub(crate) fn pieces(&self, color: Color) -> u64 {
        self.pieces[color as usize]
    }
}

/// The key of a piece on a square, from its own side of the board.
#[inline]
pub(crate) fn piece_key(color: Color, piece: Piece, square: Square) -> u64 {
    let seen = match color {
        Color::White => square as usize,
        Color::Black => square as usize ^ 56,
    };
    PIECES[piece as usize][seen]
}

/// The change of [`Keys::whole`] when the side to move changes.
#[inline]
pub(crate) fn turn_key() -> u64 {
    SIDE[0] ^ SIDE[1]
}

/// The key of the right to capture en passant on a file.
#[inline]
pub(crate) fn en_passant_key(file: File) -> u64 {
    EN_PASSANT[file as usize]
}

/// Combines White's and Black's keys. One is rotated, so that equal keys do not cancel out.
#[inline]
fn join(first: u64, second: u64) -> u64 {
    first ^ second.rotate_left(TURN)
}

/// The change of [`Keys::whole`] when a piece is added or removed.
#[inline]
pub(crate) fn in_position_key(color: Color, key: u64) -> u64 {
    match color {
        Color::White => key,
        Color::Black => key.rotate_left(TURN),
    }
}

const TURN: u32 = 23;

static PIECES: [[u64; 64]; 6] = [random(1), random(2), random(3), random(4), random(5), random(6)];
static EN_PASSANT: [u64; 8] = random(7);
static CASTLING: [[[u64; 8]; 2]; 2] = [[random(8), random(9)], [random(10), random(11)]];
static SIDE: [u64; 2] = random(12);

/// Numbers of the splitmix64 generator (Steele, Lea, Flood 2014).
const fn random<const COUNT: usize>(seed: u64) -> [u64; COUNT] {
    let mut keys = [0; COUNT];
    let mut state = seed << 32;
    let mut index = 0;
    while index < COUNT {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        keys[index] = z ^ (z >> 31);
        index += 1;
    }
    keys
}
