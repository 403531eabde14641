//! The queue of a run: it hands out the known pairs in their order, one or several at a time.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::steering::KnownPairs;
use crate::tournament::schedule::Pair;

/// Pairs that are played together. Their numbers follow each other.
#[derive(Debug, Default)]
pub struct Work {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Where earlier attempts failed, and why.
    pub failures: Vec<String>,
    /// The host of the last of them.
    pub avoid: Option<String>,
    /// The folder of a part that an earlier process has made for them. It may have results.
    pub folder: Option<PathBuf>,
}

/// What a thread is to do.
pub(super) enum Next {
    Play(Work),
    /// Wait for a result of another thread.
    Wait,
    End,
}

/// Which pairs come next.
pub(super) struct Queue {
    pub(super) known: KnownPairs,
    /// The number of the next result to be recorded.
    pub(super) recorded: u64,
    /// Known pairs that are given out, or have a result that waits.
    pub(super) given: BTreeMap<u64, Pair>,
    /// Those of them that are given out again.
    pub(super) again: Vec<Work>,
    /// The hosts of the threads.
    pub(super) hosts: Vec<Option<String>>,
    /// The greatest number of pairs that a thread gets at a time.
    pub(super) pairs: u64,
    /// At most this many pairs, from the next one to be recorded, are given out. Otherwise results would pile up behind a
    /// long pair. It is not less than `pairs`.
    pub(super) ahead: u64,
    /// The threads that may begin a pair.
    pub(super) threads: usize,
}

impl Queue {
    pub(super) fn next(&mut self, thread: usize) -> Next {
        if self.is_over() {
            return Next::End;
        }
        if thread >= self.threads {
            return Next::Wait;
        }
        if let Some(index) = self.again.iter().position(|work| self.fits(thread, work)) {
            return Next::Play(self.again.remove(index));
        }
        let is_free = |number: &u64| !self.given.contains_key(number);
        // All pairs of a hand-out are within the limit.
        let end = self.recorded.saturating_add(self.ahead - self.pairs);
        let Some(first) = (self.recorded..=end).find(is_free) else {
            return Next::Wait;
        };
        let free = (first..first.saturating_add(self.share(first))).take_while(is_free);
        let pairs: Vec<Pair> = free.map_while(|number| self.known.get(number)).collect();
        if pairs.is_empty() {
            return Next::Wait;
        }
        self.given.extend(pairs.iter().map(|pair| (pair.index, pair.clone())));
        Next::Play(Work {
            pairs,
            ..Work::default()
        })
    }

    /// Whether no pair is left, and none can come.
    fn is_over(&self) -> bool {
        self.given.is_empty() && self.known.get(self.recorded).is_none() && !self.known.more_may_come(self.recorded)
    }

    /// How many pairs a thread gets when this is the first one. When few pairs remain, each thread gets some of them.
    fn share(&self, first: u64) -> u64 {
        if self.pairs == 1 {
            return 1;
        }
        let threads = self.hosts.len() as u64;
        let last = first.saturating_add(self.pairs * threads);
        let left = (first..last).take_while(|number| self.known.get(*number).is_some());
        (left.count() as u64).div_ceil(threads)
    }

    /// Whether a thread may play pairs that are given out again: not on the host where they failed, if there are others.
    fn fits(&self, thread: usize, work: &Work) -> bool {
        let host = &self.hosts[thread];
        host.is_none() || *host != work.avoid || self.hosts.iter().all(|host| *host == work.avoid)
    }

    /// Whether the results of these pairs count.
    pub(super) fn wants(&self, pairs: &[Pair]) -> bool {
        let counts = |pair: &Pair| pair.index < self.recorded || self.given.get(&pair.index) == Some(pair);
        pairs.iter().all(counts)
    }

    /// Forgets that pairs were given out.
    pub(super) fn forget(&mut self, pairs: &[Pair]) {
        for pair in pairs {
            if self.given.get(&pair.index) == Some(pair) {
                self.given.remove(&pair.index);
            }
        }
    }

    /// Forgets pairs that are not known any more.
    pub(super) fn change(&mut self, known: KnownPairs) {
        self.known = known;
        self.given
            .retain(|number, pair| self.known.get(*number).as_ref() == Some(pair));
        for work in std::mem::take(&mut self.again) {
            if self.wants(&work.pairs) {
                self.again.push(work);
            } else {
                self.forget(&work.pairs);
            }
        }
    }
}

/// A queue stays usable when a worker panics.
pub(super) fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}
