//! The rounds of a head, from what an earlier process left to the last recorded pair.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::comparisons::Comparisons;
use super::in_play::{PartInPlay, PartsFolder};
use super::ledger::{Fate, Ledger};
use super::{ATTEMPTS, Cluster, Told};
use crate::dispatch::{AttemptName, Dispatcher, NewPart, PartNumber, RestoredPart, Rules};
use lmrlab_runner::conduct::in_order::{Record, Tasks, Waiting};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::conduct::workforce::RunInPlay;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::folder::{EXECUTOR, ResultsFolder, UNUSED};
use lmrlab_runner::record::journal;
use lmrlab_runner::record::replacement::replace;

/// How often interrupts are looked at between two rounds.
const BLINK: Duration = Duration::from_millis(50);

/// The head of a run.
pub(super) struct Head<'h, P: Portable, R: Record> {
    pub(super) cluster: &'h mut Cluster,
    pub(super) run: RunInPlay<'h>,
    pub(super) play: &'h P,
    pub(super) record: &'h mut R,
    interrupt: &'h Interrupt,
    pub(super) dispatcher: Dispatcher,
    pub(super) parts: BTreeMap<PartNumber, PartInPlay<P::Task>>,
    pub(super) folder: PartsFolder,
    pub(super) ledger: Ledger,
    /// Results that wait for an earlier one.
    pub(super) waiting: Waiting<P::Task, P::Result>,
    /// Where they come from.
    pub(super) hosts: BTreeMap<u64, Arc<str>>,
    pub(super) comparisons: Comparisons<P>,
    /// Parts whose results count, and the last pair of each: their folders go when it is recorded.
    pub(super) done: Vec<(PartNumber, u64)>,
    pub(super) begun: Instant,
    /// Whether the executor did not answer the last time.
    silent: bool,
    pub(super) told: BTreeSet<String>,
    /// Attempts in a row that failed on a host; 0 after one that did not.
    pub(super) failures: BTreeMap<String, u32>,
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
        let folder = ResultsFolder::new_part(head.run.folder);
        replace(&folder, EXECUTOR, head.cluster.settings.as_bytes())?;
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

    pub(super) fn now(&self) -> Duration {
        self.begun.elapsed()
    }

    pub(super) fn tell(&mut self, told: &Told) {
        (self.cluster.tell)(told);
    }

    pub(super) fn tell_once(&mut self, told: &Told) {
        if self.told.insert(told.to_string()) {
            self.tell(told);
        }
    }

    /// Notes whether the executor answers; nothing when it is to be asked again.
    pub(super) fn answered<T>(&mut self, answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
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
        replace(&ResultsFolder::new_part(self.run.folder), UNUSED, &text)
    }
}
