//! Numbered tasks that several threads play, and one place that records their results in the order of the numbers.
//!
//! What is recorded does not depend on the number of threads, nor on which task takes how long.
//!
//! ```text
//! Tasks -> Queue -> Work, in each thread -> Collector -> Record
//!   ^                                                       |
//!   +---------- each recorded result may change them -------+
//! ```
//!
//! A `Queue` hands out the tasks in order. The threads finish them in any order. The `Collector` stores a result until
//! all earlier ones are recorded. A user of this module implements three traits. [`Tasks`] says which tasks are known;
//! later tasks may depend on results. [`Play`] plays a task in any thread. [`Record`] records results in one thread. A
//! recorded result can remove tasks. The results of removed tasks are dropped. Tournaments and tuning runs use this
//! module.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::steering::{self, Steering};
use crate::interrupt::Interrupt;
use crate::processors;
use lmrlab_results::failure::{Failure, RunFailure};

/// Time between two syncs to the disk. A loss of power loses at most the results of this time.
const TICK: Duration = Duration::from_millis(900);

/// At least this many tasks may be begun before an earlier one is finished.
const AHEAD: u64 = 64;

/// The tasks that are known from the recorded results.
pub trait Tasks: Send {
    /// A task.
    type Task: Clone + PartialEq + Send;

    /// The task with this number, from 0. `None` when there is no such task, or when it depends on results that are
    /// missing.
    fn get(&self, number: u64) -> Option<Self::Task>;

    /// Whether results after the first `recorded` ones may add tasks.
    fn more_may_come(&self, recorded: u64) -> bool;

    /// Whether the time of the run is up. Then no new task is begun. Tasks in progress still count.
    fn is_time_up(&self) -> bool {
        false
    }
}

/// Plays tasks; shared by all threads.
pub trait Play: Sync {
    /// What is to be played.
    type Task;
    /// The result of a task.
    type Result: Send;
    /// Something to be reported that is not a result.
    type Warning: Send;
    /// What a thread keeps from task to task, such as its engines.
    type Worker;

    /// The worker of a new thread.
    fn worker(&self) -> Self::Worker;

    /// Plays a task; `None` when it was abandoned. May panic, which ends the run with a [`Failure`].
    fn play(
        &self,
        worker: &mut Self::Worker,
        task: &Self::Task,
        warnings: &mut Vec<Self::Warning>,
    ) -> Option<Self::Result>;

    /// A task in words, for the message about a panic.
    fn describe(&self, task: &Self::Task) -> String;
}

/// Results that are not recorded yet, by number.
pub type Waiting<T, R> = BTreeMap<u64, (T, R)>;

/// Records results; lives in one thread.
pub trait Record {
    /// The tasks.
    type Tasks: Tasks;
    /// The result of a task.
    type Result;
    /// Something to be reported that is not a result.
    type Warning;

    /// How many results are recorded; also the number of the next one.
    fn recorded(&self) -> u64;

    /// The tasks that are known from the recorded results.
    fn tasks(&self) -> Self::Tasks;

    /// Whether the results so far decide the run, so that no more are needed.
    fn is_decided(&self) -> bool;

    /// Records the next result. Returns whether the tasks have changed with it.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn record(&mut self, task: &<Self::Tasks as Tasks>::Task, result: Self::Result) -> Result<bool, Failure>;

    /// Saves the results that wait for an earlier one. They replace those that were saved before.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn keep_waiting(&mut self, waiting: &Waiting<<Self::Tasks as Tasks>::Task, Self::Result>) -> Result<(), Failure>;

    /// Makes what was recorded survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that.
    fn sync(&mut self) -> Result<(), Failure>;

    /// Reports a warning.
    fn warn(&mut self, warning: Self::Warning);

    /// Reports that the number of threads has changed, or why it has not.
    fn steered(&mut self, what: &str);
}

/// How many threads play, and where.
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    /// Tasks that are played at the same time.
    pub count: NonZeroUsize,
    /// Whether each thread stays on a processor of its own.
    pub pinned: bool,
}

