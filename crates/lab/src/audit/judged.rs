//! Sampled moves, counted by what the search and the shadow search found.

use super::sample::Sample;
use crate::ratio::ratio;

/// Sampled moves by what the search and the shadow search found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Judged {
    /// Moves sampled, undecided ones included.
    pub sampled: u64,
    /// Of these, the undecided: the shadow search reached its node limit. The counts below leave them out.
    pub undecided: u64,
    /// Reduced, failed low, and rightly so.
    pub dismissed_rightly: u64,
    /// Reduced, failed low, and would have raised alpha: the misses.
    pub missed: u64,
    /// Reduced, failed high, and would have failed low: searched again for nothing.
    pub false_alarms: u64,
    /// Reduced, failed high, and raises alpha.
    pub recognized: u64,
    /// Not reduced, failed low, and the shadow search failed low, too.
    pub unreduced_agreed_low: u64,
    /// Not reduced, failed low, and the shadow search raised alpha.
    pub unreduced_missed: u64,
    /// Not reduced, failed high, and the shadow search failed low.
    pub unreduced_false_alarms: u64,
    /// Not reduced, failed high, and the shadow search raised alpha, too.
    pub unreduced_agreed_high: u64,
}

impl Judged {
    /// Counts a move `weight` times.
    pub fn count(&mut self, sample: &Sample, weight: u64) {
        self.sampled += weight;
        let Some(raises) = sample.raises else {
            self.undecided += weight;
            return;
        };
        let count = match (sample.reduction > 0, sample.failed_high, raises) {
            (true, false, false) => &mut self.dismissed_rightly,
            (true, false, true) => &mut self.missed,
            (true, true, false) => &mut self.false_alarms,
            (true, true, true) => &mut self.recognized,
            (false, false, false) => &mut self.unreduced_agreed_low,
            (false, false, true) => &mut self.unreduced_missed,
            (false, true, false) => &mut self.unreduced_false_alarms,
            (false, true, true) => &mut self.unreduced_agreed_high,
        };
        *count += weight;
    }

    /// Moves that were reduced, failed low and were judged.
    pub fn dismissed(&self) -> u64 {
        self.dismissed_rightly + self.missed
    }

    /// Moves that were reduced and judged.
    pub fn reduced(&self) -> u64 {
        self.dismissed() + self.false_alarms + self.recognized
    }

    /// Of the moves that were reduced and failed low, the share that would have raised alpha.
    pub fn missed_rate(&self) -> Option<f64> {
        ratio(self.missed, self.dismissed())
    }
}
