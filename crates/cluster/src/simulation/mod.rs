//! A run on machines that are made up: how long a verdict takes, and what is thrown away.
//!
//! The [`Dispatcher`](crate::dispatch::Dispatcher) is the real one. Machines, games and the clock are made up from a seed, so
//! that ten thousand machines take seconds. `cargo run --release -p lmrlab-cluster --example simulate_cluster` prints tables.

mod games;
mod head;
mod machines;

use std::fmt;
use std::time::Duration;

use lmrlab_stats::{Sprt, Verdict};

use crate::dispatch::{GaveUp, Rules};

/// What is simulated. A worker plays one part at a time.
#[derive(Debug, Clone)]
pub struct Scenario {
    /// Workers in all.
    pub workers: usize,
    /// Workers of a host; the last host may have fewer.
    pub workers_of_host: usize,
    /// Time that a worker of mean speed takes for a mean pair.
    pub pair_time: Duration,
    /// The fastest workers are faster by this share than the mean, the slowest slower; from 0 to less than 1.
    pub speed_spread: f64,
    /// Time of an attempt before its first pair: a process starts, files are read.
    pub start_time: Duration,
    /// Mean time between a submission and the beginning of the attempt; exponentially distributed.
    pub scheduling_delay: Duration,
    /// Failures of a worker in an hour of playing; each ends the attempt.
    pub failures_per_hour: f64,
    /// The share of attempts that are stragglers.
    pub straggler_share: f64,
    /// How many times as long these take.
    pub straggler_factor: f64,
    /// The first host's pairs come out wrong with this probability; 0 for a sound host.
    pub wrong_share: f64,
    /// The head asks how its jobs go at this interval.
    pub poll_time: Duration,
    /// Processor time of the head for each pair.
    pub head_pair_time: Duration,
    /// Processor time of the head for each attempt: its folder, its files, its submission.
    pub head_attempt_time: Duration,
    /// The rules of the dispatcher.
    pub rules: Rules,
    /// The test that ends the run.
    pub sprt: Sprt,
    /// The true difference of the engines, in normalized Elo.
    pub elo: f64,
    /// Pairs of the schedule.
    pub pairs: u64,
    /// Where all that is random comes from.
    pub seed: u64,
}

/// What came of it. Pairs of the machines are counted by their time: half a part that is thrown away counts half its pairs.
#[derive(Debug, Clone, PartialEq)]
pub struct Outcome {
    /// The verdict; [`Verdict::Continue`] where the schedule came to its end.
    pub verdict: Verdict,
    /// Whether one machine comes to the same verdict at the same pair.
    pub as_one_machine: bool,
    /// Time until the verdict.
    pub time: Duration,
    /// Time that one worker of mean speed takes for the pairs that the verdict needed.
    pub one_machine: Duration,
    /// Pairs that the verdict needed.
    pub needed: u64,
    /// Pairs that were played, or were being played, and came after these.
    pub beyond: f64,
    /// Pairs that were played again to check hosts.
    pub repeated: f64,
    /// Pairs of attempts that failed, were cancelled, or came from an excluded host.
    pub lost: f64,
    /// Wrong pairs that were recorded before their host was excluded.
    pub wrong: u64,
    /// The share of the workers' time in which they played nothing.
    pub idle: f64,
    /// The share of the time in which the head's processor was busy.
    pub head: f64,
    /// Attempts that were submitted.
    pub attempts: u64,
    /// Hosts that were excluded.
    pub excluded: usize,
}

impl Outcome {
    /// How many times as fast as one worker of mean speed.
    #[must_use]
    pub fn speedup(&self) -> f64 {
        self.one_machine.as_secs_f64() / self.time.as_secs_f64()
    }

    /// Pairs thrown away, for each one that was needed.
    #[must_use]
    pub fn thrown_away(&self) -> f64 {
        (self.beyond + self.repeated + self.lost) / self.needed as f64
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{:?} at pair {} after {:.1} s ({:.1} times as fast as one), as one machine: {}; beyond {:.0}, repeated {:.0}, \
             lost {:.0}, wrong {}; idle {:.3}, head {:.3}; attempts {}, excluded {}",
            self.verdict,
            self.needed,
            self.time.as_secs_f64(),
            self.speedup(),
            self.as_one_machine,
            self.beyond,
            self.repeated,
            self.lost,
            self.wrong,
            self.idle,
            self.head,
            self.attempts,
            self.excluded
        )
    }
}

/// Plays a scenario.
///
/// # Errors
/// When a part failed so often that the run gives up.
pub fn simulate(scenario: &Scenario) -> Result<Outcome, GaveUp> {
    head::Head::new(scenario).run()
}

#[cfg(test)]
mod tests;