impl Threads {
    /// The same, but with at most one thread for each of the `left` remaining tasks.
    #[must_use]
    pub fn for_tasks(self, left: u64) -> Self {
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        Self {
            count: NonZeroUsize::new(left).map_or(NonZeroUsize::MIN, |left| self.count.min(left)),
            ..self
        }
    }
}

type TaskOf<R> = <<R as Record>::Tasks as Tasks>::Task;

/// Plays tasks until none remain, the run is decided, or the user asks to stop. `waiting` has the results that an
/// earlier process finished before their turn; their tasks are not played again. `steering` can change the number of
/// threads.
///
/// # Errors
/// When the recorder fails, a task panics, or the threads cannot be started. Earlier results stay recorded.
pub fn play_in_order<P, R>(
    play: &P,
    record: &mut R,
    waiting: Waiting<TaskOf<R>, R::Result>,
    threads: Threads,
    steering: Steering,
    interrupt: &Interrupt,
) -> Result<(), Failure>
where
    P: Play,
    R: Record<Result = P::Result, Warning = P::Warning>,
    R::Tasks: Tasks<Task = P::Task>,
    P::Task: Send,
{
    let recorded = record.recorded();
    // Threads beyond the current number wait.
    let count = steering.most();
    let queue = Mutex::new(Queue {
        tasks: record.tasks(),
        next: recorded,
        recorded,
        finished: waiting.keys().copied().collect(),
        ahead: AHEAD.max(16 * count as u64),
        threads: threads.count.get(),
    });
    let work = Work {
        play,
        queue: &queue,
        interrupt,
    };
    let collector = Collector {
        record,
        queue: &queue,
        interrupt,
        waiting,
        waited_at_tick: Vec::new(),
        ticked: Instant::now(),
        steering,
    };
    let ended = std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(2 * count);
        for index in 0..count {
            let (sender, work) = (sender.clone(), &work);
            let thread = std::thread::Builder::new().name(format!("worker-{index}"));
            let started = thread.spawn_scoped(scope, move || {
                if threads.pinned {
                    processors::pin(index);
                }
                work.run(index, &sender);
            });
            if let Err(error) = started {
                interrupt.abandon_games();
                return Err(Failure::Run(RunFailure::Threads {
                    threads: count,
                    reason: error.to_string(),
                }));
            }
        }
        drop(sender);
        collector.collect(&receiver)
    });
    // This run may have abandoned games that it no longer needs. That must not stop the next run.
    interrupt.forget_abandoned_games();
    let failure = interrupt.take_failure().map(Failure::Run);
    ended.and(failure.map_or(Ok(()), Err))
}

enum Message<P: Play> {
    Played(u64, P::Task, P::Result),
    Warning(P::Warning),
    /// A task panicked, which is a mistake of this program.
    Broken(Failure),
}

/// What a thread is to do.
enum Turn<T> {
    Play(u64, T),
    /// Wait for a result of another thread.
    Wait,
    End,
}

/// Which task comes next.
struct Queue<T> {
    tasks: T,
    /// The next task to begin.
    next: u64,
    /// The next result to be recorded.
    recorded: u64,
    /// Later tasks that already have a waiting result. They are not played again.
    finished: Vec<u64>,
    /// A task is begun only when it is at most this far ahead of the next result to be recorded. Otherwise results
    /// would pile up behind a long task.
    ahead: u64,
    /// The threads that may begin a task.
    threads: usize,
}

impl<T: Tasks> Queue<T> {
    fn take(&mut self, thread: usize) -> Turn<T::Task> {
        if self.tasks.is_time_up() {
            return Turn::End;
        }
        while self.finished.contains(&self.next) {
            self.next += 1;
        }
        if self.next >= self.recorded.saturating_add(self.ahead) {
            return Turn::Wait;
        }
        match self.tasks.get(self.next) {
            Some(_) if thread >= self.threads => Turn::Wait,
            Some(task) => {
                self.next += 1;
                Turn::Play(self.next - 1, task)
            }
            None if self.tasks.more_may_come(self.recorded) => Turn::Wait,
            None => Turn::End,
        }
    }
}

