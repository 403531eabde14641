//! A head that is made up: it polls its jobs, records pairs in order and asks the real dispatcher, until there is a verdict.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap};
use std::time::Duration;

use lmrlab_stats::{PairOutcome, Pentanomial, Verdict};

use super::games::Games;
use super::machines::{Course, Machines, Worker};
use super::{Outcome, Scenario};
use crate::dispatch::{Arrival, AttemptName, Dispatcher, GaveUp, PartNumber, Situation};

/// An attempt that was submitted.
struct Job {
    worker: Worker,
    submitted: Duration,
    course: Course,
}

impl Job {
    fn begins(&self) -> Duration {
        self.submitted + self.course.delay
    }

    fn ends(&self) -> Duration {
        self.begins() + self.course.length
    }

    /// How long it has played by a time.
    fn played(&self, now: Duration) -> Duration {
        now.min(self.ends()).saturating_sub(self.begins())
    }
}

/// What a part plays.
struct Contents {
    pairs: Vec<u64>,
    /// The pair of another part that it repeats.
    check: Option<u64>,
}

/// The result of a pair, and who played it.
#[derive(Clone, Copy)]
struct Played {
    outcome: PairOutcome,
    wrong: bool,
    worker: Worker,
}

pub(super) struct Head<'s> {
    scenario: &'s Scenario,
    games: Games,
    machines: Machines<'s>,
    dispatcher: Dispatcher,
    now: Duration,
    jobs: HashMap<AttemptName, Job>,
    /// The beginnings (false) and ends (true) of jobs.
    events: BinaryHeap<Reverse<(Duration, AttemptName, bool)>>,
    parts: HashMap<PartNumber, Contents>,
    /// Pairs from this number on were never in a part.
    next_pair: u64,
    /// Earlier ones that are in no part any more.
    freed: BTreeSet<u64>,
    waiting: BTreeMap<u64, Played>,
    counts: Pentanomial,
    /// The verdict of one machine, the pairs that it needs, and their time in mean pairs.
    on_one_machine: (Verdict, u64, f64),
    /// Whether a wrong pair is recorded, so that the verdict may be another.
    spoilt: bool,
    /// Who played each recorded pair.
    recorded: Vec<(Worker, bool)>,
    /// Pairs that were repeated before they were played at all: by whom, and whether they came out wrong.
    repeats: HashMap<u64, Vec<(Worker, bool)>>,
    slots: usize,
    excluded: usize,
    attempts: u64,
    busy: Duration,
    /// Time that workers played, and what became of it, in pairs.
    played: Duration,
    repeated: f64,
    lost: f64,
}

impl<'s> Head<'s> {
    pub(super) fn new(scenario: &'s Scenario) -> Self {
        let machines = Machines::new(scenario);
        let mut games = Games::new(scenario.elo, scenario.seed);
        Self {
            on_one_machine: games.on_one_machine(&scenario.sprt, scenario.pairs),
            spoilt: false,
            games,
            slots: machines.slots(),
            machines,
            dispatcher: Dispatcher::new(scenario.rules.clone()),
            now: Duration::ZERO,
            jobs: HashMap::new(),
            events: BinaryHeap::new(),
            parts: HashMap::new(),
            next_pair: 0,
            freed: BTreeSet::new(),
            waiting: BTreeMap::new(),
            counts: Pentanomial::default(),
            recorded: Vec::new(),
            repeats: HashMap::new(),
            excluded: 0,
            attempts: 0,
            busy: Duration::ZERO,
            played: Duration::ZERO,
            repeated: 0.0,
            lost: 0.0,
            scenario,
        }
    }

    pub(super) fn run(mut self) -> Result<Outcome, GaveUp> {
        loop {
            let polled = self.now;
            let submitted = self.submit();
            let Some(&Reverse((next, ..))) = self.events.peek() else {
                return Ok(self.outcome(Verdict::Continue));
            };
            // Nothing happens in polls without news, unless more is to be submitted.
            let poll = self.scenario.poll_time.as_secs_f64().max(1e-3);
            let quiet = if submitted {
                0.0
            } else {
                next.saturating_sub(polled).as_secs_f64() / poll
            };
            let tick = polled + Duration::from_secs_f64(poll * quiet.ceil().max(1.0));
            self.now = self.now.max(tick);
            let asked = self.now;
            while let Some(&Reverse((time, name, is_end))) = self.events.peek()
                && time <= asked
            {
                self.events.pop();
                if is_end {
                    self.end(name)?;
                } else {
                    self.begin(name);
                }
            }
            let verdict = self.record();
            if verdict != Verdict::Continue || self.recorded.len() as u64 == self.scenario.pairs {
                return Ok(self.outcome(verdict));
            }
        }
    }

