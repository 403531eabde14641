//! A list of scored moves; selection of the best one at a time.

use arrayvec::ArrayVec;
use cozy_chess::{Color, Move, Piece, Square};

/// The greatest number of legal moves in a chess position.
pub(crate) const MAX_MOVES: usize = 218;
/// A move in fifteen bits: its squares, then the promotion. Squares are relative to the side to move, so that both colours
/// are searched alike. Of two moves with the same value, the one with the greater code comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Code(u16);

impl Code {
    const BITS: u32 = 15;
    /// The code of no move.
    const NONE: Self = Self(u16::MAX);

    #[inline]
    pub(super) fn of(mv: Move, us: Color) -> Self {
        let squares = (mv.from as u16) << 6 | mv.to as u16;
        let promotion = mv.promotion.map_or(0, |piece| piece as u16);
        Self((4095 - (squares ^ flip(us))) << 3 | promotion)
    }

    /// The code of an optional move.
    #[inline]
    pub(super) fn of_any(mv: Option<Move>, us: Color) -> Self {
        mv.map_or(Self::NONE, |mv| Self::of(mv, us))
    }

    #[inline]
    fn mv(self, us: Color) -> Move {
        let squares = (4095 - (self.0 >> 3 & 4095)) ^ flip(us);
        Move {
            from: Square::index(usize::from(squares >> 6)),
            to: Square::index(usize::from(squares & 63)),
            promotion: match self.0 & 7 {
                1 => Some(Piece::Knight),
                2 => Some(Piece::Bishop),
                3 => Some(Piece::Rook),
                4 => Some(Piece::Queen),
                _ => None,
            },
        }
    }
}

/// The mask that mirrors the squares of a code for Black.
#[inline]
fn flip(us: Color) -> u16 {
    match us {
        Color::White => 0,
        Color::Black => 56 << 6 | 56,
    }
}

/// A move and its value in one number, so that the greatest number is the best move. From the highest bits: the value, the
/// code, the index in the list.
#[derive(Debug, Clone, Copy)]
struct Scored(i64);

impl Scored {
    const PLACE_BITS: u32 = 8;
    const PLACE: i64 = (1 << Self::PLACE_BITS) - 1;

    #[inline]
    fn new(code: Code, value: i32, place: usize) -> Self {
        let valued = i64::from(value) << Code::BITS | i64::from(code.0);
        Self(valued << Self::PLACE_BITS).at(place)
    }

    /// The same move at another index.
    #[inline]
    fn at(self, place: usize) -> Self {
        Self(self.0 & !Self::PLACE | place as i64 & Self::PLACE)
    }

    #[inline]
    fn place(self) -> usize {
        (self.0 & Self::PLACE) as usize
    }

    #[inline]
    fn code(self) -> Code {
        Code((self.0 >> Self::PLACE_BITS) as u16 & ((1 << Code::BITS) - 1))
    }
}

/// A list of distinct moves with their values.
#[derive(Debug)]
pub(super) struct ScoredMoves {
    list: ArrayVec<Scored, MAX_MOVES>,
    /// The number of moves already taken, at the start of the list.
    taken: usize,
}

impl ScoredMoves {
    pub(super) fn new() -> Self {
        Self {
            list: ArrayVec::new(),
            taken: 0,
        }
    }

    #[inline]
    pub(super) fn clear(&mut self) {
        self.list.clear();
        self.taken = 0;
    }

    #[inline]
    pub(super) fn push(&mut self, code: Code, value: i32) {
        self.list.push(Scored::new(code, value, self.list.len()));
    }

    /// Removes and returns the move with the greatest value.
    #[inline]
    pub(super) fn take_best(&mut self, us: Color) -> Option<Move> {
        let rest = self.list.get(self.taken..)?;
        let first = *rest.first()?;
        // A plain maximum of integers: the compiler vectorizes it.
        let best = Scored(rest.iter().fold(first.0, |best, scored| best.max(scored.0)));
        // The first move takes the index of the best one.
        self.list[best.place()] = first.at(best.place());
        self.taken += 1;
        Some(best.code().mv(us))
    }
}
