//! How long pairs take, as measured, and how many of them make a part.

use std::time::Duration;

/// Pairs of a part at most, before one is done.
const FIRST: u64 = 2;
/// A part is at most so many times as long as one that is done: what was measured may be far off, by clocks that are read
/// rarely, or where only the fastest parts are done.
const GROWTH: u64 = 8;
/// An attempt is slow when it takes longer than expected by this factor, and the time that parts wait for their beginning: news
/// of the beginning and the end may be late by as much.
const SLOW: f64 = 2.0;
/// The shortest part takes this many times the time that parts wait for their beginning.
const SHORTEST: f64 = 1.0;

/// The shortest and the longest part, in pairs; both are positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lengths {
    pub(super) shortest: u64,
    pub(super) longest: u64,
}

/// The mean time of a pair, over the parts that are done, and how long attempts wait for their beginning.
///
/// The former includes what a part takes to begin, so that it is too long after the short parts at first. As longer ones
/// weigh more, it comes near the truth with them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    pairs: u64,
    time: Duration,
    /// Pairs of the longest part that is done.
    longest_done: u64,
    waits: u32,
    waited: Duration,
}

impl Pace {
    /// A part of so many pairs took so long.
    pub(super) fn measured(&mut self, pairs: u64, time: Duration) {
        self.pairs += pairs;
        self.time = self.time.saturating_add(time);
        self.longest_done = self.longest_done.max(pairs);
    }

    /// An attempt began so long after it was submitted.
    pub(super) fn waited(&mut self, time: Duration) {
        self.waits = self.waits.saturating_add(1);
        self.waited = self.waited.saturating_add(time);
    }

    /// How long a part of so many pairs may take before it is slow, if that is known.
    pub(super) fn patience(&self, pairs: u64) -> Option<Duration> {
        self.seconds().map(|seconds| {
            let patience = SLOW * seconds * pairs as f64 + self.wait();
            Duration::try_from_secs_f64(patience).unwrap_or(Duration::MAX)
        })
    }

    /// How many pairs make a part, if one should take `part_time`.
    pub(super) fn lengths(&self, part_time: Duration) -> Lengths {
        let Some(seconds) = self.seconds() else {
            return Lengths {
                shortest: 1,
                longest: FIRST,
            };
        };
        // Infinite where a clock has seen no time pass.
        let pairs = |time: f64| (time / seconds) as u64;
        let longest = pairs(part_time.as_secs_f64())
            .min(GROWTH.saturating_mul(self.longest_done))
            .max(1);
        Lengths {
            shortest: pairs(SHORTEST * self.wait()).clamp(1, longest),
            longest,
        }
    }

    /// Seconds between a submission and the beginning.
    fn wait(&self) -> f64 {
        self.waited.as_secs_f64() / f64::from(self.waits.max(1))
    }

    /// Seconds of a pair.
    fn seconds(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.time.as_secs_f64() / self.pairs as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(pace: Pace, part_time: u64) -> (u64, u64) {
        let Lengths { shortest, longest } = pace.lengths(Duration::from_secs(part_time));
        (shortest, longest)
    }

    #[test]
    fn parts_take_about_the_time_that_they_should() {
        let mut pace = Pace::default();
        assert_eq!(pace.patience(5), None);
        assert_eq!(lengths(pace, 60), (1, 2));
        pace.measured(2, Duration::from_secs(3));
        assert_eq!(
            lengths(pace, 60),
            (1, 16),
            "no more than eight times as long as one that is done"
        );
        pace.measured(8, Duration::from_secs(7));
        assert_eq!(pace.patience(5), Some(Duration::from_secs(10)));
        assert_eq!(lengths(pace, 60), (1, 60));
        assert_eq!(lengths(pace, 0), (1, 1));
    }

    #[test]
    fn parts_are_longer_where_they_wait_longer() {
        let mut pace = Pace::default();
        pace.measured(10, Duration::from_secs(10));
        pace.waited(Duration::from_secs(5));
        pace.waited(Duration::from_secs(15));
        assert_eq!(lengths(pace, 60), (10, 60));
        assert_eq!(pace.patience(5), Some(Duration::from_secs(20)));
        pace.waited(Duration::from_secs(3000));
        assert_eq!(lengths(pace, 60), (60, 60));
    }

    #[test]
    fn a_coarse_clock_does_no_harm() {
        let mut pace = Pace::default();
        pace.measured(10, Duration::ZERO);
        assert_eq!(lengths(pace, 60), (1, 80));
    }
}
