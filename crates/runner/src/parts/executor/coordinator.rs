//! The coordinator of a run. It cuts the run into parts and starts the executor's command for each of them. It records the
//! results in the order of the schedule, so the files are those of a run in one process.
//!
//! ```text
//! pairs -> parts on disk -> command -> results on disk
//!   ^                                      |
//!   +---- Record <- results in order <-----+
//! ```
//!
//! All that the coordinator knows is on disk: the journal of the run has the recorded pairs, and `parts/` those that are
//! given out. So `lmrlab resume` takes over from a coordinator that was killed.

use std::collections::{BTreeSet, VecDeque};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::conduct::in_order::Record;
use crate::conduct::pair_player::Arena;
use crate::conduct::steering::KnownPairs;
use crate::interrupt::Interrupt;
use crate::record::fault_log::EngineLogs;
use crate::record::recorded_pair::Waiting;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::appended::AppendedFile;
use lmrlab_results::csv_file::CsvFile;
use lmrlab_results::fixed::Spaced;
use lmrlab_results::folder::{COMPLETION, EXECUTOR, PARTS, PARTS_FOLDER, ResultsFolder};
use lmrlab_results::manifest::PartOfRun;
use lmrlab_results::number_ranges::Numbers;
use lmrlab_results::replacement::replace;
use lmrlab_results::rows::parts::{PartEnd, PartRow};
use lmrlab_results::text_file;

use super::process::{Process, end_all, ending};
use super::{Executor, RunInPlay};
use crate::parts::{PartFolder, Rejected, Returned};

/// How often the pairs of a part are given out before the run ends.
const ATTEMPTS: usize = 3;
/// Time between two looks at the processes.
const PAUSE: Duration = Duration::from_millis(50);
/// How long to wait for the files of a part that ended: shared folders are slow.
const ARRIVAL: Duration = Duration::from_secs(10);
/// The pairs that may be ahead of the recorded ones, in parts for each slot: one part that is played, and one with
/// results that may wait for an earlier part.
const PARTS_AHEAD: usize = 2;
/// The file in a part's folder with the output of the command.
const OUTPUT: &str = "output.txt";
/// The longest parts.csv that is read, in bytes.
const MAX_ROWS: u64 = 1 << 30;

/// Pairs that are played as a part.
struct Work {
    /// The pairs. Their places in the run are their numbers.
    pairs: Vec<Pair>,
    /// Where earlier attempts failed, and why.
    failures: Vec<String>,
    /// The host of the last one.
    avoid: Option<String>,
    /// The folder, if an earlier coordinator has made it. It may have results.
    folder: Option<PartFolder>,
}

impl Work {
    fn new(pairs: Vec<Pair>, folder: Option<PartFolder>) -> Self {
        Self {
            pairs,
            failures: Vec::new(),
            avoid: None,
            folder,
        }
    }
}

/// A part that is being played.
struct Playing {
    work: Work,
    folder: PartFolder,
    host: Option<String>,
    process: Process,
    /// When it was first seen to have ended without its files.
    ended: Option<Instant>,
}

/// The coordinator of a run.
pub(super) struct Coordinator<'c> {
    executor: &'c mut Executor,
    run: RunInPlay<'c>,
    arena: &'c Arena<'c>,
    record: &'c mut dyn Record,
    interrupt: &'c Interrupt,
    /// The folder with the parts, absolute.
    parts: PathBuf,
    /// The number of the next part.
    next: u64,
    rows: CsvFile,
    /// A slot for each further part that can be played now, with the name of its host.
    free: Vec<Option<String>>,
    playing: Vec<Playing>,
    /// Parts that are given out again.
    again: VecDeque<Work>,
    /// Results that wait for an earlier one.
    waiting: Waiting,
    /// Folders of parts with results that are recorded or wait.
    taken: Vec<PathBuf>,
    warned: BTreeSet<String>,
}

