//! Which pairs make a part, how many are played ahead, and what is tried again, started twice or checked.
//!
//! A [`Dispatcher`] is told what happens and says what is to be done. It knows neither files nor clocks: time is a duration
//! since the beginning, and comes from whoever drives it, be it a run or a simulation. Who drives it goes round like this:
//!
//! ```text
//! events: began, done, failed, checked, withdraw, exclude
//! wanted -> find so many pairs that are in no part -> new_parts -> write them -> to_submit -> submit the attempts
//! ```
//!
//! Waves roll: whenever a slot is free, a part is cut for it. How much is played ahead follows what is expected to be needed
//! (`wave`), and how long a part is follows what pairs were measured to take (`pace`).

mod hosts;
mod pace;
mod part;
mod wave;

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use hosts::Hosts;
use pace::Pace;
use part::Part;
pub use part::{GaveUp, PartFailure};
use wave::Wave;

/// The number of a part, from 0.
pub type PartNumber = u64;

/// An attempt's part, and its number from 1.
pub type AttemptName = (PartNumber, u32);

/// One attempt at a part.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Attempt {
    /// The part.
    pub part: PartNumber,
    /// The attempt at it, from 1.
    pub number: u32,
    /// Hosts that are not to get it: those that are excluded and, while others are known, those where the part failed or is
    /// in play.
    pub avoid: Vec<String>,
}

/// What a run asks of its parts.
#[derive(Debug, Clone, PartialEq)]
pub struct Rules {
    /// Failed attempts at a part before the run gives up; at least 1.
    pub attempts: u32,
    /// How long a part should take.
    pub part_time: Duration,
    /// Whether a pair comes out the same wherever it is played, so that hosts can be checked by repeating pairs.
    pub repeatable: bool,
}

/// Where the run stands.
#[derive(Debug, Clone)]
pub struct Situation<'s> {
    /// Time since the beginning.
    pub now: Duration,
    /// Parts that the machines can play at the same time.
    pub slots: usize,
    /// Pairs that are recorded.
    pub recorded: u64,
    /// Pairs that were played and wait for the result of an earlier one before they are recorded.
    pub waiting: u64,
    /// Pairs after the recorded ones that are expected to be needed: those of the whole schedule that are left, or fewer
    /// where a test is expected to end it early.
    pub expected_left: u64,
    /// Pairs that are neither recorded, waiting nor in a part, in their order. May be cut off where there are more than
    /// [`Dispatcher::wanted`] has room for.
    pub free: &'s [u64],
}

/// A new part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPart {
    /// Its number.
    pub part: PartNumber,
    /// Its pairs, in their order.
    pub pairs: Vec<u64>,
    /// How many pairs of other parts it should repeat, to find out whether its host plays as others do.
    pub checks: usize,
}

/// What became of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Arrival {
    /// The first of its part: it counts. Other attempts at the part need not go on.
    Counts {
        /// The other attempts.
        cancel: Vec<AttemptName>,
    },
    /// It does not count: the part is done already or was withdrawn, or its host is excluded.
    Unneeded,
}

/// A part of an earlier process of the run that was in play when that ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RestoredPart {
    /// Its number, its pairs and its checks.
    pub part: NewPart,
    /// Attempts that may still be in play, and their hosts where they are known.
    pub attempts: Vec<(u32, Option<String>)>,
    /// Attempts that failed.
    pub failures: Vec<PartFailure>,
    /// The greatest number of an attempt so far; 0 where there was none.
    pub last_attempt: u32,
}

/// Decides what is cut, submitted, tried again, started twice and checked. See the [module](self).
#[derive(Debug, Clone)]
pub struct Dispatcher {
    rules: Rules,
    pace: Pace,
    hosts: Hosts,
    /// Parts that are neither done, withdrawn nor given up.
    parts: BTreeMap<PartNumber, Part>,
    next_part: PartNumber,
    /// Parts of which no attempt is in play: new ones, and those to be tried again.
    queue: BTreeSet<PartNumber>,
    /// Parts with one attempt in play that has begun, by the time after which it is slow.
    slow_after: BTreeSet<(Duration, PartNumber)>,
    /// Attempts that were submitted and have not ended.
    attempts_in_play: usize,
    /// Pairs of all `parts`.
    pairs_in_parts: u64,
    /// Those of `parts` that repeat pairs of others.
    checks_in_parts: usize,
}

