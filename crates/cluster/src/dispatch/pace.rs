//! How long pairs take, as measured, and how many of them make a part.

use std::time::Duration;

/// Pairs of a part at most, while nobody knows how long they take.
const FIRST: u64 = 2;
/// The shortest part takes this share of the time that a part should take, or has one pair.
const SHORTEST: f64 = 1.0 / 16.0;

/// The shortest and the longest part, in pairs; both are positive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Lengths {
    pub(super) shortest: u64,
    pub(super) longest: u64,
}

/// The mean time of a pair, over the parts that are done.
///
/// It includes what a part takes to begin, so that it is too long after the short parts at first. As longer ones weigh more,
/// it comes near the truth with them.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Pace {
    pairs: u64,
    time: Duration,
}

impl Pace {
    /// A part of so many pairs took so long.
    pub(super) fn measured(&mut self, pairs: u64, time: Duration) {
        self.pairs += pairs;
        self.time = self.time.saturating_add(time);
    }

    /// How long a part of so many pairs takes on an average host, if that is known.
    pub(super) fn expected(&self, pairs: u64) -> Option<Duration> {
        self.seconds()
            .map(|seconds| Duration::try_from_secs_f64(seconds * pairs as f64).unwrap_or(Duration::MAX))
    }

    /// How many pairs make a part, if one should take `part_time`.
    pub(super) fn lengths(&self, part_time: Duration) -> Lengths {
        let Some(seconds) = self.seconds() else {
            return Lengths {
                shortest: 1,
                longest: FIRST,
            };
        };
        // A clock of which the steps are longer than a part must not make parts endless.
        let longest = ((part_time.as_secs_f64() / seconds.max(1e-6)) as u64).max(1);
        Lengths {
            shortest: ((longest as f64 * SHORTEST) as u64).max(1),
            longest,
        }
    }

    /// Seconds of a pair.
    fn seconds(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.time.as_secs_f64() / self.pairs as f64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_take_about_the_time_that_they_should() {
        let mut pace = Pace::default();
        let minute = Duration::from_secs(60);
        assert_eq!(pace.expected(5), None);
        assert_eq!(
            pace.lengths(minute),
            Lengths {
                shortest: 1,
                longest: 2
            }
        );
        pace.measured(2, Duration::from_secs(3));
        pace.measured(8, Duration::from_secs(7));
        assert_eq!(pace.expected(5), Some(Duration::from_secs(5)));
        assert_eq!(
            pace.lengths(minute),
            Lengths {
                shortest: 3,
                longest: 60
            }
        );
        assert_eq!(
            pace.lengths(Duration::ZERO),
            Lengths {
                shortest: 1,
                longest: 1
            }
        );
    }

    #[test]
    fn a_coarse_clock_does_no_harm() {
        let mut pace = Pace::default();
        pace.measured(10, Duration::ZERO);
        assert_eq!(pace.lengths(Duration::from_secs(1)).longest, 1_000_000);
    }
}
