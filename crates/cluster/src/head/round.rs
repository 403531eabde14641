//! The rounds of a head: ask, take what has ended, record, cut, submit.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::comparisons::{Compared, Comparison, Comparisons};
use super::in_play::{AttemptInPlay, PartInPlay, PartsFolder};
use super::ledger::{AttemptRow, Fate, Ledger};
use super::numbers::Numbers;
use super::{ATTEMPTS, Cluster, Told};
use crate::dispatch::{Arrival, AttemptName, Dispatcher, NewPart, PartNumber, RestoredPart, Rules, Situation};
use crate::executor::{Job, JobState};
use crate::part::{Completion, PartFolder, Rejected};
use lmrlab_runner::conduct::in_order::{Record, Tasks, Waiting};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::conduct::workforce::RunInPlay;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::fixed::Spaced;
use lmrlab_runner::record::folder::{COMPLETION, EXECUTOR, UNUSED};
use lmrlab_runner::record::journal;
use lmrlab_runner::record::manifest::PartOfRun;
use lmrlab_runner::utc::Utc;

/// How often interrupts are looked at between two rounds.
const BLINK: Duration = Duration::from_millis(50);
/// Clocks that differ by more than this are reported, in seconds.
const CLOCK: i64 = 3_600;

/// A host gets no more parts when so many attempts in a row failed there.
const FAILURES: u32 = 3;

/// What an attempt has left in its folder.
enum Left<R> {
    /// It has not come to its end.
    Nothing,
    /// The results.
    Results(Completion, Vec<R>),
    /// Another program has played it, or has refused to.
    ByAnotherProgram(Completion),
}

/// The head of a run.
pub(super) struct Head<'h, P: Portable, R: Record> {
    cluster: &'h mut Cluster,
    run: RunInPlay<'h>,
    play: &'h P,
    record: &'h mut R,
    interrupt: &'h Interrupt,
    dispatcher: Dispatcher,
    parts: BTreeMap<PartNumber, PartInPlay<P::Task>>,
    folder: PartsFolder,
    ledger: Ledger,
    /// Results that wait for an earlier one.
    waiting: Waiting<P::Task, P::Result>,
    /// Where they come from.
    hosts: BTreeMap<u64, Arc<str>>,
    comparisons: Comparisons<P>,
    /// Parts whose results count, and the last pair of each: their folders go when it is recorded.
    done: Vec<(PartNumber, u64)>,
    begun: Instant,
    /// Whether the executor did not answer the last time.
    silent: bool,
    told: BTreeSet<String>,
    /// Attempts in a row that failed on a host; 0 after one that did not.
    failures: BTreeMap<String, u32>,
}