    /// The head's processor is busy for a time.
    fn work(&mut self, time: Duration) {
        self.now += time;
        self.busy += time;
    }

    /// Cuts parts and submits attempts. Returns whether there were any.
    fn submit(&mut self) -> bool {
        let recorded = self.recorded.len() as u64;
        let left = self.scenario.pairs - recorded;
        let mut situation = Situation {
            now: self.now,
            slots: self.slots,
            recorded,
            waiting: self.waiting.len() as u64,
            expected_left: self.scenario.sprt.expected_left(&self.counts).min(left),
            free: &[],
        };
        let wanted = self.dispatcher.wanted(&situation);
        let in_parts: u64 = self.dispatcher_pairs();
        let room = wanted.saturating_sub(situation.waiting + in_parts);
        let new = self.next_pair..self.scenario.pairs;
        let room = usize::try_from(room).unwrap_or(usize::MAX);
        let free: Vec<u64> = self.freed.iter().copied().chain(new).take(room).collect();
        situation.free = &free;
        for part in self.dispatcher.new_parts(&situation) {
            for pair in &part.pairs {
                self.freed.remove(pair);
                self.next_pair = self.next_pair.max(pair + 1);
            }
            // The pair before: another host has just got it, or will.
            let before = part.pairs.first().and_then(|first| first.checked_sub(1));
            let check = before.filter(|_| part.checks > 0);
            let pairs = part.pairs;
            self.parts.insert(part.part, Contents { pairs, check });
        }
        let submitted = self.attempts;
        for attempt in self.dispatcher.to_submit(self.now, self.slots) {
            let name = (attempt.part, attempt.number);
            let Some(worker) = self.machines.take(&attempt.avoid) else {
                self.dispatcher.not_submitted(name.0, name.1);
                continue;
            };
            self.work(self.scenario.head_attempt_time);
            self.attempts += 1;
            let part = &self.parts[&name.0];
            let numbers = part.pairs.iter().chain(&part.check);
            let pairs = numbers.map(|&number| self.games.pair(number).time).sum();
            let course = self.machines.course(worker, pairs);
            let job = Job {
                worker,
                submitted: self.now,
                course,
            };
            self.events.push(Reverse((job.begins(), name, false)));
            self.events.push(Reverse((job.ends(), name, true)));
            self.jobs.insert(name, job);
        }
        self.attempts > submitted
    }

    fn dispatcher_pairs(&self) -> u64 {
        let played = self.recorded.len() + self.waiting.len() + self.freed.len();
        self.next_pair - played as u64
    }

    fn begin(&mut self, name: AttemptName) {
        let Some(job) = self.jobs.get(&name) else { return };
        let host = self.machines.host(job.worker);
        if !self.dispatcher.began(name.0, name.1, Some(host), self.now) {
            self.stop(name);
        }
    }

    fn end(&mut self, name: AttemptName) -> Result<(), GaveUp> {
        let Some(job) = self.jobs.get(&name) else {
            return Ok(());
        };
        let (worker, fails, took) = (job.worker, job.course.fails, job.course.length);
        let host = self.machines.host(worker).to_owned();
        if fails {
            self.stop(name);
            return self.dispatcher.failed(name.0, name.1, Some(&host), "was killed");
        }
        self.dispatcher.took(name.0, name.1, took);
        match self.dispatcher.done(name.0, name.1, &host, self.now) {
            Arrival::Unneeded => self.stop(name),
            Arrival::Counts { cancel } => {
                for other in cancel {
                    self.stop(other);
                }
                if let Some(job) = self.jobs.remove(&name) {
                    self.played += job.played(self.now);
                    self.machines.release(worker);
                    self.take_results(name.0, worker);
                }
            }
        }
        Ok(())
    }

    /// An attempt comes to nothing.
    fn stop(&mut self, name: AttemptName) {
        if let Some(job) = self.jobs.remove(&name) {
            let played = job.played(self.now);
            self.played += played;
            self.lost += self.in_pairs(&job, name.0, self.now);
            self.machines.release(job.worker);
        }
    }

    /// What an attempt has played by a time, in pairs.
    fn in_pairs(&self, job: &Job, part: PartNumber, now: Duration) -> f64 {
        // Of an attempt that fails the length is not that of the part: by the time of pairs, then.
        let mean = job.played(now).as_secs_f64() / self.scenario.pair_time.as_secs_f64();
        let contents = &self.parts[&part];
        mean.min((contents.pairs.len() + usize::from(contents.check.is_some())) as f64)
    }