/// A queue stays usable when a worker panics.
fn locked<T>(queue: &Mutex<Queue<T>>) -> MutexGuard<'_, Queue<T>> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all threads share.
struct Work<'w, P, T> {
    play: &'w P,
    queue: &'w Mutex<Queue<T>>,
    interrupt: &'w Interrupt,
}

impl<P, T> Work<'_, P, T>
where
    P: Play,
    T: Tasks<Task = P::Task>,
{
    fn run(&self, thread: usize, results: &SyncSender<Message<P>>) {
        let mut worker = self.play.worker();
        loop {
            // Read before the checks: a change after them then ends the wait at once.
            let news = self.interrupt.news();
            if self.interrupt.is_requested() || self.interrupt.is_abandoned() {
                break;
            }
            let turn = locked(self.queue).take(thread);
            let (number, task) = match turn {
                Turn::Play(number, task) => (number, task),
                Turn::Wait => {
                    self.interrupt.wait(news);
                    continue;
                }
                Turn::End => break,
            };
            let mut warnings = Vec::new();
            // A panic of an engine must not hang the run, and must not count as a loss.
            let played = catch_unwind(AssertUnwindSafe(|| self.play.play(&mut worker, &task, &mut warnings)));
            for warning in warnings {
                let _ = results.send(Message::Warning(warning));
            }
            let message = match played {
                Ok(Some(result)) => Message::Played(number, task, result),
                Ok(None) if self.interrupt.is_abandoned() => break,
                Ok(None) => Message::Broken(Failure::Run(RunFailure::Unplayable(self.play.describe(&task)))),
                Err(panic) => Message::Broken(Failure::mistake(&self.play.describe(&task), &*panic)),
            };
            let broken = matches!(message, Message::Broken(_));
            if results.send(message).is_err() || broken {
                break;
            }
        }
    }
}

/// Takes what the threads send, puts it in order and records it.
struct Collector<'c, R: Record> {
    record: &'c mut R,
    queue: &'c Mutex<Queue<R::Tasks>>,
    interrupt: &'c Interrupt,
    /// Results that were finished before an earlier one.
    waiting: Waiting<TaskOf<R>, R::Result>,
    /// The numbers of the results that were waiting at the last tick.
    waited_at_tick: Vec<u64>,
    ticked: Instant,
    steering: Steering,
}

