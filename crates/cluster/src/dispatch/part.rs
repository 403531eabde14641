//! A part that is not done yet: its attempts in play, and those that failed.

use std::fmt;
use std::time::Duration;

use super::{AttemptName, NewPart, PartNumber, RestoredPart};

/// A failed attempt at a part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartFailure {
    /// The attempt, from 1.
    pub attempt: u32,
    /// Its host, if that is known.
    pub host: Option<String>,
    /// The rest of a sentence that begins with "it".
    pub why: String,
}

/// Too many attempts at a part failed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GaveUp {
    /// The part.
    pub part: PartNumber,
    /// All attempts that failed.
    pub failures: Vec<PartFailure>,
}

impl fmt::Display for GaveUp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let times = match self.failures.len() {
            1 => "once".to_owned(),
            2 => "twice".to_owned(),
            count => format!("{count} times"),
        };
        write!(f, "part {} failed {times}", self.part + 1)?;
        for (index, failure) in self.failures.iter().enumerate() {
            let host = failure.host.as_deref().unwrap_or("an unknown host");
            let separator = if index == 0 { ':' } else { ';' };
            write!(f, "{separator} on {host} it {}", failure.why)?;
        }
        Ok(())
    }
}

impl std::error::Error for GaveUp {}

/// An attempt that was submitted and has not ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AttemptInPlay {
    number: u32,
    pub(super) host: Option<String>,
    /// When it began, if it has, and after which time it is slow.
    began: Option<(Duration, Duration)>,
    /// When it was submitted; unknown where an earlier process did that. Then nobody knows, either, how long it has been
    /// going on.
    submitted: Option<Duration>,
    /// How long it played by its host's own clock.
    took: Option<Duration>,
}

impl AttemptInPlay {
    /// How long it played until it ended at `now`, if anybody knows.
    pub(super) fn time(&self, now: Duration) -> Option<Duration> {
        let seen = || {
            self.submitted?;
            self.began.map(|(began, _)| now.saturating_sub(began))
        };
        self.took.or_else(seen)
    }
}

/// A part that is not done yet.
#[derive(Debug, Clone)]
pub(super) struct Part {
    pub(super) pairs: Vec<u64>,
    pub(super) checks: usize,
    pub(super) failures: Vec<PartFailure>,
    attempts: Vec<AttemptInPlay>,
    last_attempt: u32,
}

impl Part {
    pub(super) fn new(part: &NewPart) -> Self {
        Self {
            pairs: part.pairs.clone(),
            checks: part.checks,
            failures: Vec::new(),
            attempts: Vec::new(),
            last_attempt: 0,
        }
    }

    pub(super) fn restored(restored: RestoredPart) -> Self {
        let RestoredPart {
            part,
            attempts,
            failures,
            last_attempt,
        } = restored;
        Self {
            last_attempt: attempts.iter().map(|(number, _)| *number).fold(last_attempt, u32::max),
            attempts: attempts
                .into_iter()
                .map(|(number, host)| AttemptInPlay {
                    number,
                    host,
                    began: None,
                    submitted: None,
                    took: None,
                })
                .collect(),
            failures,
            ..Self::new(&part)
        }
    }

    /// Attempts in play.
    pub(super) fn attempts(&self) -> &[AttemptInPlay] {
        &self.attempts
    }

    /// Pairs that an attempt plays.
    pub(super) fn length(&self) -> u64 {
        (self.pairs.len() + self.checks) as u64
    }

    /// Hosts where it failed or is in play.
    pub(super) fn hosts(&self) -> impl Iterator<Item = &str> {
        let failed = self.failures.iter().filter_map(|failure| failure.host.as_deref());
        failed.chain(self.attempts.iter().filter_map(|attempt| attempt.host.as_deref()))
    }

    /// The attempts in play.
    pub(super) fn names(&self, part: PartNumber) -> impl Iterator<Item = AttemptName> {
        self.attempts.iter().map(move |attempt| (part, attempt.number))
    }

    /// The attempts in play on a host.
    pub(super) fn names_on(&self, part: PartNumber, host: &str) -> impl Iterator<Item = AttemptName> {
        let here = |attempt: &&AttemptInPlay| attempt.host.as_deref() == Some(host);
        self.attempts
            .iter()
            .filter(here)
            .map(move |attempt| (part, attempt.number))
    }

    /// The time after which the only attempt in play is slow; nothing where it has not begun, or there is none or another.
    pub(super) fn slow_after(&self) -> Option<Duration> {
        match self.attempts.as_slice() {
            [attempt] => attempt.began.map(|(_, slow)| slow),
            _ => None,
        }
    }

    /// Another attempt, which is submitted `now`; returns its number.
    pub(super) fn submit(&mut self, now: Duration) -> u32 {
        self.last_attempt += 1;
        self.attempts.push(AttemptInPlay {
            number: self.last_attempt,
            host: None,
            began: None,
            submitted: Some(now),
            took: None,
        });
        self.last_attempt
    }

    /// An attempt began at `now`, and is slow if it takes longer than `patience`. Nothing where it is not in play; otherwise how long it waited,
    /// where that is news.
    pub(super) fn begin(
        &mut self,
        number: u32,
        host: Option<&str>,
        now: Duration,
        patience: Duration,
    ) -> Option<Option<Duration>> {
        let attempt = self.attempts.iter_mut().find(|attempt| attempt.number == number)?;
        if let Some(host) = host {
            attempt.host = Some(host.to_owned());
        }
        if attempt.began.is_some() {
            return Some(None);
        }
        attempt.began = Some((now, now.saturating_add(patience)));
        Some(attempt.submitted.map(|submitted| now.saturating_sub(submitted)))
    }

    /// An attempt says how long it played.
    pub(super) fn took(&mut self, number: u32, time: Duration) {
        if let Some(attempt) = self.attempts.iter_mut().find(|attempt| attempt.number == number) {
            attempt.took = Some(time);
        }
    }

    /// Takes an attempt out of play.
    pub(super) fn take(&mut self, number: u32) -> Option<AttemptInPlay> {
        let index = self.attempts.iter().position(|attempt| attempt.number == number)?;
        Some(self.attempts.remove(index))
    }

    /// Whether so many attempts failed that no other is to be made, and none is in play.
    pub(super) fn is_hopeless(&self, attempts: u32) -> bool {
        self.attempts.is_empty() && self.failures.len() >= attempts.max(1) as usize
    }

    pub(super) fn give_up(self, part: PartNumber) -> GaveUp {
        GaveUp {
            part,
            failures: self.failures,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn giving_up_names_hosts_and_reasons() {
        let failure = |attempt, host: Option<&str>, why: &str| PartFailure {
            attempt,
            host: host.map(str::to_owned),
            why: why.to_owned(),
        };
        let mut gave_up = GaveUp {
            part: 7,
            failures: vec![failure(1, Some("node1"), "was killed by signal 9")],
        };
        assert_eq!(
            gave_up.to_string(),
            "part 8 failed once: on node1 it was killed by signal 9"
        );
        gave_up.failures.push(failure(2, None, "vanished"));
        assert_eq!(
            gave_up.to_string(),
            "part 8 failed twice: on node1 it was killed by signal 9; on an unknown host it vanished"
        );
    }
}
