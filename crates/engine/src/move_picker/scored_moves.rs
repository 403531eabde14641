//! Moves with their values, from which the best is taken again and again.

use arrayvec::ArrayVec;
use cozy_chess::{Color, Move, Piece, Square};

/// No position of chess has more legal moves.
pub(crate) const MAX_MOVES: usize = 218;
/// A move in fifteen bits: its squares from the mover's side of the board, so that both colours are searched alike, then
/// the promotion. Of two moves that are worth the same, the one with the greater code is taken first.
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

    /// The code of a move that may be missing.
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

/// Turns the squares of a code to the other side of the board, for Black.
#[inline]
fn flip(us: Color) -> u16 {
    match us {
        Color::White => 0,
        Color::Black => 56 << 6 | 56,
    }
}

/// A move and its value in one number, so that the greatest is the next: the value, the code, and the place in the list.
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

    /// The same, at another place of the list.
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

/// Different moves with their values.
#[derive(Debug)]
pub(super) struct ScoredMoves {
    list: ArrayVec<Scored, MAX_MOVES>,
    /// How many were taken; they were at the head of the list.
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
        // A plain pass over numbers, which a compiler turns into vector instructions.
        let best = Scored(rest.iter().fold(first.0, |best, scored| best.max(scored.0)));
        // The first takes the place of the best.
        self.list[best.place()] = first.at(best.place());
        self.taken += 1;
        Some(best.code().mv(us))
    }
}
