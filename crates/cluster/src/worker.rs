//! Plays a part: the same threads and the same journal as those of a run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use super::part::{Completion, PartFolder, Program};
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::RESULTS;
use lmrlab_results::journal::Journal;
use lmrlab_results::utc::Utc;
use lmrlab_runner::conduct::in_order::{Record, Tasks, Threads, Waiting, play_in_order};
use lmrlab_runner::conduct::portable::Portable;
use lmrlab_runner::conduct::steering::Steering;
use lmrlab_runner::interrupt::Interrupt;

/// How the work on a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Played {
    /// It was played to its end.
    ToItsEnd,
    /// There was nothing to do: it was played before.
    Before,
    /// The user asked to stop.
    Interrupted,
}

/// Plays the remaining tasks of a part. `each` gets the number of played pairs, and the number of all its pairs.
///
/// # Errors
/// When a file is damaged or cannot be written, or an engine panics.
pub fn play_part<P: Portable>(
    play: &P,
    part: &PartFolder,
    (threads, host, program): (Threads, &str, &Program),
    interrupt: &Interrupt,
    each: &mut dyn FnMut(u64, u64),
) -> Result<Played, Failure> {
    let tasks = part.tasks(play)?;
    let is_complete = || matches!(part.returned(play, &tasks), Ok(Some(_)));
    if is_complete() {
        return Ok(Played::Before);
    }
    let (started, clock) = (Utc::now(), Instant::now());
    let journal = Journal::<P::ResultFormat, 1>::open(part.folder(), RESULTS, play.result_format())?;
    // Another process may have played the part before it released the lock.
    if is_complete() {
        return Ok(Played::Before);
    }
    let mut recorded = 0;
    let journal = journal.recover(&mut |[result]| {
        let is_next = tasks.get(recorded).is_some_and(|(_, task)| play.fits(task, &result));
        recorded += usize::from(is_next);
        Ok(is_next)
    })?;
    let waiting = waiting(play, &journal, &tasks[recorded..], recorded as u64);
    let left = (tasks.len() - recorded) as u64;
    let tasks: Arc<[(u64, P::Task)]> = tasks.into();
    let mut record = Recording {
        play,
        journal,
        tasks: Arc::clone(&tasks),
        recorded: recorded as u64,
        warnings: BTreeSet::new(),
        each,
    };
    let threads = threads.for_tasks(left);
    let steering = Steering::of(part.path(), threads.count);
    play_in_order(play, &mut record, waiting, threads, steering, interrupt)?;
    if record.recorded < tasks.len() as u64 {
        return Ok(Played::Interrupted);
    }
    let warnings = record.warnings.into_iter().collect();
    // The journal stays locked until the completion is written.
    let _journal = record.journal;
    part.complete(&Completion {
        host: host.to_owned(),
        lmrlab: program.version.clone(),
        commit: program.commit.clone(),
        bench: program.bench,
        started: started.to_string(),
        ended: Utc::now().to_string(),
        pairs: tasks.len() as u64,
        milliseconds: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        manifest_sha256: part.manifest_sha256(),
        results_sha256: part.results_sha256()?,
        warnings,
    })?;
    Ok(Played::ToItsEnd)
}

/// Results that an earlier process finished before their turn, by their place in the part. `left` are the tasks from
/// `first` on.
fn waiting<P: Portable>(
    play: &P,
    journal: &Journal<P::ResultFormat, 1>,
    left: &[(u64, P::Task)],
    first: u64,
) -> Waiting<P::Task, P::Result> {
    let place = |result: &P::Result| left.iter().position(|(_, task)| play.fits(task, result));
    let waiting = journal.waiting().into_iter().filter_map(|[result]| {
        let place = place(&result)?;
        Some((first + place as u64, (left[place].1.clone(), result)))
    });
    waiting.collect()
}

/// The tasks of a part, by their places in it.
struct PartTasks<T>(Arc<[(u64, T)]>);

impl<T: Clone + PartialEq + Send + Sync> Tasks for PartTasks<T> {
    type Task = T;

    fn get(&self, number: u64) -> Option<T> {
        let place = usize::try_from(number).ok()?;
        self.0.get(place).map(|(_, task)| task.clone())
    }

    fn more_may_come(&self, _recorded: u64) -> bool {
        false
    }
}

/// Records the results of a part.
struct Recording<'r, P: Portable> {
    play: &'r P,
    journal: Journal<P::ResultFormat, 1>,
    tasks: Arc<[(u64, P::Task)]>,
    recorded: u64,
    warnings: BTreeSet<String>,
    each: &'r mut dyn FnMut(u64, u64),
}

impl<P: Portable> Record for Recording<'_, P> {
    type Tasks = PartTasks<P::Task>;
    type Result = P::Result;
    type Warning = P::Warning;

    fn recorded(&self) -> u64 {
        self.recorded
    }

    fn tasks(&self) -> Self::Tasks {
        PartTasks(Arc::clone(&self.tasks))
    }

    fn is_decided(&self) -> bool {
        false
    }

    fn record(&mut self, _: &P::Task, result: P::Result) -> Result<bool, Failure> {
        self.journal.append(std::array::from_ref(&result))?;
        self.recorded += 1;
        (self.each)(self.recorded, self.tasks.len() as u64);
        Ok(false)
    }

    fn keep_waiting(&mut self, waiting: &Waiting<P::Task, P::Result>) -> Result<(), Failure> {
        let results = waiting.values().map(|(_, result)| std::array::from_ref(result));
        self.journal.keep_waiting(results)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync()
    }

    fn warn(&mut self, warning: P::Warning) {
        self.warnings.insert(self.play.warning_text(&warning));
    }

    fn steered(&mut self, _what: &str) {}
}
