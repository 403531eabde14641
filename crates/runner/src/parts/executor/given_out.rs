//! The parts of a run that are given out: the executor's command is started for each of them.
//!
//! A thread of [`play_in_order`](crate::conduct::pool::play_in_order) waits for each command. Its results are recorded in
//! the order of the schedule, so the files are those of a run in one process. All that is known of the parts is on disk: the
//! journal of the run has the recorded pairs, and `parts/` those that are given out. So `lmrlab resume` takes over from a
//! process that was killed.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::conduct::pair_player::Arena;
use crate::conduct::pool::Pool;
use crate::conduct::queue::Work;
use crate::conduct::steering::Steering;
use crate::conduct::worker::{Assignment, Played};
use crate::interrupt::Interrupt;
use crate::parts::{Completion, PartFolder, Rejected};
use crate::record::fault_log::add_faults;
use crate::record::recorder::Recorder;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::appended::AppendedFile;
use lmrlab_results::csv_file::{csv_lines, csv_text, rows};
use lmrlab_results::folder::{COMPLETION, EXECUTOR, PARTS, PARTS_FOLDER, ResultsFolder, replace};
use lmrlab_results::manifest::{Manifest, PartOfRun};
use lmrlab_results::part_of_run::in_ranges;
use lmrlab_results::rows::parts::{PartEnd, PartRow};

use super::Executor;
use super::process::{Process, ending};

/// How often the pairs of a part are given out before the run ends.
const ATTEMPTS: usize = 3;
/// Time between two looks at a process.
const PAUSE: Duration = Duration::from_millis(50);
/// How long to wait for the files of a part that ended: shared folders are slow.
const ARRIVAL: Duration = Duration::from_secs(10);
/// The file in a part's folder with the output of the command.
const OUTPUT: &str = "output.txt";
/// The parts of a run.
pub(crate) struct Parts<'p> {
    executor: &'p Executor,
    /// The folder of the run, and its manifest.
    run: (&'p Path, &'p Manifest),
    arena: Arena<'p>,
    interrupt: &'p Interrupt,
    /// The folder with the parts, absolute.
    folder: PathBuf,
    /// The host of each thread, if hosts are listed.
    hosts: Vec<Option<String>>,
    books: Mutex<Books>,
}

/// What is written down of all parts.
struct Books {
    /// The number of the next part.
    next: u64,
    rows: AppendedFile,
    /// The parts with results in parts.csv. Their folders may still be there: an earlier process was killed before it saved
    /// the results.
    done: BTreeSet<u64>,
    warned: BTreeSet<String>,
}

impl Books {
    /// Adds the line of a part to parts.csv.
    fn write(
        &mut self,
        (part, work): (&PartFolder, &Work),
        host: &str,
        outcome: PartEnd,
        duration_ms: Option<u64>,
        why: &str,
    ) -> Result<(), Failure> {
        self.rows.append(&csv_lines(&[PartRow {
            part: part.part.number,
            attempt: work.failures.len() as u64 + 1,
            host: host.to_owned(),
            outcome,
            pairs: in_ranges(work.pairs.iter().map(|pair| pair.index + 1)),
            duration_ms,
            why: why.to_owned(),
        }])?)
    }
}

impl<'p> Parts<'p> {
    pub(crate) fn of(
        executor: &'p Executor,
        run: (&'p Path, &'p Manifest),
        arena: Arena<'p>,
        interrupt: &'p Interrupt,
    ) -> Result<Self, Failure> {
        let folder = ResultsFolder::unchecked(run.0);
        replace(&folder, EXECUTOR, executor.command.text()?.as_bytes())?;
        let written: Vec<PartRow> = rows(&folder.file(PARTS)).collect();
        let last = written.iter().map(|row| row.part).max().unwrap_or(0);
        let done = written.iter().filter(|row| row.outcome == PartEnd::Done);
        let parts = run.0.join(PARTS_FOLDER);
        Ok(Self {
            hosts: executor.command.slots(arena.threads.count.get()),
            folder: std::path::absolute(&parts).unwrap_or(parts),
            executor,
            run,
            arena,
            interrupt,
            books: Mutex::new(Books {
                next: last + 1,
                done: done.map(|row| row.part).collect(),
                rows: AppendedFile::replace(&folder, PARTS, &csv_text(&written)?)?,
                warned: BTreeSet::new(),
            }),
        })
    }

    /// A thread for each part that is played at the same time.
    pub(crate) fn pool<S: Steering>(&self, recorder: &Recorder<S>) -> Pool {
        Pool {
            hosts: self.hosts.clone(),
            playing: self.hosts.len(),
            pinned: false,
            pairs: self.executor.command.pairs.get().into(),
            begun: self.begun(recorder),
            file: None,
        }
    }

    /// The parts that an earlier process has given out: the command resumes them. Others are removed.
    fn begun<S: Steering>(&self, recorder: &Recorder<S>) -> Vec<Work> {
        let (known, recorded) = (recorder.steering.known(), recorder.steering.recorded());
        let is_known = |pair: &Pair| pair.index < recorded || known.get(pair.index).as_ref() == Some(pair);
        let is_missing = |pair: &Pair| pair.index >= recorded && !recorder.waiting.contains_key(&pair.index);
        let are_wanted = |pairs: &[Pair]| pairs.iter().all(is_known) && pairs.iter().any(is_missing);
        let pairs_of = |number: u64, folder: &Path| -> Option<Vec<Pair>> {
            let part = PartFolder::open(folder)
                .ok()
                .filter(|part| part.part.number == number)?;
            part.check_program(&self.executor.program).ok()?;
            let tasks = part.tasks(self.arena.names).ok()?;
            Some(tasks.into_iter().map(|(pair, _)| pair).collect())
        };
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let mut numbers: Vec<u64> = entries
            .filter_map(|entry| entry.file_name().to_str()?.parse().ok())
            .collect();
        numbers.sort_unstable();
        let mut begun = Vec::new();
        for number in numbers {
            self.with_books(|books| books.next = books.next.max(number + 1));
            let folder = self.folder.join(number.to_string());
            match pairs_of(number, &folder).filter(|pairs| are_wanted(pairs)) {
                Some(pairs) => begun.push(Work {
                    pairs,
                    folder: Some(folder),
                    ..Work::default()
                }),
                None => remove(&folder),
            }
        }
        begun
    }

