//! The rounds of a coordinator: submit parts, wait, handle those that have ended, record their results, and decide
//! whether to continue.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::{Duration, Instant};

use super::parts_csv::PartsCsv;
use super::parts_in_play::{PairsToPlay, PartInPlay, PartsFolder};
use super::{Cluster, Notice};
use crate::executor::Job;
use crate::part::PartFolder;
use lmrlab_results::failure::Failure;
use lmrlab_results::fixed::Spaced;
use lmrlab_results::folder::{EXECUTOR, ResultsFolder, UNUSED};
use lmrlab_results::journal;
use lmrlab_results::manifest::PartOfRun;
use lmrlab_results::number_ranges::Numbers;
use lmrlab_results::parts::{PartEnd, PartRow};
use lmrlab_results::replacement::replace;
use lmrlab_runner::conduct::in_order::Record;
use lmrlab_runner::conduct::pair_player::Arena;
use lmrlab_runner::conduct::steering::KnownPairs;
use lmrlab_runner::conduct::worker_pool::RunInPlay;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::record::recorded_pair::{RecordedPair, Waiting};
use lmrlab_runner::tournament::schedule::Pair;

/// Time between two checks for an interrupt while the coordinator waits.
const BLINK: Duration = Duration::from_millis(50);
/// The pairs that may be ahead of the recorded ones, in parts for each slot: one part that is played, and one with
/// results that may wait for an earlier part.
const PARTS_AHEAD: u64 = 2;

/// The coordinator of a run.
pub(super) struct Coordinator<'c> {
    pub(super) cluster: &'c mut Cluster,
    pub(super) run: RunInPlay<'c>,
    pub(super) arena: &'c Arena<'c>,
    pub(super) record: &'c mut dyn Record,
    interrupt: &'c Interrupt,
    /// By their numbers, from 1. Each submission has a new number.
    pub(super) in_play: BTreeMap<u64, PartInPlay>,
    /// Pairs that are submitted again because their part failed.
    pub(super) again: VecDeque<PairsToPlay>,
    next_number: u64,
    pub(super) folder: PartsFolder,
    pub(super) rows: PartsCsv,
    /// Results that wait for an earlier one.
    pub(super) waiting: Waiting,
    /// Parts with results that count, and the last pair of each part. The folder of a part is removed when its last
    /// pair is recorded.
    pub(super) done: Vec<(u64, u64)>,
    /// Whether the executor did not answer the last call.
    silent: bool,
    pub(super) warned: BTreeSet<String>,
}

impl<'c> Coordinator<'c> {
    /// Finds the parts that an earlier coordinator has submitted.
    pub(super) fn begin(
        cluster: &'c mut Cluster,
        run: RunInPlay<'c>,
        arena: &'c Arena<'c>,
        record: &'c mut dyn Record,
        waiting: Waiting,
        interrupt: &'c Interrupt,
    ) -> Result<Self, Failure> {
        let rows = PartsCsv::open(run.folder)?;
        replace(
            &ResultsFolder::new_part(run.folder),
            EXECUTOR,
            cluster.settings.text().as_bytes(),
        )?;
        let mut coordinator = Self {
            in_play: BTreeMap::new(),
            again: VecDeque::new(),
            next_number: rows.last_part() + 1,
            folder: PartsFolder::of(run.folder),
            rows,
            waiting,
            done: Vec::new(),
            silent: false,
            warned: BTreeSet::new(),
            cluster,
            run,
            arena,
            record,
            interrupt,
        };
        coordinator.take_over();
        Ok(coordinator)
    }

    /// Takes over the parts that an earlier coordinator has submitted. A part without a note of its submission is removed,
    /// and its pairs are submitted again.
    fn take_over(&mut self) {
        let known = self.record.known();
        let recorded = self.record.recorded();
        let mut unneeded = Vec::new();
        for number in self.folder.numbers() {
            self.next_number = self.next_number.max(number + 1);
            let pairs = PartFolder::open(&self.folder.part(number)).and_then(|part| part.tasks(self.arena));
            let (Ok(pairs), Some(job)) = (pairs, self.folder.job(number)) else {
                self.folder.remove(number);
                continue;
            };
            let is_needed = |pair: &Pair| {
                let index = pair.index;
                index >= recorded && known.get(index).as_ref() == Some(pair) && !self.waiting.contains_key(&index)
            };
            if !pairs.iter().any(is_needed) {
                unneeded.push(job);
                self.folder.remove(number);
                continue;
            }
            let failures = Vec::new();
            let part = PartInPlay::new(PairsToPlay { pairs, failures }, job);
            self.in_play.insert(number, part);
        }
        if !unneeded.is_empty() {
            // They also end by themselves.
            let _ = self.cluster.executor.cancel(&unneeded);
        }
        if !self.in_play.is_empty() {
            let parts = self.in_play.len();
            self.notify(Notice::News(format!(
                "resuming with {parts} parts that were submitted before"
            )));
        }
    }

