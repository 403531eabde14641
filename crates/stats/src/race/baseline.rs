//! A race against a baseline: each variant plays an SPRT of its own.

use super::fate::RaceFate;
use crate::counts::{PairOutcome, Pentanomial};
use crate::sprt::{Sprt, Verdict};

/// Every undecided variant plays the baseline.
#[derive(Debug, Clone)]
pub(super) struct AgainstBaseline {
    sprt: Sprt,
    counts: Vec<Pentanomial>,
    /// The first final verdict of each test. Games after it, up to the end of the block, do not count.
    verdicts: Vec<Verdict>,
}

impl AgainstBaseline {
    pub(super) fn new(variants: usize, sprt: Sprt) -> Self {
        Self {
            sprt,
            counts: vec![Pentanomial::default(); variants],
            verdicts: vec![Verdict::Continue; variants],
        }
    }

    pub(super) fn record(&mut self, variant: usize, outcome: PairOutcome) {
        if self.verdicts[variant] == Verdict::Continue {
            self.counts[variant].record(outcome);
            self.verdicts[variant] = self.sprt.status(&self.counts[variant]);
        }
    }

    pub(super) fn decide(&self, fates: &mut [RaceFate], rounds: u64) {
        for (fate, verdict) in fates.iter_mut().zip(&self.verdicts) {
            if *fate == RaceFate::Racing {
                *fate = match verdict {
                    Verdict::AcceptH1 => RaceFate::Accepted { rounds },
                    Verdict::AcceptH0 => RaceFate::Dropped { rounds },
                    Verdict::Continue => RaceFate::Racing,
                };
            }
        }
    }
}
