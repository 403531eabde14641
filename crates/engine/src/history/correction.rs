//! Correction history: the past error of the static evaluation in similar positions (Caissa 2023, Stockfish 2023).

use super::gravity::with_gravity;
use crate::depth::Depth;
use crate::position::Position;

/// Entries of a table; a power of two.
const ENTRIES: usize = 16_384;
/// The bound of the entries.
const BOUND: i32 = 1_024;
/// Units of an entry per centipawn.
const GRAIN: i32 = 16;
/// The number of tables: by the pawns, and by each side's pieces.
const FEATURES: usize = 3;
/// Errors of the static evaluation by feature, for the side to move.
#[derive(Debug)]
pub(crate) struct CorrectionHistory(Box<[i16]>);

impl CorrectionHistory {
    pub(crate) fn new() -> Self {
        Self(vec![0; FEATURES * ENTRIES].into_boxed_slice())
    }

    /// Copies the entries of `other`.
    pub(crate) fn copy_from(&mut self, other: &Self) {
        self.0.copy_from_slice(&other.0);
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// The correction of the static evaluation, in centipawns; within 192.
    #[inline]
    pub(crate) fn correction(&self, position: &Position) -> i32 {
        let sum: i32 = places(position).iter().map(|place| i32::from(self.0[*place])).sum();
        sum / GRAIN
    }

    /// Updates the entries of a position after a search. `error` is its score minus the static evaluation, in centipawns.
    pub(crate) fn update(&mut self, position: &Position, depth: Depth, error: i32) {
        let bonus = (error * depth.get() / 8).clamp(-BOUND / 4, BOUND / 4);
        for place in places(position) {
            let entry = &mut self.0[place];
            *entry = with_gravity(i32::from(*entry), bonus, BOUND) as i16;
        }
    }
}

/// The indices of a position's entries. A position and its colour-flipped mirror image have the same.
#[inline]
fn places(position: &Position) -> [usize; FEATURES] {
    let us = position.side_to_move();
    let keys = position.keys();
    let features = [keys.pawns_seen_by(us), keys.pieces(us), keys.pieces(!us)];
    let mut places = [0; FEATURES];
    for (feature, key) in features.into_iter().enumerate() {
        places[feature] = feature * ENTRIES + key as usize % ENTRIES;
    }
    places
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_learnt_helps_positions_with_the_same_pawns() {
        let mut history = CorrectionHistory::new();
        let first = Position::from_fen("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1").unwrap();
        let same_pawns = Position::from_fen("r3k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1").unwrap();
        let other = Position::from_fen("r3k3/p1p5/8/8/8/8/P1P5/3K4 w - - 0 1").unwrap();
        let mirrored = Position::from_fen("r3k3/pp6/8/8/8/8/PP6/4K3 b - - 0 1").unwrap();
        for _ in 0..100 {
            history.update(&first, Depth::new(8), 90);
        }
        assert!(history.correction(&first) > history.correction(&same_pawns));
        assert!(history.correction(&same_pawns) > 30);
        assert_eq!(history.correction(&other), 0);
        assert_eq!(history.correction(&mirrored), history.correction(&first));
        for _ in 0..1000 {
            history.update(&first, Depth::new(60), -3_000);
            assert!(history.correction(&first).abs() <= 192);
        }
        history.clear();
        assert_eq!(history.correction(&first), 0);
    }
}