    fn take_results(&mut self, part: PartNumber, worker: Worker) {
        let Some(Contents { pairs, check }) = self.parts.remove(&part) else {
            return;
        };
        let count = pairs.len() + usize::from(check.is_some());
        self.work(self.scenario.head_pair_time * u32::try_from(count).unwrap_or(u32::MAX));
        let mut compared = Vec::new();
        for pair in pairs {
            let wrong = self.machines.is_wrong(worker);
            let outcome = self.games.pair(pair).outcome;
            let played = Played {
                outcome: if wrong { PairOutcome::LossLoss } else { outcome },
                wrong,
                worker,
            };
            self.waiting.insert(pair, played);
            let repeats = self.repeats.remove(&pair).into_iter().flatten();
            compared.extend(repeats.map(|repeat| ((worker, wrong), repeat)));
        }
        if let Some(pair) = check {
            self.repeated += 1.0;
            let wrong = self.machines.is_wrong(worker);
            let index = usize::try_from(pair).unwrap_or(usize::MAX);
            let first = self.waiting.get(&pair).map(|played| (played.worker, played.wrong));
            match first.or_else(|| self.recorded.get(index).copied()) {
                Some(first) => compared.push((first, (worker, wrong))),
                None => self.repeats.entry(pair).or_default().push((worker, wrong)),
            }
        }
        for (first, second) in compared {
            self.compare(first, second);
        }
    }

    /// Two workers have played the same pair. Where the results differ, a third host tells who is wrong.
    fn compare(&mut self, first: (Worker, bool), second: (Worker, bool)) {
        let [one, other] = [first.0, second.0].map(|worker| self.machines.host(worker).to_owned());
        if one == other {
            return;
        }
        if !first.1 && !second.1 {
            self.dispatcher.checked(&one);
            self.dispatcher.checked(&other);
        }
        for (host, wrong) in [(one, first.1), (other, second.1)] {
            if wrong {
                self.exclude(&host);
            }
        }
    }

    /// What a host has played and is not recorded is played again.
    fn exclude(&mut self, host: &str) {
        if !self.machines.exclude(host) {
            return;
        }
        self.excluded += 1;
        self.slots = self.machines.slots();
        for name in self.dispatcher.exclude(host) {
            self.stop(name);
        }
        let waiting = self.waiting.iter();
        let again: Vec<u64> = waiting
            .filter(|(_, played)| self.machines.host(played.worker) == host)
            .map(|(&pair, _)| pair)
            .collect();
        for pair in again {
            self.waiting.remove(&pair);
            self.lost += 1.0;
            self.freed.insert(pair);
        }
    }

    /// Records what comes next, up to a verdict.
    fn record(&mut self) -> Verdict {
        while let Some(played) = self.waiting.remove(&(self.recorded.len() as u64)) {
            self.recorded.push((played.worker, played.wrong));
            self.counts.record(played.outcome);
            self.spoilt |= played.wrong;
            // To ask the test takes most of a simulation's time. The same counts have the same verdict.
            let verdict = match self.on_one_machine {
                _ if self.spoilt => self.scenario.sprt.status(&self.counts),
                (verdict, needed, _) if needed == self.recorded.len() as u64 => verdict,
                _ => Verdict::Continue,
            };
            if verdict != Verdict::Continue {
                return verdict;
            }
        }
        Verdict::Continue
    }

    fn outcome(mut self, verdict: Verdict) -> Outcome {
        let needed = self.recorded.len() as u64;
        let mut beyond = self.waiting.len() as f64;
        for (name, job) in &self.jobs {
            self.played += job.played(self.now);
            beyond += self.in_pairs(job, name.0, self.now);
        }
        let (same, pairs, time) = self.on_one_machine;
        let whole = self.now.as_secs_f64() * self.scenario.workers as f64;
        Outcome {
            verdict,
            as_one_machine: (same, pairs) == (verdict, needed),
            time: self.now,
            one_machine: self.scenario.pair_time.mul_f64(time),
            needed,
            beyond,
            repeated: self.repeated,
            lost: self.lost,
            wrong: self.recorded.iter().filter(|(_, wrong)| *wrong).count() as u64,
            idle: 1.0 - self.played.as_secs_f64() / whole,
            head: self.busy.as_secs_f64() / self.now.as_secs_f64(),
            attempts: self.attempts,
            excluded: self.excluded,
        }
    }
}