    /// Removes the folder of all parts, when no pair is left to be played.
    pub(crate) fn end(&self, steering: &impl Steering) {
        if steering.is_decided() || steering.known().get(steering.recorded()).is_none() {
            remove(&self.folder);
        }
    }

    /// Starts the command for a part, and waits for the results.
    pub(crate) fn play(&self, assignment: Assignment<'_>) -> Result<Played, Failure> {
        let Assignment {
            thread,
            mut work,
            is_wanted,
            ..
        } = assignment;
        let host = self.hosts[thread].as_deref();
        let part = match work.folder.take() {
            Some(folder) => PartFolder::open(&folder)?,
            None => self.make(&work.pairs)?,
        };
        let path = part.path().to_str().ok_or_else(|| {
            let message = format!("`{}` cannot stand in a command", part.path().display());
            Failure::input(message, "its path is not UTF-8; name another folder")
        })?;
        let words = self.executor.command.words(host, path);
        let output = part.path().join(OUTPUT);
        let mut process = Process::start(&words, &output).map_err(|error| {
            Failure::input(
                format!("the executor's command `{}` could not be started: {error}", words[0]),
                "is the program installed, and in the PATH?",
            )
        })?;
        let mut ended = None;
        let (why, result) = loop {
            std::thread::sleep(PAUSE);
            let is_abandoned = self.interrupt.is_abandoned();
            if is_abandoned || !is_wanted() {
                process.end();
                if !is_abandoned {
                    remove(part.path());
                }
                return Ok(Played::Nothing(work.pairs));
            }
            let why = match process.ended() {
                Ok(None) => continue,
                Ok(Some(status)) if status.success() => None,
                Ok(Some(status)) => Some(ending(status, &output)),
                Err(error) => Some(format!("is lost: {error}")),
            };
            let result = part.returned(self.arena.names);
            let waits = why.is_none() && matches!(result, Ok(None));
            if !waits || ended.get_or_insert_with(Instant::now).elapsed() >= ARRIVAL {
                break (why, result);
            }
        };
        match result {
            // Results count however the command ended: a connection may be lost after the last game.
            Ok(Some((completion, results))) => {
                self.arrived((&part, &work), host, &completion)?;
                Ok(Played::Results(results, Some(part.path().to_owned())))
            }
            Ok(None) => {
                let why = why.unwrap_or_else(|| format!("ended without a {}", COMPLETION.name()));
                self.failed(&part, work, host, &why)
            }
            Err(Rejected(why)) => self.failed(&part, work, host, &why),
        }
    }

    /// Makes the folder of a new part.
    fn make(&self, pairs: &[Pair]) -> Result<PartFolder, Failure> {
        let number = self.with_books(|books| {
            books.next += 1;
            books.next - 1
        });
        let part = PartOfRun {
            number,
            of: None,
            bench: self.executor.program.bench,
            tasks_sha256: String::new(),
        };
        let folder = ResultsFolder::unchecked(&self.folder.join(number.to_string()));
        let part = PartFolder::create(folder, self.run, part, &self.arena, pairs.iter().cloned())?;
        Ok(part.unlocked())
    }

    /// The results of a part have arrived: they are complete, and belong to its pairs.
    fn arrived(&self, part: (&PartFolder, &Work), host: Option<&str>, completion: &Completion) -> Result<(), Failure> {
        self.with_books(|books| {
            for warning in &completion.warnings {
                if books.warned.insert(warning.clone()) {
                    (self.executor.warn)(warning);
                }
            }
            if !books.done.insert(part.0.part.number) {
                return Ok(());
            }
            add_faults(self.run.0, part.0.path())?;
            let host = host.unwrap_or(&completion.host);
            books.write(part, host, PartEnd::Done, Some(completion.milliseconds), "")
        })
    }

    /// A part has failed: its pairs are given out again, unless they have failed too often.
    fn failed(&self, part: &PartFolder, mut work: Work, host: Option<&str>, why: &str) -> Result<Played, Failure> {
        let of_host = host.unwrap_or_default();
        self.with_books(|books| books.write((part, &work), of_host, PartEnd::Failed, None, why))?;
        remove(part.path());
        let number = part.part.number;
        let why = match host {
            Some(host) => format!("on {host} it {why}"),
            None => format!("it {why}"),
        };
        let attempt = work.failures.len() + 1;
        (self.executor.warn)(&format!("part {number} failed (attempt {attempt} at its pairs); {why}"));
        work.failures.push(why);
        work.avoid = host.map(str::to_owned);
        match attempt >= ATTEMPTS {
            true => Err(Failure::run(format!(
                "the pairs of part {number} failed {ATTEMPTS} times: {}",
                work.failures.join("; ")
            ))),
            false => Ok(Played::Again(work)),
        }
    }

    fn with_books<T>(&self, write: impl FnOnce(&mut Books) -> T) -> T {
        write(&mut self.books.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Removes a folder; what cannot be removed stays.
fn remove(folder: &Path) {
    let _ = fs::remove_dir_all(folder);
}
