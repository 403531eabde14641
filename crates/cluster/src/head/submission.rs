//! What goes out: parts are cut, written and submitted, and attempts are cancelled.

use std::collections::BTreeSet;

use super::in_play::{AttemptInPlay, PartInPlay};
use super::ledger::{AttemptRow, Fate};
use super::numbers::Numbers;
use super::round::Head;
use crate::dispatch::{AttemptName, Situation};
use crate::executor::Job;
use crate::part::{Completion, PartFolder};
use lmrlab_runner::conduct::in_order::{Record, Tasks};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::fixed::Spaced;
use lmrlab_runner::record::folder::PARTS;
use lmrlab_runner::record::manifest::PartOfRun;

impl<P, R> Head<'_, P, R>
where
    P: Portable,
    R: Record<Result = P::Result, Remark = P::Remark>,
    R::Tasks: Tasks<Task = P::Task>,
{
    /// Cuts new parts and submits what can be played now.
    pub(super) fn dispatch(&mut self, tasks: &R::Tasks) -> Result<(), Failure> {
        let slots = self.cluster.executor.slots();
        if slots == 0 && self.names_in_play().is_empty() {
            return Err(self.no_host_is_left());
        }
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

    fn no_host_is_left(&self) -> Failure {
        let rows = self.ledger.rows().iter().filter(|row| row.fate == Fate::Excluded);
        let hosts: BTreeSet<&str> = rows.map(|row| &*row.host).collect();
        let hosts: Vec<&str> = hosts.into_iter().collect();
        Failure::run(format!(
            "no host is left, excluded are: {} ({}); `--executor` names other hosts, and `--executor here` plays on this \
             machine",
            hosts.join(", "),
            PARTS.name()
        ))
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
    pub(super) fn of_run(&self, (number, attempt): AttemptName, part: &PartInPlay<P::Task>) -> PartOfRun {
        PartOfRun {
            number: number + 1,
            of: None,
            attempt,
            checks: part.checks.len() as u64,
            bench: self.cluster.program.bench,
            tasks_sha256: String::new(),
        }
    }

    pub(super) fn names_in_play(&self) -> Vec<AttemptName> {
        let parts = self.parts.iter();
        parts
            .flat_map(|(part, in_play)| in_play.attempts.keys().map(|number| (*part, *number)))
            .collect()
    }

    pub(super) fn attempt(&mut self, (part, number): AttemptName) -> Option<&mut AttemptInPlay> {
        self.parts.get_mut(&part)?.attempts.get_mut(&number)
    }

    /// Cancels attempts, and forgets them.
    pub(super) fn cancel(&mut self, names: &[AttemptName], fate: Fate, why: &str) -> Result<(), Failure> {
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
    pub(super) fn cancel_those_that_wait(&mut self) -> Result<(), Failure> {
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

    pub(super) fn forget(&mut self, (part, number): AttemptName) {
        if let Some(part) = self.parts.get_mut(&part) {
            part.attempts.remove(&number);
        }
        self.folder.remove_attempt(part, number);
    }

    /// Writes a line of parts.csv.
    pub(super) fn note(
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
}
