//! Handles parts that have ended, with their results or with a reason why there are none.

use super::parts_in_play::{FailedAttempt, PartInPlay};
use super::rounds::Coordinator;
use super::{ATTEMPTS, Notice};
use crate::executor::JobState;
use crate::part::{Completion, PartFolder, Rejected};
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::COMPLETION;
use lmrlab_results::parts::PartEnd;
use lmrlab_runner::record::fault_log::FaultLog;
use lmrlab_runner::record::recorded_pair::RecordedPair;

/// A part that was played to its end: what its program says, and its results.
type PlayedPart = (Completion, Vec<RecordedPair>);

impl Coordinator<'_> {
    /// Asks for the state of all parts, and handles those that have ended.
    pub(super) fn collect(&mut self) -> Result<(), Failure> {
        let numbers: Vec<u64> = self.in_play.keys().copied().collect();
        let jobs: Vec<_> = self.in_play.values().map(|part| part.job.clone()).collect();
        if jobs.is_empty() {
            return Ok(());
        }
        let answer = self.cluster.executor.ask(&jobs);
        let Some(states) = self.answered(answer)? else {
            return Ok(());
        };
        for (number, state) in numbers.into_iter().zip(states) {
            match state {
                JobState::Waiting => {}
                JobState::Running { host } => {
                    if let Some(part) = self.in_play.get_mut(&number) {
                        part.begun = true;
                        part.host = host;
                    }
                }
                JobState::Ended { host } => self.ended(number, host, None)?,
                JobState::Failed { host, why } => self.ended(number, host, Some(why))?,
            }
        }
        Ok(())
    }

    /// A part has ended. `why` is the error that the executor reports. Results in the folder count in spite of it.
    fn ended(&mut self, number: u64, host: Option<String>, why: Option<String>) -> Result<(), Failure> {
        match (self.results(number), why) {
            (Ok(Some((completion, results))), _) => self.arrived(number, host, &completion, results),
            (Err(rejected), _) => self.failed(number, host, rejected.0),
            (Ok(None), Some(why)) => self.failed(number, host, why),
            (Ok(None), None) => match self.in_play.get_mut(&number).is_some_and(PartInPlay::may_arrive) {
                true => Ok(()),
                false => self.failed(number, host, format!("ended without a {}", COMPLETION.name())),
            },
        }
    }

    /// The results in the folder of a part; `None` when the part has not ended. They are rejected when another program
    /// played them, or when the folder is not as the coordinator wrote it.
    fn results(&self, number: u64) -> Result<Option<PlayedPart>, Rejected> {
        let Some(part) = self.in_play.get(&number) else {
            return Ok(None);
        };
        let path = self.folder.part(number);
        let unreadable =
            |failure: Failure| Rejected(format!("left a folder that cannot be read: {}", failure.in_a_line()));
        let folder = PartFolder::open(&path).map_err(unreadable)?;
        let Some(completion) = folder.completion()? else {
            return Ok(None);
        };
        let here = &self.cluster.program;
        if (&completion.lmrlab, completion.bench) != (&here.version, here.bench) {
            return Err(Rejected(format!(
                "was played by lmrlab {} with the bench fingerprint {}, and this is lmrlab {} with {}",
                completion.lmrlab, completion.bench, here.version, here.bench
            )));
        }
        let run = (self.run.folder, self.run.manifest);
        let pairs = &part.work.pairs;
        let written =
            PartFolder::digest_of(&path, run, self.part_of_run(number), self.arena, pairs).map_err(unreadable)?;
        if written != folder.manifest_sha256() {
            return Err(Rejected("left a folder of another part, or of another run".to_owned()));
        }
        let results = folder.results(self.arena, pairs, &completion)?;
        Ok(Some((completion, results)))
    }

    /// A part has failed: its pairs are submitted again, unless they have failed too often.
    fn failed(&mut self, number: u64, host: Option<String>, why: String) -> Result<(), Failure> {
        self.note(number, host.as_deref(), PartEnd::Failed, None, &why)?;
        let Some(part) = self.in_play.remove(&number) else {
            return Ok(());
        };
        self.folder.remove(number);
        let mut work = part.work;
        let failed = FailedAttempt { host, why };
        self.notify(Notice::Warning(format!(
            "part {number} failed (attempt {} at its pairs); {failed}",
            work.failures.len() + 1
        )));
        work.failures.push(failed);
        if work.failures.len() >= ATTEMPTS {
            let failures: Vec<String> = work.failures.iter().map(FailedAttempt::to_string).collect();
            return Err(Failure::run(format!(
                "the pairs of part {number} failed {ATTEMPTS} times: {}",
                failures.join("; ")
            )));
        }
        self.again.push_back(work);
        Ok(())
    }

    /// The results of a part have arrived: they are complete, and belong to its pairs.
    fn arrived(
        &mut self,
        number: u64,
        host: Option<String>,
        completion: &Completion,
        results: Vec<RecordedPair>,
    ) -> Result<(), Failure> {
        for warning in &completion.warnings {
            if self.warned.insert(warning.clone()) {
                self.notify(Notice::Warning(warning.clone()));
            }
        }
        // An earlier coordinator may have taken these results and recorded some of them.
        if !self.rows.has(number) {
            let host = host.as_deref().unwrap_or(&completion.host);
            self.note(number, Some(host), PartEnd::Done, Some(completion.milliseconds), "")?;
            FaultLog::of(self.run.folder).add_part(&self.folder.part(number))?;
        }
        let Some(part) = self.in_play.remove(&number) else {
            return Ok(());
        };
        let pairs = part.work.pairs;
        self.done.extend(pairs.last().map(|last| (number, last.index)));
        let known = self.record.known();
        let recorded = self.record.recorded();
        for (pair, result) in pairs.into_iter().zip(results) {
            if pair.index >= recorded && known.get(pair.index).as_ref() == Some(&pair) {
                self.waiting.insert(pair.index, result);
            }
        }
        Ok(())
    }
}
