//! What comes back: attempts that have ended, their results or why there are none.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::Told;
use super::comparisons::Comparison;
use super::in_play::{AttemptInPlay, PartInPlay};
use super::ledger::Fate;
use super::round::Head;
use crate::dispatch::{Arrival, AttemptName};
use crate::executor::JobState;
use crate::part::{Completion, PartFolder, Rejected};
use lmrlab_runner::conduct::in_order::{Record, Tasks};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::failure::Failure;
use lmrlab_runner::record::folder::COMPLETION;
use lmrlab_runner::utc::Utc;

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

impl<P, R> Head<'_, P, R>
where
    P: Portable,
    R: Record<Result = P::Result, Remark = P::Remark>,
    R::Tasks: Tasks<Task = P::Task>,
{
    /// Asks how all attempts go, and takes what has ended.
    pub(super) fn collect(&mut self) -> Result<(), Failure> {
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
        gave_up.map_err(|gave_up| Failure::run(gave_up.to_string()))
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
        let others = self.results_of(&cancel);
        self.cancel(&cancel, Fate::Unneeded, "another attempt was faster")?;
        let Some(part) = self.parts.remove(&name.0) else {
            return Ok(());
        };
        self.done.extend(part.own.last().map(|(number, _)| (name.0, *number)));
        self.take(&part, results, &host)?;
        for (host, results) in others {
            self.compare(&part, results, &host)?;
        }
        Ok(())
    }

    /// What attempts have left that ended at the same time as the one that counts.
    fn results_of(&self, names: &[AttemptName]) -> Vec<(Arc<str>, Vec<P::Result>)> {
        let results = names.iter().filter_map(|&name| {
            let attempt = self.parts.get(&name.0)?.attempts.get(&name.1)?;
            match self.results(name, &attempt.path) {
                Ok(Left::Results(completion, results)) => {
                    let host = attempt.host.clone().unwrap_or(completion.host);
                    Some((host.into(), results))
                }
                _ => None,
            }
        });
        results.collect()
    }

    /// Takes the results of a part, and compares those that another host has, too.
    pub(super) fn take(
        &mut self,
        part: &PartInPlay<P::Task>,
        results: Vec<P::Result>,
        host: &Arc<str>,
    ) -> Result<(), Failure> {
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
        self.judge(compared)
    }

    /// Compares the results of a second attempt at a part with those that count.
    fn compare(&mut self, part: &PartInPlay<P::Task>, results: Vec<P::Result>, host: &Arc<str>) -> Result<(), Failure> {
        let mut compared = Vec::new();
        for ((number, _), result) in part.all.iter().zip(results) {
            compared.extend(self.comparisons.repeated(self.play, *number, (result, host), false));
        }
        self.judge(compared)
    }

    fn judge(&mut self, compared: Vec<Comparison<P::Task, P::Result>>) -> Result<(), Failure> {
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
}