impl Dispatcher {
    /// Nothing is in play yet.
    #[must_use]
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            pace: Pace::default(),
            hosts: Hosts::default(),
            parts: BTreeMap::new(),
            next_part: 0,
            queue: BTreeSet::new(),
            slow_after: BTreeSet::new(),
            attempts_in_play: 0,
            pairs_in_parts: 0,
            checks_in_parts: 0,
        }
    }

    /// Goes on with the parts that an earlier process of the run had in play. `next_part` is the number of the next new one;
    /// none that is as great was ever given.
    pub fn restore(&mut self, parts: Vec<RestoredPart>, next_part: PartNumber) {
        self.next_part = self.next_part.max(next_part);
        for restored in parts {
            let number = restored.part.part;
            self.next_part = self.next_part.max(number + 1);
            for host in restored.attempts.iter().filter_map(|(_, host)| host.as_deref()) {
                self.hosts.meet(host);
            }
            self.insert(number, Part::restored(restored));
        }
    }

    /// How many pairs after the recorded ones should be waiting or in parts now. `free` of the situation is not looked at.
    #[must_use]
    pub fn wanted(&self, situation: &Situation) -> u64 {
        let wave = self.wave(situation);
        wave.ahead() + wave.lengths().sum::<u64>()
    }

    /// Cuts free pairs into parts: as many parts as there are free slots, as long as more pairs should be played ahead. Where
    /// there are very many free slots, only some of them get a part; after a look at the news, ask again.
    pub fn new_parts(&mut self, situation: &Situation) -> Vec<NewPart> {
        let mut free = situation.free;
        let mut parts = Vec::new();
        for length in self.wave(situation).lengths() {
            let length = usize::try_from(length).unwrap_or(usize::MAX).min(free.len());
            if length == 0 {
                break;
            }
            let (pairs, rest) = free.split_at(length);
            free = rest;
            let part = NewPart {
                part: self.next_part,
                pairs: pairs.to_vec(),
                checks: self.checks_of(length as u64),
            };
            self.insert(part.part, Part::new(&part));
            self.next_part += 1;
            parts.push(part);
        }
        parts
    }

    /// What is to be submitted so that `slots` attempts are in play: second attempts at slow parts, then parts that wait, the
    /// earliest first. A slow part holds up the recording of all that come after it, and there are few.
    pub fn to_submit(&mut self, now: Duration, slots: usize) -> Vec<Attempt> {
        let mut attempts = Vec::new();
        while self.attempts_in_play < slots {
            let slow = self.slow_after.first().filter(|(time, _)| *time <= now);
            let slow = slow.map(|&(_, part)| part);
            let Some(number) = slow.or_else(|| self.queue.first().copied()) else {
                break;
            };
            let Some(mut part) = self.remove(number) else { break };
            let avoid = self.hosts.to_avoid(part.hosts());
            attempts.push(Attempt {
                part: number,
                number: part.submit(now),
                avoid,
            });
            self.insert(number, part);
        }
        attempts
    }

    /// An attempt of [`Self::to_submit`] could not be submitted: its part waits again. This is no failure of the part.
    pub fn not_submitted(&mut self, part: PartNumber, number: u32) {
        self.change(part, |part| {
            part.take(number);
        });
    }

    /// An attempt has begun. Returns whether it may go on: it is to be cancelled where it is not known, or no longer, or where its
    /// host is excluded.
    pub fn began(&mut self, part: PartNumber, number: u32, host: Option<&str>, now: Duration) -> bool {
        if let Some(host) = host {
            self.hosts.meet(host);
        }
        let excluded = host.is_some_and(|host| self.hosts.is_excluded(host));
        let patience = self.parts.get(&part).map(|part| self.patience(part));
        let began = self.change(part, |part| {
            if excluded {
                part.take(number);
                None
            } else {
                part.begin(number, host, now, patience.unwrap_or_default())
            }
        });
        let began = began.flatten();
        if let Some(Some(waited)) = began.as_ref() {
            self.pace.waited(*waited);
        }
        began.is_some()
    }

    /// How long an attempt played by its host's own clock; to be told before [`Self::done`]. Otherwise the times of the events
    /// count, which are late by up to the time between two looks.
    pub fn took(&mut self, part: PartNumber, number: u32, time: Duration) {
        self.change(part, |part| part.took(number, time));
    }

    /// An attempt has left a result that is complete and sound.
    pub fn done(&mut self, part: PartNumber, number: u32, host: &str, now: Duration) -> Arrival {
        self.hosts.meet(host);
        if self.hosts.is_excluded(host) {
            self.not_submitted(part, number);
            return Arrival::Unneeded;
        }
        let Some(mut done) = self.remove(part) else {
            return Arrival::Unneeded;
        };
        if let Some(time) = done.take(number).and_then(|attempt| attempt.time(now)) {
            self.pace.measured(done.length(), time);
        }
        Arrival::Counts {
            cancel: done.names(part).collect(),
        }
    }

    /// An attempt has failed: it ended with an error, was killed, or left something that cannot be used. It is tried again,
    /// elsewhere where that is possible.
    ///
    /// # Errors
    /// When so many attempts at the part have failed that the run gives up.
    pub fn failed(&mut self, part: PartNumber, number: u32, host: Option<&str>, why: &str) -> Result<(), GaveUp> {
        if let Some(host) = host {
            self.hosts.meet(host);
        }
        let excluded = host.is_some_and(|host| self.hosts.is_excluded(host));
        let Some(mut failed) = self.remove(part) else {
            return Ok(());
        };
        if let Some(attempt) = failed.take(number)
            && !excluded
        {
            failed.failures.push(PartFailure {
                attempt: number,
                host: host.map(str::to_owned).or(attempt.host),
                why: why.to_owned(),
            });
        }
        if failed.is_hopeless(self.rules.attempts) {
            return Err(failed.give_up(part));
        }
        self.insert(part, failed);
        Ok(())
    }

    /// The pairs of a part are not needed any more. Returns the attempts to cancel.
    pub fn withdraw(&mut self, part: PartNumber) -> Vec<AttemptName> {
        self.remove(part)
            .map_or_else(Vec::new, |withdrawn| withdrawn.names(part).collect())
    }

    /// A host gets nothing any more, and what comes from it does not count. Returns its attempts, which are to be cancelled;
    /// they are tried again elsewhere, and are no failures of their parts.
    pub fn exclude(&mut self, host: &str) -> Vec<AttemptName> {
        self.hosts.exclude(host);
        let here: Vec<AttemptName> = self
            .parts
            .iter()
            .flat_map(|(&number, part)| part.names_on(number, host))
            .collect();
        for &(part, number) in &here {
            self.not_submitted(part, number);
        }
        here
    }

    /// A pair came out on this host as it did on another. To be called for both.
    pub fn checked(&mut self, host: &str) {
        self.hosts.checked(host);
    }

    /// The parts that are neither done, withdrawn nor given up, with their pairs.
    pub fn parts(&self) -> impl Iterator<Item = (PartNumber, &[u64])> {
        self.parts.iter().map(|(&number, part)| (number, part.pairs.as_slice()))
    }

    /// Attempts that were submitted and have not ended.
    #[must_use]
    pub fn attempts_in_play(&self) -> usize {
        self.attempts_in_play
    }

    fn wave(&self, situation: &Situation) -> Wave {
        Wave {
            slots: situation.slots,
            free_slots: situation.slots.saturating_sub(self.attempts_in_play + self.queue.len()),
            recorded: situation.recorded,
            expected_left: situation.expected_left,
            waiting: situation.waiting,
            in_parts: self.pairs_in_parts,
            lengths: self.pace.lengths(self.rules.part_time),
        }
    }

    fn checks_of(&mut self, pairs: u64) -> usize {
        usize::from(self.rules.repeatable && self.hosts.want_check(pairs, self.checks_in_parts))
    }

    /// How long an attempt at the part may take before it is slow.
    fn patience(&self, part: &Part) -> Duration {
        self.pace.patience(part.length()).unwrap_or(2 * self.rules.part_time)
    }

    /// Changes a part, and the sums and lists in which it is counted.
    fn change<R>(&mut self, number: PartNumber, change: impl FnOnce(&mut Part) -> R) -> Option<R> {
        let mut part = self.remove(number)?;
        let result = change(&mut part);
        self.insert(number, part);
        Some(result)
    }

    fn insert(&mut self, number: PartNumber, part: Part) {
        self.pairs_in_parts += part.pairs.len() as u64;
        self.checks_in_parts += usize::from(part.checks > 0);
        self.attempts_in_play += part.attempts().len();
        if part.attempts().is_empty() {
            self.queue.insert(number);
        }
        self.slow_after.extend(part.slow_after().map(|time| (time, number)));
        self.parts.insert(number, part);
    }

    fn remove(&mut self, number: PartNumber) -> Option<Part> {
        let part = self.parts.remove(&number)?;
        self.pairs_in_parts -= part.pairs.len() as u64;
        self.checks_in_parts -= usize::from(part.checks > 0);
        self.attempts_in_play -= part.attempts().len();
        self.queue.remove(&number);
        if let Some(time) = part.slow_after() {
            self.slow_after.remove(&(time, number));
        }
        Some(part)
    }
}

#[cfg(test)]
mod tests;