impl<R: Record> Collector<'_, R> {
    /// Returns when all threads have ended.
    fn collect<P>(mut self, results: &Receiver<Message<P>>) -> Result<(), Failure>
    where
        P: Play<Task = TaskOf<R>, Result = R::Result, Warning = R::Warning>,
    {
        let mut failure = self.record_waiting().err();
        loop {
            if failure.is_some() || self.record.is_decided() {
                // Games in progress no longer count.
                self.interrupt.abandon_games();
            }
            let step = match results.recv_timeout(TICK) {
                Ok(Message::Played(number, task, result)) => {
                    self.finished(number, task, result);
                    Ok(())
                }
                Ok(Message::Warning(warning)) => {
                    self.record.warn(warning);
                    Ok(())
                }
                Ok(Message::Broken(broken)) => Err(broken),
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if failure.is_none() {
                failure = step
                    .and_then(|()| self.record_waiting())
                    .and_then(|()| self.tick())
                    .err();
            }
        }
        if let Some(failure) = failure {
            return Err(failure);
        }
        if self.record.is_decided() {
            self.waiting.clear();
        }
        self.record.sync()?;
        self.record.keep_waiting(&self.waiting)
    }

    /// Takes a result, unless the tasks have changed while it was played.
    fn finished(&mut self, number: u64, task: TaskOf<R>, result: R::Result) {
        let wanted = number >= self.record.recorded() && locked(self.queue).tasks.get(number).as_ref() == Some(&task);
        if wanted {
            self.waiting.insert(number, (task, result));
        }
    }

    /// Records the waiting results that come next.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        while !self.record.is_decided()
            && let Some((task, result)) = self.waiting.remove(&self.record.recorded())
        {
            let changed = self.record.record(&task, result)?;
            let mut queue = locked(self.queue);
            queue.recorded = self.record.recorded();
            if changed {
                queue.tasks = self.record.tasks();
                self.waiting
                    .retain(|number, (task, _)| queue.tasks.get(*number).as_ref() == Some(task));
                queue.finished = self.waiting.keys().copied().collect();
                queue.next = queue.next.min(queue.recorded);
            }
            drop(queue);
            self.interrupt.wake();
        }
        Ok(())
    }

    /// Changes the number of threads when the user asks for it.
    fn steer(&mut self) {
        match self.steering.look() {
            Ok(Some(threads)) => {
                locked(self.queue).threads = threads;
                self.record.steered(&steering::in_words(threads));
            }
            Ok(None) => {}
            Err(wrong) => self.record.steered(&wrong),
        }
        // No result wakes the threads of a paused run. They have to see that its time is up.
        self.interrupt.wake();
    }

    /// Once a second, saves the results so that they survive a kill and a loss of power.
    fn tick(&mut self) -> Result<(), Failure> {
        if self.ticked.elapsed() < TICK {
            return Ok(());
        }
        self.steer();
        self.record.sync()?;
        // Most results wait for a moment only. Those that wait for a second are saved.
        let waited = self
            .waited_at_tick
            .iter()
            .any(|number| self.waiting.contains_key(number));
        if waited || self.waiting.is_empty() {
            self.record.keep_waiting(&self.waiting)?;
        }
        self.waited_at_tick = self.waiting.keys().copied().collect();
        self.ticked = Instant::now();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers in batches of ten; a batch is known when the one before it is recorded.
    #[derive(Clone)]
    struct Numbers {
        known: u64,
        all: u64,
    }

    impl Tasks for Numbers {
        type Task = u64;

        fn get(&self, number: u64) -> Option<u64> {
            (number < self.known).then_some(number)
        }

        fn more_may_come(&self, recorded: u64) -> bool {
            recorded < self.known && self.known < self.all
        }
    }

    #[test]
    fn no_more_threads_than_tasks() {
        let threads = |count| Threads {
            count: NonZeroUsize::new(count).unwrap(),
            pinned: false,
        };
        for (count, left, expected) in [(1_024, 2, 2), (2, 1_024, 2), (4, 0, 1), (4, u64::MAX, 4)] {
            assert_eq!(threads(count).for_tasks(left).count.get(), expected);
        }
    }

    /// Plays a number by sleeping. The time does not depend on the number's place.
    struct Slow<'s> {
        interrupt: &'s Interrupt,
        panics_at: u64,
        asks_to_stop_at: u64,
    }

    impl Play for Slow<'_> {
        type Task = u64;
        type Result = u64;
        type Warning = u64;
        type Worker = ();

        fn worker(&self) {}

        fn play(&self, (): &mut (), task: &u64, warnings: &mut Vec<u64>) -> Option<u64> {
            std::thread::sleep(Duration::from_micros(task * 7_919 % 1_000));
            warnings.push(*task);
            assert!(*task != self.panics_at, "on purpose");
            if *task == self.asks_to_stop_at {
                self.interrupt.request();
            }
            (!self.interrupt.is_abandoned()).then_some(task * task)
        }

        fn describe(&self, task: &u64) -> String {
            format!("number {task}")
        }
    }

    struct List {
        tasks: Numbers,
        recorded: Vec<u64>,
        warnings: Vec<u64>,
        steered: Vec<String>,
        waiting: Vec<u64>,
        decided_at: usize,
    }

    impl Record for List {
        type Tasks = Numbers;
        type Result = u64;
        type Warning = u64;

        fn recorded(&self) -> u64 {
            self.recorded.len() as u64
        }

        fn tasks(&self) -> Numbers {
            self.tasks.clone()
        }

        fn is_decided(&self) -> bool {
            self.recorded.len() == self.decided_at
        }

        fn record(&mut self, task: &u64, result: u64) -> Result<bool, Failure> {
            assert_eq!(*task, self.recorded());
            self.recorded.push(result);
            let batch = self.recorded() == self.tasks.known;
            if batch {
                self.tasks.known = (self.tasks.known + 10).min(self.tasks.all);
            }
            Ok(batch)
        }

        fn keep_waiting(&mut self, waiting: &Waiting<u64, u64>) -> Result<(), Failure> {
            self.waiting = waiting.keys().copied().collect();
            Ok(())
        }

        fn sync(&mut self) -> Result<(), Failure> {
            Ok(())
        }

        fn warn(&mut self, warning: u64) {
            self.warnings.push(warning);
        }

        fn steered(&mut self, what: &str) {
            self.steered.push(what.to_owned());
        }
    }

    const NEVER: u64 = u64::MAX;

    fn run(
        threads: usize,
        waiting: &[u64],
        [panics_at, asks_to_stop_at]: [u64; 2],
        decided_at: usize,
    ) -> (Result<(), Failure>, List, Interrupt) {
        let interrupt = Interrupt::new();
        let play = Slow {
            interrupt: &interrupt,
            panics_at,
            asks_to_stop_at,
        };
        let mut list = List {
            tasks: Numbers { known: 10, all: 95 },
            recorded: Vec::new(),
            warnings: Vec::new(),
            steered: Vec::new(),
            waiting: Vec::new(),
            decided_at,
        };
        let waiting = waiting.iter().map(|number| (*number, (*number, 0)));
        let threads = Threads {
            count: NonZeroUsize::new(threads).unwrap(),
            pinned: false,
        };
        let folder = tempfile::tempdir().unwrap();
        let steering = Steering::of(folder.path(), threads.count);
        let ended = play_in_order(&play, &mut list, waiting.collect(), threads, steering, &interrupt);
        (ended, list, interrupt)
    }

    #[test]
    fn results_are_recorded_in_order() {
        let squares: Vec<u64> = (0..95).map(|number| number * number).collect();
        for threads in [1, 2, 7, 30] {
            let (ended, mut list, _) = run(threads, &[], [NEVER; 2], usize::MAX);
            ended.unwrap();
            assert_eq!(list.recorded, squares);
            list.warnings.sort_unstable();
            assert_eq!(list.warnings, (0..95).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_waited_is_not_played_again() {
        let (ended, list, _) = run(3, &[2, 3, 7], [NEVER; 2], usize::MAX);
        ended.unwrap();
        assert_eq!(list.recorded.len(), 95);
        for number in [2, 3, 7] {
            assert_eq!(list.recorded[number], 0);
            assert!(!list.warnings.contains(&(number as u64)));
        }
    }

    #[test]
    fn a_decision_ends_the_run_but_not_the_next_one() {
        let (ended, list, interrupt) = run(4, &[], [NEVER; 2], 33);
        ended.unwrap();
        assert_eq!(list.recorded.len(), 33);
        assert!(list.waiting.is_empty());
        assert!(!interrupt.is_abandoned());
    }

    #[test]
    fn a_request_ends_the_run_after_the_tasks_in_progress() {
        let (ended, list, _) = run(4, &[], [NEVER, 20], usize::MAX);
        ended.unwrap();
        assert!((20..=30).contains(&list.recorded.len()));
    }

    #[test]
    fn a_panic_ends_the_run_with_a_message() {
        let (ended, list, _) = run(4, &[], [25, NEVER], usize::MAX);
        let message = ended.unwrap_err().to_string();
        assert!(message.contains("number 25"), "{message}");
        assert!(message.contains("on purpose"), "{message}");
        assert!(list.recorded.len() <= 25);
    }
}