    /// Plays until the run is decided or complete, or the user asks to stop.
    pub(super) fn play(mut self) -> Result<(), Failure> {
        let ended = self.rounds();
        if ended.is_err() || self.record.is_decided() || self.interrupt.is_abandoned() {
            self.cancel("the run has ended", |_| true)?;
        }
        ended?;
        self.record.sync()?;
        self.remove_recorded();
        if self.record.is_decided() {
            self.save_unused()?;
            self.waiting.clear();
        }
        self.record.keep_waiting(&self.waiting)?;
        let is_complete = self.record.known().get(self.record.recorded()).is_none();
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
            let known = self.record.known();
            let recorded = self.record.recorded();
            let is_over = known.get(recorded).is_none() && !known.more_may_come(recorded);
            let takes_no_more = known.is_time_up() || self.interrupt.is_requested();
            if self.interrupt.is_requested() {
                self.cancel("the run was asked to stop", |part| !part.begun)?;
            }
            if is_over || takes_no_more && self.in_play.is_empty() {
                return Ok(());
            }
            if !takes_no_more {
                let parts = self.cut(&known);
                self.submit(parts)?;
            }
            self.pause();
            self.collect()?;
            self.record_waiting()?;
        }
    }

    /// The next parts: pairs that failed before, then new ones. See docs/many-machines.md for the rule.
    fn cut(&mut self, known: &KnownPairs) -> Vec<PairsToPlay> {
        let slots = self.cluster.executor.slots();
        let free_slots = slots.saturating_sub(self.in_play.len());
        let mut parts: Vec<_> = self.again.drain(..free_slots.min(self.again.len())).collect();
        let free_slots = free_slots - parts.len();
        if free_slots == 0 {
            return parts;
        }
        let submitted = self.in_play.values().map(|part| &part.work);
        let submitted = submitted.chain(&parts).chain(&self.again);
        let submitted: BTreeSet<u64> = submitted
            .flat_map(|work| work.pairs.iter().map(|pair| pair.index))
            .collect();
        let length = self.cluster.settings.pairs;
        let ahead = PARTS_AHEAD * length as u64 * slots as u64;
        let mut room = usize::try_from(ahead).unwrap_or(usize::MAX);
        room = room.saturating_sub(self.waiting.len() + submitted.len());
        if submitted.is_empty() {
            // If the run had more slots before, more results may wait than `ahead` allows.
            room = room.max(length);
        }
        let free: Vec<Pair> = (self.record.recorded()..)
            .map_while(|number| known.get(number))
            .filter(|pair| !self.waiting.contains_key(&pair.index) && !submitted.contains(&pair.index))
            .take(room)
            .collect();
        // When few pairs remain, each slot gets some of them.
        let is_all = free.len() < room;
        let length = match is_all {
            true => free.len().div_ceil(free_slots).clamp(1, length),
            false => length,
        };
        let cut = free.chunks(length).filter(|pairs| is_all || pairs.len() == length);
        parts.extend(cut.take(free_slots).map(|pairs| PairsToPlay {
            pairs: pairs.to_vec(),
            failures: Vec::new(),
        }));
        parts
    }

    fn submit(&mut self, parts: Vec<PairsToPlay>) -> Result<(), Failure> {
        if parts.is_empty() {
            return Ok(());
        }
        let first = self.next_number;
        let mut jobs = Vec::with_capacity(parts.len());
        for work in &parts {
            let number = self.next_number;
            self.next_number += 1;
            let folder = self.folder.part(number);
            let run = (self.run.folder, self.run.manifest);
            let part = ResultsFolder::new_part(&folder);
            PartFolder::create(part, run, self.part_of_run(number), self.arena, &work.pairs)?;
            let avoid = work.failures.last().and_then(|failed| failed.host.clone());
            jobs.push(Job { folder, avoid });
        }
        let submitted = self.cluster.executor.submit(&jobs);
        match self.answered(submitted)? {
            Some(ids) => {
                for ((number, work), id) in (first..).zip(parts).zip(ids) {
                    self.folder.note_job(number, &id)?;
                    self.in_play.insert(number, PartInPlay::new(work, id));
                }
            }
            None => {
                for (number, work) in (first..).zip(parts) {
                    self.folder.remove(number);
                    self.again.push_back(work);
                }
            }
        }
        Ok(())
    }

    /// The table of a part in its manifest.
    pub(super) fn part_of_run(&self, number: u64) -> PartOfRun {
        PartOfRun {
            number,
            of: None,
            bench: self.cluster.program.bench,
            tasks_sha256: String::new(),
        }
    }

    /// Cancels and forgets the parts that `choose` selects.
    fn cancel(&mut self, why: &str, choose: impl Fn(&PartInPlay) -> bool) -> Result<(), Failure> {
        let chosen = self.in_play.iter().filter(|(_, part)| choose(part));
        let numbers: Vec<u64> = chosen.map(|(number, _)| *number).collect();
        let mut jobs = Vec::new();
        for number in numbers {
            let host = self.in_play.get(&number).and_then(|part| part.host.clone());
            self.note(number, host.as_deref(), PartEnd::Unneeded, None, why)?;
            jobs.extend(self.in_play.remove(&number).map(|part| part.job));
            self.folder.remove(number);
        }
        if !jobs.is_empty() {
            let cancelled = self.cluster.executor.cancel(&jobs);
            self.answered(cancelled)?;
        }
        Ok(())
    }

    /// Waits a little; ends the wait when the user asks to stop.
    fn pause(&self) {
        let end = Instant::now() + self.cluster.executor.pause();
        let asked = self.interrupt.is_requested();
        while Instant::now() < end && !self.interrupt.is_abandoned() && self.interrupt.is_requested() == asked {
            std::thread::sleep(BLINK.min(end.saturating_duration_since(Instant::now())));
        }
    }

    pub(super) fn notify(&mut self, notice: Notice) {
        (self.cluster.notify)(&notice);
    }

    /// Remembers whether the executor answers; `None` when it has to be asked again.
    pub(super) fn answered<T>(&mut self, answer: Result<T, Failure>) -> Result<Option<T>, Failure> {
        match answer {
            Ok(answer) => {
                if std::mem::take(&mut self.silent) {
                    self.notify(Notice::News("the executor answers again".to_owned()));
                }
                Ok(Some(answer))
            }
            // Asking again cannot help.
            Err(failure @ Failure::Input(_)) => Err(failure),
            Err(failure) => {
                if !std::mem::replace(&mut self.silent, true) {
                    let why = failure.in_a_line();
                    let notice = format!("the executor does not answer; asking again: {why}");
                    self.notify(Notice::Warning(notice));
                }
                Ok(None)
            }
        }
    }

    /// Writes a line of parts.csv for a submitted part.
    pub(super) fn note(
        &mut self,
        number: u64,
        host: Option<&str>,
        outcome: PartEnd,
        duration_ms: Option<u64>,
        why: &str,
    ) -> Result<(), Failure> {
        let Some(part) = self.in_play.get(&number) else {
            return Ok(());
        };
        let pairs = part.work.pairs.iter().map(|pair| pair.index + 1);
        self.rows.add(PartRow {
            part: number,
            attempt: part.work.failures.len() as u64 + 1,
            host: host.unwrap_or_default().to_owned(),
            outcome,
            pairs: Spaced(Numbers::ranges(pairs)),
            duration_ms,
            why: why.to_owned(),
        })
    }

    /// Records the waiting results that come next.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        let mut recorded_some = false;
        while !self.record.is_decided()
            && let Some(result) = self.waiting.remove(&self.record.recorded())
        {
            let changed = self.record.record(result)?;
            recorded_some = true;
            if changed {
                self.pairs_have_changed()?;
            }
        }
        if recorded_some {
            self.record.sync()?;
            self.remove_recorded();
        }
        Ok(())
    }

    /// Drops the results and parts of pairs that are no longer played.
    fn pairs_have_changed(&mut self) -> Result<(), Failure> {
        let known = self.record.known();
        let recorded = self.record.recorded();
        let is_there = |pair: &Pair| pair.index < recorded || known.get(pair.index).as_ref() == Some(pair);
        let stays = |work: &PairsToPlay| work.pairs.iter().all(is_there);
        self.waiting.retain(|_, result| is_there(result.pair()));
        self.again.retain(stays);
        self.cancel("its pairs are no longer needed", |part| !stays(&part.work))
    }

    /// Removes the folders of parts after their results are recorded.
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

    /// Saves results that came after the decision, in unused.csv.
    fn save_unused(&self) -> Result<(), Failure> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let path = self.run.folder.join(UNUSED.name());
        let results: Vec<RecordedPair> = self.waiting.values().cloned().collect();
        let text = journal::text(&self.arena.played_lines(), &results, &path)?;
        replace(&ResultsFolder::new_part(self.run.folder), UNUSED, &text)
    }
}
