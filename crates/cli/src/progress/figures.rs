//! The figures of a running match: speed, time left, result so far.

use std::time::Instant;

use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::record::progress::Progress;
use lmrlab_stats::Estimate;

/// The speed of a run since its start or its resumption.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    pub(super) begun: Instant,
    /// Pairs recorded before that.
    pub(super) before: u64,
}

impl Pace {
    pub(super) fn new(progress: &Progress) -> Self {
        Self {
            begun: Instant::now(),
            before: progress.pairs,
        }
    }

    pub(super) fn pairs_per_second(&self, progress: &Progress) -> f64 {
        let pairs = progress.pairs.saturating_sub(self.before) as f64;
        pairs / self.begun.elapsed().as_secs_f64().max(1e-3)
    }

    /// Seconds until the last pair, or until the SPRT is decided if the LLR keeps its slope; `None` when unknown.
    pub(super) fn seconds_left(&self, progress: &Progress) -> Option<f64> {
        let rate = self.pairs_per_second(progress);
        // A race is decided long before its last pair.
        if rate <= 0.0 || progress.race.is_some() {
            return None;
        }
        let mut pairs = progress.scheduled_pairs.saturating_sub(progress.pairs) as f64;
        // A test does not end on faults, whatever its LLR.
        if let (Some(sprt), Some(llr), None) = (progress.sprt, progress.llr(), progress.no_verdict()) {
            let (lower, upper) = sprt.bounds();
            let bound = if llr > 0.0 { upper } else { lower };
            let each = llr / progress.pairs.max(1) as f64;
            let needed = (bound - llr) / each;
            if needed.is_finite() {
                pairs = pairs.min(needed.max(0.0));
            }
        }
        Some(pairs / rate)
    }
}

/// Speed, time left, and the result so far.
pub(super) fn figures(pace: &Pace, progress: &Progress) -> String {
    let mut text = format!("{:.1} pairs/s", pace.pairs_per_second(progress));
    if let Some(left) = pace.seconds_left(progress) {
        text.push_str(&format!(", {} left", duration(left)));
    }
    format!("{text}  {}", so_far(progress))
}

/// A time: `12 s`, `5 min`, `3.2 h`.
fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7_200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3_600.0)
    }
}

/// The result so far, in a few words.
fn so_far(progress: &Progress) -> String {
    let mut text = String::new();
    if let [first, _] = progress.tally.names() {
        if let Some(estimate) = Estimate::of(&progress.tally.encounter(0, 1).pairs) {
            text = format!(
                "{first} {} ± {} Elo",
                signed(Some(estimate.elo.0), 1),
                unsigned(estimate.elo_error_95.map(|error| error.0), 1)
            );
        }
    } else if let Some(leader) = progress
        .standings()
        .into_iter()
        .next()
        .filter(|leader| leader.games > 0)
    {
        text = format!(
            "{} leads, {} ± {} Elo",
            leader.engine,
            signed(leader.elo.0, 1),
            unsigned(leader.elo_error_95.0, 1)
        );
    }
    if let Some(race) = &progress.race {
        let left = match race.rules().baseline() {
            Some(_) => "undecided",
            None => "in the race",
        };
        let engines = progress.tally.names().len();
        text.push_str(&format!(", {} of {engines} {left}", race.racing()));
    }
    if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
        let (lower, upper) = sprt.bounds();
        text.push_str(&format!(", LLR {llr:.2} ({lower:.2}, {upper:.2})"));
    }
    let faults = progress.tally.all_faults();
    if faults.all() > 0 {
        text.push_str(&format!(", {}", faults.text()));
    }
    text
}
