//! The evaluation cache. It changes the speed of the evaluation and not its value.

use prefetch_index::prefetch_index;

use super::pawns::PawnCache;
use crate::position::Position;
use crate::score::Score;

/// The number of cached scores; a power of two.
const SCORES: usize = 1 << 15;
/// The bits of an entry that hold the score. The others hold the high bits of the key.
const SCORE_BITS: u64 = 0xffff;

/// Scores of positions and of pawn structures, by key. Entries are always replaced.
#[derive(Debug)]
pub(crate) struct EvaluationCache {
    pub(super) pawns: PawnCache,
    scores: Box<[u64]>,
}

impl EvaluationCache {
    /// An empty cache.
    pub(crate) fn new() -> Self {
        Self {
            pawns: PawnCache::new(),
            scores: vec![0; SCORES].into_boxed_slice(),
        }
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        prefetch_index(&self.scores, Self::place(position.key()));
        self.pawns.prefetch(position);
    }

    #[inline]
    fn place(key: u64) -> usize {
        (key >> 16) as usize % SCORES
    }

    /// The cached score of a position; computes and stores it when missing.
    #[inline]
    pub(super) fn score(&mut self, position: &Position, compute: impl FnOnce(&mut PawnCache) -> Score) -> Score {
        let key = position.key();
        let place = Self::place(key);
        let entry = self.scores[place];
        if entry & !SCORE_BITS == key & !SCORE_BITS {
            return Score::centipawns(i32::from(entry as u16 as i16));
        }
        let score = compute(&mut self.pawns);
        self.scores[place] = key & !SCORE_BITS | u64::from(score.get() as i16 as u16);
        score
    }
}
