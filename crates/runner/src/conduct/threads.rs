//! How many threads play.

use std::num::NonZeroUsize;

/// How many threads play, and where.
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    /// Pairs that are played at the same time.
    pub count: NonZeroUsize,
    /// Whether each thread stays on a processor of its own.
    pub pinned: bool,
}

impl Threads {
    /// The same, but with at most one thread for each of the `left` remaining pairs.
    #[must_use]
    pub fn for_pairs(self, left: u64) -> Self {
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        Self {
            count: NonZeroUsize::new(left).map_or(NonZeroUsize::MIN, |left| self.count.min(left)),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_threads_than_pairs() {
        let threads = |count| Threads {
            count: NonZeroUsize::new(count).unwrap(),
            pinned: false,
        };
        for (count, left, expected) in [(1_024, 2, 2), (2, 1_024, 2), (4, 0, 1), (4, u64::MAX, 4)] {
            assert_eq!(threads(count).for_pairs(left).count.get(), expected);
        }
    }
}