impl<'c> Coordinator<'c> {
    /// Finds the parts that an earlier coordinator has given out.
    pub(super) fn begin(
        executor: &'c mut Executor,
        run: RunInPlay<'c>,
        arena: &'c Arena<'c>,
        record: &'c mut dyn Record,
        waiting: Waiting,
        interrupt: &'c Interrupt,
    ) -> Result<Self, Failure> {
        let folder = ResultsFolder::new_part(run.folder);
        replace(&folder, EXECUTOR, executor.settings.text()?.as_bytes())?;
        let (rows, last) = rows(&folder)?;
        let parts = run.folder.join(PARTS_FOLDER);
        let mut coordinator = Self {
            free: executor.settings.slots(run.threads.count.get()),
            parts: std::path::absolute(&parts).unwrap_or(parts),
            executor,
            run,
            arena,
            record,
            interrupt,
            next: last + 1,
            rows,
            playing: Vec::new(),
            again: VecDeque::new(),
            waiting,
            taken: Vec::new(),
            warned: BTreeSet::new(),
        };
        coordinator.take_over();
        Ok(coordinator)
    }

    /// Takes over the parts that an earlier coordinator has given out: the command resumes them. Other parts are removed.
    fn take_over(&mut self) {
        let known = self.record.known();
        let entries = fs::read_dir(&self.parts).into_iter().flatten().flatten();
        let mut numbers: Vec<u64> = entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        numbers.sort_unstable();
        for number in numbers {
            self.next = self.next.max(number + 1);
            let path = self.parts.join(number.to_string());
            let part = PartFolder::open(&path).and_then(|part| {
                part.check_program(&self.executor.program)?;
                Ok((part.tasks(self.arena.names)?, part))
            });
            let is_wanted = |pairs: &[Pair]| {
                let mut pairs = pairs.iter();
                pairs.any(|pair| self.is_wanted(&known, pair) && !self.waiting.contains_key(&pair.index))
            };
            match part {
                Ok((pairs, part)) if part.part().number == number && is_wanted(&pairs) => {
                    self.again.push_back(Work::new(pairs, Some(part)));
                }
                _ => remove(&path),
            }
        }
    }

    /// Whether a pair is still to be played or recorded.
    fn is_wanted(&self, known: &KnownPairs, pair: &Pair) -> bool {
        pair.index >= self.record.recorded() && known.get(pair.index).as_ref() == Some(pair)
    }

    /// Plays until the run is decided or complete, or the user asks to stop.
    pub(super) fn play(mut self) -> Result<(), Failure> {
        let ended = self.rounds();
        end_all(self.playing.drain(..).map(|part| part.process).collect());
        ended?;
        let is_decided = self.record.is_decided();
        if is_decided {
            self.waiting.clear();
        }
        self.save()?;
        if is_decided || self.record.known().get(self.record.recorded()).is_none() {
            remove(&self.parts);
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
            if is_over || takes_no_more && self.playing.is_empty() {
                return Ok(());
            }
            if !takes_no_more {
                self.give_out(&known)?;
            }
            std::thread::sleep(PAUSE);
            self.collect()?;
            if self.record_waiting()? || !self.taken.is_empty() {
                self.save()?;
            }
        }
    }

    /// Starts parts in the free slots: those that are given out again, then new ones.
    fn give_out(&mut self, known: &KnownPairs) -> Result<(), Failure> {
        for work in std::mem::take(&mut self.again) {
            let hosts = self.free.iter().chain(self.playing.iter().map(|part| &part.host));
            let must_stay = hosts.clone().all(|host| *host == work.avoid);
            let is_good = |host: &Option<String>| host.is_none() || must_stay || *host != work.avoid;
            match self.free.iter().rposition(is_good) {
                Some(slot) => {
                    let host = self.free.remove(slot);
                    self.start(work, host)?;
                }
                None => self.again.push_back(work),
            }
        }
        for pairs in self.cut(known) {
            if let Some(host) = self.free.pop() {
                self.start(Work::new(pairs, None), host)?;
            }
        }
        Ok(())
    }

