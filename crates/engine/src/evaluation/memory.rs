//! The caches of the evaluation: the evaluation cache, the pawn hash table and the accumulators of the network. They change
//! its speed, not its value.

use prefetch_index::prefetch_index;

use super::pawns::PawnCache;
use crate::depth::Ply;
use crate::network::{AccumulatorStack, Network};
use crate::position::Position;
use crate::score::Score;

/// The tables of the evaluation.
#[derive(Debug)]
pub(crate) struct EvaluationMemory {
    pub(super) scores: ScoreCache,
    pub(super) pawns: PawnCache,
    pub(super) accumulators: AccumulatorStack<'static>,
}

impl EvaluationMemory {
    /// Empty tables.
    pub(crate) fn new() -> Self {
        Self {
            scores: ScoreCache::new(),
            pawns: PawnCache::new(),
            accumulators: AccumulatorStack::new(Network::standard(), Ply::MAX.index() + 1),
        }
    }

    /// Prefetches the entries of a position.
    #[inline]
    pub(crate) fn prefetch(&self, position: &Position) {
        self.scores.prefetch(position);
        self.pawns.prefetch(position);
    }
}

/// The number of cached scores; a power of two.
const SCORES: usize = 1 << 15;
/// The bits of an entry that hold the score. The others hold the high bits of the key.
const SCORE_BITS: u64 = 0xffff;

/// Scores of positions, by key. Entries are always replaced.
#[derive(Debug)]
pub(super) struct ScoreCache(Box<[u64]>);

impl ScoreCache {
    fn new() -> Self {
        Self(vec![0; SCORES].into_boxed_slice())
    }

    fn prefetch(&self, position: &Position) {
        prefetch_index(&self.0, Self::place(position.key()));
    }

    #[inline]
    fn place(key: u64) -> usize {
        (key >> 16) as usize % SCORES
    }

    /// The cached score of a position; computes and stores it when missing.
    #[inline]
    pub(super) fn score(&mut self, position: &Position, compute: impl FnOnce() -> Score) -> Score {
        let key = position.key();
        let entry = &mut self.0[Self::place(key)];
        if *entry & !SCORE_BITS == key & !SCORE_BITS {
            return Score::centipawns(i32::from(*entry as u16 as i16));
        }
        let score = compute();
        *entry = key & !SCORE_BITS | u64::from(score.get() as i16 as u16);
        score
    }
}