impl<'h, P, R> Head<'h, P, R>
where
    P: Portable,
    R: Record<Result = P::Result, Remark = P::Remark>,
    R::Tasks: Tasks<Task = P::Task>,
{
    /// Finds what an earlier process left in play.
    pub(super) fn begin(
        cluster: &'h mut Cluster,
        run: RunInPlay<'h>,
        play: &'h P,
        record: &'h mut R,
        waiting: Waiting<P::Task, P::Result>,
        interrupt: &'h Interrupt,
    ) -> Result<Self, Failure> {
        let rules = Rules {
            attempts: ATTEMPTS,
            part_time: cluster.part_time,
            repeatable: play.is_repeatable(),
        };
        let mut head = Self {
            dispatcher: Dispatcher::new(rules),
            parts: BTreeMap::new(),
            folder: PartsFolder::of(run.folder),
            ledger: Ledger::open(run.folder)?,
            waiting,
            hosts: BTreeMap::new(),
            comparisons: Comparisons::new(),
            done: Vec::new(),
            begun: Instant::now(),
            silent: false,
            told: BTreeSet::new(),
            failures: BTreeMap::new(),
            cluster,
            run,
            play,
            record,
            interrupt,
        };
        let settings = head.run.folder.join(EXECUTOR.name());
        std::fs::write(&settings, &head.cluster.settings).map_err(|error| Failure::write(&settings, &error))?;
        head.exclude_again();
        head.restore()?;
        Ok(head)
    }

    /// Hosts that an earlier process excluded stay so.
    fn exclude_again(&mut self) {
        let excluded = self.ledger.rows().iter().filter(|row| row.fate == Fate::Excluded);
        let hosts: BTreeSet<String> = excluded.map(|row| row.host.clone()).collect();
        for host in hosts {
            self.dispatcher.exclude(&host);
            self.cluster.executor.exclude(&host);
        }
    }

    /// Takes the parts that an earlier process had in play.
    fn restore(&mut self) -> Result<(), Failure> {
        let tasks = self.record.tasks();
        let recorded = self.record.recorded();
        let mut restored = Vec::new();
        for found in self.folder.find(self.play) {
            let is_needed = |(number, task): &(u64, P::Task)| {
                *number >= recorded && tasks.get(*number).as_ref() == Some(task) && !self.waiting.contains_key(number)
            };
            let own: Vec<_> = found.part.own.into_iter().filter(|pair| is_needed(pair)).collect();
            if own.is_empty() {
                let jobs: Vec<_> = found
                    .part
                    .attempts
                    .values()
                    .map(|attempt| attempt.job.clone())
                    .collect();
                let _ = self.cluster.executor.cancel(&jobs);
                self.folder.remove(found.number);
                continue;
            }
            restored.push(RestoredPart {
                part: NewPart {
                    part: found.number,
                    pairs: own.iter().map(|(number, _)| *number).collect(),
                    checks: found.part.checks.len(),
                },
                attempts: found.part.attempts.keys().map(|number| (*number, None)).collect(),
                failures: Vec::new(),
                last_attempt: found.last_attempt,
            });
            let part = PartInPlay { own, ..found.part };
            self.parts.insert(found.number, part);
        }
        if !restored.is_empty() {
            let parts = restored.len();
            self.tell(&Told::Found { parts });
        }
        self.dispatcher.restore(restored, self.ledger.last_part());
        Ok(())
    }

    /// Goes on until the run is decided or played, or somebody asks to stop.
    pub(super) fn go_on(mut self) -> Result<(), Failure> {
        let ended = self.rounds();
        if ended.is_err() || self.record.is_decided() || self.interrupt.is_abandoned() {
            let left: Vec<AttemptName> = self.names_in_play();
            self.cancel(&left, Fate::Unneeded, "the run has ended")?;
        }
        ended?;
        self.record.sync()?;
        self.remove_recorded();
        if self.record.is_decided() {
            self.keep_unused()?;
            self.waiting.clear();
        }
        self.record.keep_waiting(&self.waiting)?;
        let is_complete = self.record.tasks().get(self.record.recorded()).is_none();
        if self.record.is_decided() || is_complete {
            self.folder.remove_all();
        }
        self.interrupt.forget_abandoned_games();
        Ok(())
    }

    fn rounds(&mut self) -> Result<(), Failure> {
        self.record_waiting()?;
        loop {
            if self.interrupt.is_abandoned() || self.record.is_decided() {
                return Ok(());
            }
            let asked_to_stop = self.interrupt.is_requested();
            let tasks = self.record.tasks();
            let recorded = self.record.recorded();
            let is_over = tasks.get(recorded).is_none() && !tasks.more_may_come(recorded);
            if is_over || tasks.is_time_up() && self.parts.is_empty() {
                return Ok(());
            }
            if asked_to_stop {
                self.cancel_those_that_wait()?;
                if self.parts.values().all(|part| part.attempts.is_empty()) {
                    return Ok(());
                }
            } else if !tasks.is_time_up() {
                self.dispatch(&tasks)?;
            }
            self.pause();
            self.collect()?;
            self.record_waiting()?;
        }
    }

    /// Waits a little, unless somebody asks to stop.
    fn pause(&self) {
        let end = Instant::now() + self.cluster.executor.pause();
        let asked = self.interrupt.is_requested();
        while Instant::now() < end && !self.interrupt.is_abandoned() && self.interrupt.is_requested() == asked {
            std::thread::sleep(BLINK.min(end.saturating_duration_since(Instant::now())));
        }
    }

    fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    fn tell(&mut self, told: &Told) {
        (self.cluster.tell)(told);
    }

    fn tell_once(&mut self, told: &Told) {
        if self.told.insert(told.to_string()) {
            self.tell(told);
        }
    }

    /// Notes whether the executor answers; nothing when it is to be asked again.
    fn answered<T>(&mut self, answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match answer {
            Ok(answer) => {
                if std::mem::take(&mut self.silent) {
                    self.tell(&Told::Answer);
                }
                Ok(Some(answer))
            }
            // Asking again cannot help.
            Err(failure @ Failure::Input(_)) => Err(failure),
            Err(failure) => {
                if !std::mem::replace(&mut self.silent, true) {
                    self.tell(&Told::NoAnswer(failure.in_a_line()));
                }
                Ok(None)
            }
        }
    }

    fn names_in_play(&self) -> Vec<AttemptName> {
        let parts = self.parts.iter();
        parts
            .flat_map(|(part, in_play)| in_play.attempts.keys().map(|number| (*part, *number)))
            .collect()
    }

    /// Cuts new parts and submits what can be played now.
    fn dispatch(&mut self, tasks: &R::Tasks) -> Result<(), Failure> {
        let slots = self.cluster.executor.slots();
        let mut situation = Situation {
            now: self.now(),
            slots,
            recorded: self.record.recorded(),
            waiting: self.waiting.len() as u64,
            expected_left: self.record.expected_left(),
            free: &[],
        };
        let in_parts: BTreeSet<u64> = self
            .dispatcher
            .parts()
            .flat_map(|(_, pairs)| pairs.iter().copied())
            .collect();
        let room = self
            .dispatcher
            .wanted(&situation)
            .saturating_sub(situation.waiting + in_parts.len() as u64);
        let free: Vec<u64> = (self.record.recorded()..)
            .take_while(|number| tasks.get(*number).is_some())
            .filter(|number| !self.waiting.contains_key(number) && !in_parts.contains(number))
            .take(usize::try_from(room).unwrap_or(usize::MAX))
            .collect();
        situation.free = &free;
        for new in self.dispatcher.new_parts(&situation) {
            let own = new.pairs.iter();
            let own = own.filter_map(|number| Some((*number, tasks.get(*number)?)));
            let checks = self.choose_checks(new.checks);
            let count = checks.len();
            let part = PartInPlay::new(own.chain(checks).collect(), count);
            self.parts.insert(new.part, part);
        }
        self.submit(slots)
    }

    /// Pairs for a part to repeat: those of the latest results, or of parts in play.
    fn choose_checks(&mut self, count: usize) -> Vec<(u64, P::Task)> {
        let mut checks = self.comparisons.choose(count);
        if checks.is_empty() {
            let in_play = self.parts.values().filter_map(|part| part.own.first());
            checks.extend(in_play.take(count).cloned());
        }
        checks
    }

    fn submit(&mut self, slots: usize) -> Result<(), Failure> {
        let now = self.now();
        let attempts = self.dispatcher.to_submit(now, slots);
        if attempts.is_empty() {
            return Ok(());
        }
        let mut jobs = Vec::with_capacity(attempts.len());
        for attempt in &attempts {
            let Some(part) = self.parts.get(&attempt.part) else {
                continue;
            };
            let path = self.folder.attempt(attempt.part, attempt.number);
            let of_run = self.of_run((attempt.part, attempt.number), part);
            let run = (self.run.folder, self.run.manifest);
            PartFolder::create(&path, run, of_run, self.play, &part.all)?;
            jobs.push(Job {
                folder: path,
                avoid: attempt.avoid.clone(),
            });
        }
        let submitted = self.cluster.executor.submit(&jobs);
        match self.answered(submitted)? {
            Some(ids) => {
                for ((attempt, job), id) in attempts.iter().zip(jobs).zip(ids) {
                    self.folder.submitted(&job.folder, &id)?;
                    if let Some(part) = self.parts.get_mut(&attempt.part) {
                        part.attempts.insert(attempt.number, AttemptInPlay::new(id, job.folder));
                    }
                }
            }
            None => {
                for attempt in &attempts {
                    self.dispatcher.not_submitted(attempt.part, attempt.number);
                    self.folder.remove_attempt(attempt.part, attempt.number);
                }
            }
        }
        Ok(())
    }

    /// What the manifest of an attempt says of its part.
    fn of_run(&self, (number, attempt): AttemptName, part: &PartInPlay<P::Task>) -> PartOfRun {
        PartOfRun {
            number: number + 1,
            of: None,
            attempt,
            checks: part.checks.len() as u64,
            bench: self.cluster.program.bench,
            tasks_sha256: String::new(),
        }
    }

    /// Asks how all attempts go, and takes what has ended.
    fn collect(&mut self) -> Result<(), Failure> {
        let names = self.names_in_play();
        let jobs: Vec<_> = names
            .iter()
            .filter_map(|(part, number)| Some(self.parts.get(part)?.attempts.get(number)?.job.clone()))
            .collect();
        if jobs.is_empty() {
            return Ok(());
        }
        let answer = self.cluster.executor.ask(&jobs);
        let Some(states) = self.answered(answer)? else {
            return Ok(());
        };
        for (name, state) in names.into_iter().zip(states) {
            match state {
                JobState::Waiting => {}
                JobState::Running { host } => self.running(name, host.as_deref())?,
                JobState::Ended { host } => self.ended(name, host, None)?,
                JobState::Failed { host, why } => self.ended(name, host, Some(why))?,
            }
        }
        Ok(())
    }

    fn attempt(&mut self, (part, number): AttemptName) -> Option<&mut AttemptInPlay> {
        self.parts.get_mut(&part)?.attempts.get_mut(&number)
    }

    fn running(&mut self, name: AttemptName, host: Option<&str>) -> Result<(), Failure> {
        let now = self.now();
        let Some(attempt) = self.attempt(name) else {
            return Ok(());
        };
        if std::mem::replace(&mut attempt.begun, true) {
            return Ok(());
        }
        attempt.host = host.map(str::to_owned);
        if !self.dispatcher.began(name.0, name.1, host, now) {
            self.cancel(&[name], Fate::Unneeded, "it is not needed")?;
        }
        Ok(())
    }

    /// An attempt has ended. `why` is what the executor says went wrong; what is in the folder counts all the same.
    fn ended(&mut self, name: AttemptName, host: Option<String>, why: Option<String>) -> Result<(), Failure> {
        let Some(attempt) = self.attempt(name) else {
            return Ok(());
        };
        let path = attempt.path.clone();
        let taken = match self.results(name, &path) {
            Err(rejected) => Err(rejected.0),
            Ok(Left::ByAnotherProgram(completion)) => {
                let host = host.unwrap_or_else(|| completion.host.clone());
                // It may have ended before anybody saw it begin.
                self.dispatcher.not_submitted(name.0, name.1);
                self.note(name, Some(&host), Fate::Excluded, None, "played by another program")?;
                self.forget(name);
                return self.exclude(&host, &self.another_program(&completion));
            }
            Ok(Left::Results(completion, results)) => Ok((completion, results)),
            Ok(Left::Nothing) => match why {
                Some(why) => Err(why),
                None if self.attempt(name).is_some_and(AttemptInPlay::may_arrive) => return Ok(()),
                None => Err(format!("ended without a {}", COMPLETION.name())),
            },
        };
        match taken {
            Ok((completion, results)) => {
                let host = host.unwrap_or_else(|| completion.host.clone());
                self.arrived(name, host.into(), &completion, results)
            }
            Err(why) => self.failed(name, host, why),
        }
    }

    /// What an attempt has left, as far as that is what the head wrote.
    fn results(&self, name: AttemptName, path: &Path) -> Result<Left<P::Result>, Rejected> {
        let unreadable =
            |failure: Failure| Rejected(format!("left a folder that cannot be read: {}", failure.in_a_line()));
        let folder = PartFolder::open(path).map_err(unreadable)?;
        let Some(completion) = folder.completion()? else {
            return Ok(Left::Nothing);
        };
        let here = &self.cluster.program;
        if (&completion.lmrlab, completion.bench) != (&here.version, here.bench) {
            return Ok(Left::ByAnotherProgram(completion));
        }
        let Some(part) = self.parts.get(&name.0) else {
            return Ok(Left::Nothing);
        };
        let run = (self.run.folder, self.run.manifest);
        let of_run = self.of_run(name, part);
        let written = PartFolder::digest_of(path, run, of_run, self.play, &part.all).map_err(unreadable)?;
        if written != folder.manifest_sha256() {
            return Err(Rejected("left a folder of another part, or of another run".to_owned()));
        }
        let results = folder.results(self.play, &part.all, &completion)?;
        Ok(Left::Results(completion, results))
    }

    fn another_program(&self, completion: &Completion) -> String {
        let here = &self.cluster.program;
        format!(
            "its lmrlab {} has the bench fingerprint {}, and this lmrlab {} has {}",
            completion.lmrlab, completion.bench, here.version, here.bench
        )
    }

    fn failed(&mut self, name: AttemptName, host: Option<String>, why: String) -> Result<(), Failure> {
        self.note(name, host.as_deref(), Fate::Failed, None, &why)?;
        if let Some(part) = self.parts.get_mut(&name.0) {
            part.attempts.remove(&name.1);
        }
        self.folder.remove_attempt(name.0, name.1);
        let gave_up = self.dispatcher.failed(name.0, name.1, host.as_deref(), &why);
        let failing = host.clone().filter(|host| self.fails_again(host));
        self.tell(&Told::Failed {
            part: name.0 + 1,
            attempt: name.1,
            host,
            why,
        });
        if let Some(host) = failing {
            self.leave_out(&host)?;
        }
        gave_up.map_err(|gave_up| Failure::Run(gave_up.to_string()))
    }

    /// Counts a failure of a host. Returns whether it fails so often, while another does not, that it should get nothing more.
    fn fails_again(&mut self, host: &str) -> bool {
        let failures = self.failures.entry(host.to_owned()).or_default();
        *failures += 1;
        let too_many = *failures == FAILURES;
        too_many
            && self
                .failures
                .iter()
                .any(|(other, failures)| other != host && *failures == 0)
    }

    /// Gives no more parts to a host that fails all the time. What it has played counts.
    fn leave_out(&mut self, host: &str) -> Result<(), Failure> {
        self.cluster.executor.exclude(host);
        let attempts = self.dispatcher.exclude(host);
        self.tell(&Told::Excluded {
            host: host.to_owned(),
            why: format!("{FAILURES} attempts in a row failed there"),
        });
        self.cancel(&attempts, Fate::Unneeded, "too many attempts failed on its host")
    }

    /// The results of an attempt are there, whole, and of its part.
    fn arrived(
        &mut self,
        name: AttemptName,
        host: Arc<str>,
        completion: &Completion,
        results: Vec<P::Result>,
    ) -> Result<(), Failure> {
        self.look_at_clock(&host, completion);
        self.failures.insert(host.to_string(), 0);
        for remark in &completion.remarks {
            self.tell_once(&Told::Remark(remark.clone()));
        }
        let time = Duration::from_millis(completion.milliseconds);
        self.dispatcher.took(name.0, name.1, time);
        let arrival = self.dispatcher.done(name.0, name.1, &host, self.now());
        let Arrival::Counts { cancel } = arrival else {
            self.note(name, Some(&host), Fate::Unneeded, Some(completion), "")?;
            self.forget(name);
            return Ok(());
        };
        if !self.ledger.has(name.0 + 1, name.1) {
            self.note(name, Some(&host), Fate::Done, Some(completion), "")?;
        }
        self.cancel(&cancel, Fate::Unneeded, "another attempt was faster")?;
        let Some(part) = self.parts.remove(&name.0) else {
            return Ok(());
        };
        self.done.extend(part.own.last().map(|(number, _)| (name.0, *number)));
        self.take(&part, results, &host)
    }

    /// Takes the results of a part, and compares those that another host has, too.
    fn take(&mut self, part: &PartInPlay<P::Task>, results: Vec<P::Result>, host: &Arc<str>) -> Result<(), Failure> {
        let tasks = self.record.tasks();
        let mut results = results.into_iter();
        let mut compared = Vec::new();
        // A part that was restored may have more pairs than are needed.
        let all = part
            .own
            .iter()
            .map(|own| (own, false))
            .chain(part.checks.iter().map(|check| (check, true)));
        for ((number, task), is_check) in all {
            let Some(result) = results.by_ref().find(|result| self.play.fits(task, result)) else {
                continue;
            };
            if is_check {
                let may_come = *number >= self.record.recorded();
                compared.extend(self.comparisons.repeated(self.play, *number, (result, host), may_come));
                continue;
            }
            compared.extend(self.comparisons.own(self.play, *number, (task, &result, host)));
            if *number >= self.record.recorded() && tasks.get(*number).as_ref() == Some(task) {
                self.waiting.insert(*number, (task.clone(), result));
                self.hosts.insert(*number, Arc::clone(host));
            }
        }
        for comparison in compared {
            match comparison {
                Comparison::Agree([one, other]) if one != other => {
                    self.dispatcher.checked(&one);
                    self.dispatcher.checked(&other);
                }
                Comparison::Agree(_) => {}
                Comparison::Differ(compared) => self.decide_between(&compared)?,
            }
        }
        Ok(())
    }

    /// Plays a pair here that came out in two ways, and excludes the host that was wrong.
    fn decide_between(&mut self, compared: &Compared<P::Task, P::Result>) -> Result<(), Failure> {
        let mut remarks = Vec::new();
        let played = catch_unwind(AssertUnwindSafe(|| {
            let mut worker = self.play.worker();
            self.play.play(&mut worker, &compared.task, &mut remarks)
        }));
        let described = self.play.describe(&compared.task);
        let here = match played {
            Ok(Some(result)) => result,
            // Somebody has asked to stop.
            Ok(None) => return Ok(()),
            Err(panic) => return Err(Failure::mistake(&described, &*panic)),
        };
        let wrong: BTreeSet<Arc<str>> = (compared.both.iter())
            .filter(|sourced| !self.play.agree(&sourced.result, &here))
            .map(|sourced| Arc::clone(&sourced.host))
            .collect();
        if wrong.len() > 1 {
            let mut hosts = String::new();
            for host in &wrong {
                let _ = write!(hosts, "{}{host}", if hosts.is_empty() { "" } else { " and " });
            }
            return Err(Failure::Run(format!(
                "{described} comes out differently on {hosts}, and here in a third way: this machine, or its build of lmrlab, \
                 is not as they are"
            )));
        }
        for host in wrong {
            let number = compared.number + 1;
            let why = format!("pair {number} came out differently there than on another host and here");
            self.exclude(&host, &why)?;
        }
        Ok(())
    }

    /// Gives no more parts to a host, and takes nothing from it.
    fn exclude(&mut self, host: &str, why: &str) -> Result<(), Failure> {
        self.cluster.executor.exclude(host);
        let attempts = self.dispatcher.exclude(host);
        self.cancel(&attempts, Fate::Excluded, why)?;
        self.comparisons.forget(host);
        let dropped: Vec<u64> = (self.hosts.iter())
            .filter(|(_, from)| &***from == host)
            .map(|(number, _)| *number)
            .collect();
        for number in &dropped {
            self.hosts.remove(number);
            self.waiting.remove(number);
        }
        self.ledger.add(AttemptRow {
            part: 0,
            attempt: 0,
            host: host.to_owned(),
            fate: Fate::Excluded,
            pairs: Spaced(Numbers::ranges(dropped.iter().map(|number| number + 1))),
            checks: 0,
            duration_ms: None,
            why: why.to_owned(),
        })?;
        self.tell(&Told::Excluded {
            host: host.to_owned(),
            why: why.to_owned(),
        });
        let recorded = self.ledger.recorded_of(host, self.record.recorded());
        match recorded {
            None => Ok(()),
            Some(first) => Err(Failure::Run(format!(
                "{host} was excluded ({why}), and pairs that it played are recorded, the first of them is pair {first}; they \
                 are taken back when the run goes on"
            ))),
        }
    }

    /// Cancels attempts, and forgets them.
    fn cancel(&mut self, names: &[AttemptName], fate: Fate, why: &str) -> Result<(), Failure> {
        let mut jobs = Vec::new();
        for &name in names {
            let Some(attempt) = self.attempt(name) else { continue };
            jobs.push(attempt.job.clone());
            let host = attempt.host.clone();
            self.note(name, host.as_deref(), fate, None, why)?;
            self.forget(name);
        }
        if !jobs.is_empty() {
            let cancelled = self.cluster.executor.cancel(&jobs);
            self.answered(cancelled)?;
        }
        Ok(())
    }

    /// Cancels the attempts that have not begun, because somebody asked to stop.
    fn cancel_those_that_wait(&mut self) -> Result<(), Failure> {
        let parts = self.parts.iter();
        let names: Vec<AttemptName> = parts
            .flat_map(|(part, in_play)| {
                let waiting = in_play.attempts.iter().filter(|(_, attempt)| !attempt.begun);
                waiting.map(|(number, _)| (*part, *number))
            })
            .collect();
        for name in &names {
            self.dispatcher.not_submitted(name.0, name.1);
        }
        self.cancel(&names, Fate::Unneeded, "the run was asked to stop")
    }

    fn forget(&mut self, (part, number): AttemptName) {
        if let Some(part) = self.parts.get_mut(&part) {
            part.attempts.remove(&number);
        }
        self.folder.remove_attempt(part, number);
    }

    /// Writes a line of parts.csv.
    fn note(
        &mut self,
        (part, number): AttemptName,
        host: Option<&str>,
        fate: Fate,
        completion: Option<&Completion>,
        why: &str,
    ) -> Result<(), Failure> {
        let in_play = self.parts.get(&part);
        let own = in_play
            .into_iter()
            .flat_map(|part| part.own.iter().map(|(number, _)| number + 1));
        self.ledger.add(AttemptRow {
            part: part + 1,
            attempt: number,
            host: host.unwrap_or_default().to_owned(),
            fate,
            pairs: Spaced(Numbers::ranges(own)),
            checks: in_play.map_or(0, |part| part.checks.len() as u64),
            duration_ms: completion.map(|completion| completion.milliseconds),
            why: why.to_owned(),
        })
    }

    fn look_at_clock(&mut self, host: &str, completion: &Completion) {
        let now = Utc::now();
        let Ok(there) = completion.ended.parse::<Utc>() else {
            return;
        };
        if (now.seconds() - there.seconds()).abs() > CLOCK && self.told.insert(format!("clock of {host}")) {
            self.tell(&Told::Clock {
                host: host.to_owned(),
                there: there.to_string(),
                here: now.to_string(),
            });
        }
    }

    /// Records all results whose turn it is.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        let mut recorded_some = false;
        while !self.record.is_decided()
            && let Some((task, result)) = self.waiting.remove(&self.record.recorded())
        {
            self.hosts.remove(&self.record.recorded());
            let changed = self.record.record(&task, result)?;
            recorded_some = true;
            if changed {
                self.tasks_have_changed()?;
            }
        }
        if recorded_some {
            self.record.sync()?;
            self.remove_recorded();
        }
        Ok(())
    }

    /// Drops results and parts whose pairs are not played any more.
    fn tasks_have_changed(&mut self) -> Result<(), Failure> {
        let tasks = self.record.tasks();
        let is_there = |(number, task): (&u64, &P::Task)| tasks.get(*number).as_ref() == Some(task);
        self.waiting.retain(|number, (task, _)| is_there((number, task)));
        let waiting = &self.waiting;
        self.hosts.retain(|number, _| waiting.contains_key(number));
        let withdrawn: Vec<PartNumber> = (self.parts.iter())
            .filter(|(_, part)| !part.own.iter().all(|(number, task)| is_there((number, task))))
            .map(|(number, _)| *number)
            .collect();
        for part in withdrawn {
            let attempts = self.dispatcher.withdraw(part);
            self.cancel(&attempts, Fate::Unneeded, "its pairs are not played any more")?;
            self.parts.remove(&part);
            self.folder.remove(part);
        }
        Ok(())
    }

    /// Removes the folders of parts whose results are recorded.
    fn remove_recorded(&mut self) {
        let recorded = self.record.recorded();
        let folder = &self.folder;
        self.done.retain(|(part, last)| {
            let waits = *last >= recorded;
            if !waits {
                folder.remove(*part);
            }
            waits
        });
    }

    /// Keeps results that came after the decision, in unused.csv.
    fn keep_unused(&self) -> Result<(), Failure> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let path = self.run.folder.join(UNUSED.name());
        let results: Vec<P::Result> = self.waiting.values().map(|(_, result)| result.clone()).collect();
        let text = journal::text(&self.play.result_format(), &results, &path)?;
        std::fs::write(&path, text).map_err(|error| Failure::write(&path, &error))
    }
}
