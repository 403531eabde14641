//! Pawn structure, passed pawns and king shelter, with the pawn hash table.

use cozy_chess::{BitBoard, Color, File, Piece, Square};
use prefetch_index::prefetch_index;

use super::geometry::{
    ahead, distance, forward, from_rank, king_flank, passed_pawn_span, pawn_attacks_of, relative_rank,
};
use super::trace::{Trace, weight};
use crate::position::Position;
use crate::weights::Tapered;
use crate::weights::terms::*;

/// The pawn terms of a position, and the bitboards that other terms read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pawns {
    key: u64,
    /// The terms of structure and passed pawns that depend on pawns alone, from White's point of view.
    pub(super) score: Tapered,
    /// The passed pawns of each side.
    pub(super) passed: [BitBoard; 2],
    /// Squares that the pawns of each side attack now or could attack after advancing.
    pub(super) attack_spans: [BitBoard; 2],
    /// The king squares of `shelter`; `None` before it is computed.
    kings: [Option<Square>; 2],
    shelter: [Tapered; 2],
}

impl Pawns {
    /// The entry of positions without pawns. Their key is 0.
    const NONE: Self = Self {
        key: 0,
        score: Tapered::ZERO,
        passed: [BitBoard::EMPTY; 2],
        attack_spans: [BitBoard::EMPTY; 2],
        kings: [None; 2],
        shelter: [Tapered::ZERO; 2],
    };

    /// Evaluates the pawns of a position.
    pub(super) fn of<T: Trace>(position: &Position, trace: &mut T) -> Self {
        let mut pawns = Self {
            key: position.pawn_key(),
            ..Self::NONE
        };
        pawns.score = pawns.side(position, Color::White, trace) - pawns.side(position, Color::Black, trace);
        pawns
    }

    fn side<T: Trace>(&mut self, position: &Position, us: Color, trace: &mut T) -> Tapered {
        let own = position.pieces(us, Piece::Pawn);
        let enemy = position.pieces(!us, Piece::Pawn);
        let own_attacks = pawn_attacks_of(own, us);
        let enemy_attacks = pawn_attacks_of(enemy, !us);
        let mut score = Tapered::ZERO;
        for square in own {
            let rank = relative_rank(square, us);
            let front = ahead(square, us);
            let span = passed_pawn_span(square, us);
            let neighbours = own & square.file().adjacent();
            let unopposed = usize::from((enemy & front).is_empty());
            let defended = own_attacks.has(square);
            self.attack_spans[us as usize] |= span & !square.file().bitboard();

            if !(own & front).is_empty() {
                score += weight(trace, us, DOUBLED_PAWN, 1);
            } else if (enemy & span).is_empty() {
                self.passed[us as usize] |= square.bitboard();
                score += weight(trace, us, PASSED_PAWN + rank, 1);
                if defended {
                    score += weight(trace, us, PASSED_DEFENDED, 1);
                }
            }
            if (own & front).is_empty() && (enemy & front).is_empty() && !(enemy & span).is_empty() {
                let helpers = (neighbours & !span).len();
                if helpers >= (enemy & span).len() {
                    score += weight(trace, us, CANDIDATE_PAWN + rank, 1);
                }
            }
            if defended {
                score += weight(trace, us, DEFENDED_PAWN + rank, 1);
            }
            if !(neighbours & square.rank().bitboard()).is_empty() {
                score += weight(trace, us, PHALANX_PAWN + rank, 1);
            }
            if neighbours.is_empty() {
                score += weight(trace, us, ISOLATED_PAWN + unopposed, 1);
            } else if neighbours.is_subset(span) {
                let stop = forward(square.bitboard(), us);
                if !(stop & (enemy | enemy_attacks)).is_empty() {
                    score += weight(trace, us, BACKWARD_PAWN + unopposed, 1);
                }
            }
        }
        score
    }

    /// The shelter of a side's king.
    #[inline]
    pub(super) fn shelter<T: Trace>(&mut self, position: &Position, us: Color, trace: &mut T) -> Tapered {
        let king = position.board().king(us);
        if T::ACTIVE || self.kings[us as usize] != Some(king) {
            self.kings[us as usize] = Some(king);
            self.shelter[us as usize] = shelter(position, us, king, trace);
        }
        self.shelter[us as usize]
    }
}

fn shelter<T: Trace>(position: &Position, us: Color, king: Square, trace: &mut T) -> Tapered {
    let here = from_rank(king, us);
    let own = position.pieces(us, Piece::Pawn);
    let enemy = position.pieces(!us, Piece::Pawn);
    let mut score = Tapered::ZERO;
    let middle = (king.file() as usize).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let pawns = File::index(file).bitboard() & here;
        let half = file.min(7 - file);
        let lowest = |side: BitBoard| {
            let found = pawns & side;
            let ranks = found.into_iter().map(|square| relative_rank(square, us));
            ranks.min().unwrap_or(0)
        };
        let shield = lowest(own);
        score += weight(trace, us, KING_SHELTER + 7 * half + shield, 1);
        let storm = lowest(enemy);
        if storm > 0 && shield + 1 == storm {
            score += weight(trace, us, KING_BLOCKED_STORM + storm, 1);
        } else {
            score += weight(trace, us, KING_STORM + 7 * half + storm, 1);
        }
    }
    let nearest = (own | enemy).into_iter().map(|pawn| distance(king, pawn)).min();
    score += weight(trace, us, KING_PAWN_DISTANCE, nearest.unwrap_or(0));
    if ((own | enemy) & king_flank(king)).is_empty() {
        score += weight(trace, us, KING_PAWNLESS_FLANK, 1);
    }
    let file = king.file().bitboard();
    let open = match ((own & file).is_empty(), (enemy & file).is_empty()) {
        (true, true) => Some(0),
        (true, false) => Some(1),
        (false, true) => Some(2),
        (false, false) => None,
    };
    if let Some(kind) = open {
        score += weight(trace, us, KING_ON_FILE + kind, 1);
    }
    score
}

/// The number of entries; a power of two.
const ENTRIES: usize = 1 << 13;

/// The pawn hash table. It changes the speed of the evaluation and not its value.
#[derive(Debug, Clone)]
pub(crate) struct PawnCache {
    entries: Box<[Pawns]>,
}

impl PawnCache {
    /// An empty table.
    pub(crate) fn new() -> Self {
        Self {
            entries: vec![Pawns::NONE; ENTRIES].into_boxed_slice(),
        }
    }

    /// Prefetches the entry of a position.
    #[inline]
    pub(super) fn prefetch(&self, position: &Position) {
        prefetch_index(&self.entries, position.pawn_key() as usize % ENTRIES);
    }

    /// The entry of a position; computed when missing.
    #[inline]
    pub(super) fn entry(&mut self, position: &Position) -> &mut Pawns {
        let key = position.pawn_key();
        let entry = &mut self.entries[key as usize % ENTRIES];
        if entry.key != key {
            *entry = Pawns::of(position, &mut ());
        }
        entry
    }
}