    /// The pairs of the next new parts, at most one part for each free slot.
    fn cut(&self, known: &KnownPairs) -> Vec<Vec<Pair>> {
        if self.free.is_empty() {
            return Vec::new();
        }
        let given_out = self.playing.iter().map(|part| &part.work).chain(&self.again);
        let given_out: BTreeSet<u64> = given_out.flat_map(|work| &work.pairs).map(|pair| pair.index).collect();
        let length = usize::from(self.executor.settings.pairs.get());
        let ahead = PARTS_AHEAD * length * (self.free.len() + self.playing.len());
        let mut room = ahead.saturating_sub(self.waiting.len() + given_out.len());
        if given_out.is_empty() {
            // If the run had more slots before, more results may wait than `ahead` allows.
            room = room.max(length);
        }
        let new: Vec<Pair> = (self.record.recorded()..)
            .map_while(|number| known.get(number))
            .filter(|pair| !self.waiting.contains_key(&pair.index) && !given_out.contains(&pair.index))
            .take(room)
            .collect();
        // When few pairs remain, each slot gets some of them.
        let are_all = new.len() < room;
        let length = match are_all {
            true => new.len().div_ceil(self.free.len()).clamp(1, length),
            false => length,
        };
        // The numbers of the pairs of a part follow each other.
        let stretches = new.chunk_by(|one, next| one.index + 1 == next.index);
        let parts = stretches.flat_map(|stretch| {
            let is_last = stretch.last() == new.last();
            stretch
                .chunks(length)
                .filter(move |pairs| are_all || !is_last || pairs.len() == length)
        });
        parts.take(self.free.len()).map(<[_]>::to_vec).collect()
    }

    /// Starts the command for a part. The folder of a new part is made first.
    fn start(&mut self, mut work: Work, host: Option<String>) -> Result<(), Failure> {
        let folder = match work.folder.take() {
            Some(folder) => folder,
            None => {
                let part = PartOfRun {
                    number: self.next,
                    of: None,
                    bench: self.executor.program.bench,
                    tasks_sha256: String::new(),
                };
                let folder = ResultsFolder::new_part(&self.parts.join(self.next.to_string()));
                self.next += 1;
                let run = (self.run.folder, self.run.manifest);
                PartFolder::create(folder, run, part, self.arena, work.pairs.iter().cloned())?.0
            }
        };
        let path = folder.path().to_str().ok_or_else(|| {
            let message = format!("`{}` cannot stand in a command", folder.path().display());
            Failure::input(message, "its path is not UTF-8; name another folder")
        })?;
        let words = self.executor.settings.words(host.as_deref(), path);
        match Process::start(&words, &folder.path().join(OUTPUT)) {
            Ok(process) => {
                self.playing.push(Playing {
                    work,
                    folder,
                    host,
                    process,
                    ended: None,
                });
                Ok(())
            }
            Err(error) => Err(Failure::input(
                format!("the executor's command `{}` could not be started: {error}", words[0]),
                "is the program installed, and in the PATH?",
            )),
        }
    }

    /// Handles the parts that have ended.
    fn collect(&mut self) -> Result<(), Failure> {
        for index in (0..self.playing.len()).rev() {
            let part = &mut self.playing[index];
            let why = match part.process.ended() {
                Ok(None) => continue,
                Ok(Some(status)) if status.success() => None,
                Ok(Some(status)) => Some(ending(status, &part.folder.path().join(OUTPUT))),
                Err(error) => Some(format!("is lost: {error}")),
            };
            let result = part.folder.returned(self.arena, &part.work.pairs);
            if matches!(result, Ok(None))
                && why.is_none()
                && part.ended.get_or_insert_with(Instant::now).elapsed() < ARRIVAL
            {
                continue;
            }
            let part = self.playing.remove(index);
            self.free.push(part.host.clone());
            match result {
                // Results count however the command ended: a connection may be lost after the last game.
                Ok(Some(returned)) => self.arrived(part, returned)?,
                Ok(None) => {
                    let why = why.unwrap_or_else(|| format!("ended without a {}", COMPLETION.name()));
                    self.failed(part, why)?;
                }
                Err(Rejected(why)) => self.failed(part, why)?,
            }
        }
        Ok(())
    }

    /// The results of a part have arrived: they are complete, and belong to its pairs.
    fn arrived(&mut self, part: Playing, returned: Returned) -> Result<(), Failure> {
        let Returned { completion, results } = returned;
        for warning in &completion.warnings {
            if self.warned.insert(warning.clone()) {
                (self.executor.warn)(warning);
            }
        }
        let host = part.host.as_ref().unwrap_or(&completion.host);
        self.note(&part, host, PartEnd::Done, Some(completion.milliseconds), "")?;
        EngineLogs::new(self.run.folder, None).add_part(part.folder.path())?;
        self.taken.push(part.folder.path().to_owned());
        let known = self.record.known();
        for (pair, result) in part.work.pairs.into_iter().zip(results) {
            if self.is_wanted(&known, &pair) {
                self.waiting.insert(pair.index, result);
            }
        }
        Ok(())
    }

    /// A part has failed: its pairs are given out again, unless they have failed too often.
    fn failed(&mut self, part: Playing, why: String) -> Result<(), Failure> {
        self.note(
            &part,
            part.host.as_deref().unwrap_or_default(),
            PartEnd::Failed,
            None,
            &why,
        )?;
        remove(part.folder.path());
        let Playing {
            mut work, host, folder, ..
        } = part;
        let number = folder.part().number;
        let why = match &host {
            Some(host) => format!("on {host} it {why}"),
            None => format!("it {why}"),
        };
        let attempt = work.failures.len() + 1;
        (self.executor.warn)(&format!("part {number} failed (attempt {attempt} at its pairs); {why}"));
        work.failures.push(why);
        work.avoid = host;
        if attempt >= ATTEMPTS {
            return Err(Failure::run(format!(
                "the pairs of part {number} failed {ATTEMPTS} times: {}",
                work.failures.join("; ")
            )));
        }
        self.again.push_back(work);
        Ok(())
    }

    /// Writes a line of parts.csv.
    fn note(
        &mut self,
        part: &Playing,
        host: &str,
        outcome: PartEnd,
        duration_ms: Option<u64>,
        why: &str,
    ) -> Result<(), Failure> {
        let pairs = part.work.pairs.iter().map(|pair| pair.index + 1);
        self.rows.append(&[PartRow {
            part: part.folder.part().number,
            attempt: part.work.failures.len() as u64 + 1,
            host: host.to_owned(),
            outcome,
            pairs: Spaced(Numbers::ranges(pairs)),
            duration_ms,
            why: why.to_owned(),
        }])
    }

    /// Records the waiting results that come next. Returns whether there were any.
    fn record_waiting(&mut self) -> Result<bool, Failure> {
        let before = self.record.recorded();
        while !self.record.is_decided()
            && let Some(result) = self.waiting.remove(&self.record.recorded())
        {
            if self.record.record(result)? {
                self.drop_unwanted();
            }
        }
        Ok(self.record.recorded() > before)
    }

    /// Drops the results and parts of pairs that are no longer played.
    fn drop_unwanted(&mut self) {
        let known = self.record.known();
        let recorded = self.record.recorded();
        let stays = |pair: &Pair| pair.index < recorded || known.get(pair.index).as_ref() == Some(pair);
        let all_stay = |work: &Work| work.pairs.iter().all(stays);
        self.waiting.retain(|_, result| stays(result.pair()));
        self.again.retain(all_stay);
        let unwanted: Vec<_> = self.playing.extract_if(.., |part| !all_stay(&part.work)).collect();
        self.free.extend(unwanted.iter().map(|part| part.host.clone()));
        self.taken
            .extend(unwanted.iter().map(|part| part.folder.path().to_owned()));
        end_all(unwanted.into_iter().map(|part| part.process).collect());
    }

    /// Saves what was recorded and what waits. The folders of parts with these results are removed.
    fn save(&mut self) -> Result<(), Failure> {
        self.record.sync()?;
        self.record.keep_waiting(&self.waiting)?;
        self.taken.drain(..).for_each(|folder| remove(&folder));
        Ok(())
    }
}

/// Removes a folder; what cannot be removed stays.
fn remove(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}

/// parts.csv, and the last number of a part in it. A line that a kill has cut short is dropped.
fn rows(folder: &ResultsFolder) -> Result<(CsvFile, u64), Failure> {
    let path = folder.file(PARTS);
    if !path.exists() {
        return Ok((CsvFile::create::<PartRow>(folder, PARTS)?, 0));
    }
    let text = text_file::read_utf8(&path, MAX_ROWS)
        .map_err(|error| Failure::input(format!("cannot read `{}`: {error}", path.display()), ""))?;
    let whole = text.rfind('\n').map_or("", |end| &text[..=end]);
    replace(folder, PARTS, whole.as_bytes())?;
    let numbers = whole.lines().filter_map(|line| line.split(',').next()?.parse().ok());
    Ok((CsvFile(AppendedFile::open(folder, PARTS)?), numbers.max().unwrap_or(0)))
}
