//! Numbered pairs that several threads play, and one place that records their results in the order of the numbers.
//!
//! What is recorded does not depend on the number of threads, nor on which pair takes how long.
//!
//! ```text
//! KnownPairs -> Queue -> Work, in each thread -> Collector -> Record
//!   ^                                                            |
//!   +------------ each recorded result may change them ----------+
//! ```
//!
//! A `Queue` hands out the pairs in order. The threads finish them in any order. The `Collector` stores a result until
//! all earlier ones are recorded. [`Record`] records results in one thread. A recorded result can remove pairs. The
//! results of removed pairs are dropped. Every run and every part of one is played by this module.

use std::num::NonZeroUsize;
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::steering::KnownPairs;
use super::threads_file::{self, ThreadsFile};
use crate::interrupt::Interrupt;
use crate::player::{Player, Warning};
use crate::processors;
use crate::record::recorded_pair::{RecordedPair, Waiting};
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::{Failure, RunFailure};

/// Time between two syncs to the disk. A loss of power loses at most the results of this time.
const TICK: Duration = Duration::from_millis(900);

/// At least this many pairs may be begun before an earlier one is finished.
const AHEAD: u64 = 64;

/// What a thread keeps from pair to pair: the players that it has used.
pub type Players = Vec<Option<Box<dyn Player>>>;

/// A warning about an engine, by its index.
pub type EngineWarning = (usize, Warning);

/// Plays a pair with the players of a thread; `None` when it was abandoned. Collects warnings.
///
/// # Errors
/// When the pair cannot be played, or an engine of this process panics.
pub type PlayPair<'p> =
    &'p (dyn Fn(&mut Players, &Pair, &mut Vec<EngineWarning>) -> Result<Option<RecordedPair>, Failure> + Sync);

/// Records results; lives in one thread.
pub trait Record {
    /// How many results are recorded; also the number of the next one.
    fn recorded(&self) -> u64;

    /// The pairs that are known from the recorded results.
    fn known(&self) -> KnownPairs;

    /// Whether the results so far decide the run, so that no more are needed.
    fn is_decided(&self) -> bool;

    /// Records the next result. Returns whether the known pairs have changed with it.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn record(&mut self, pair: RecordedPair) -> Result<bool, Failure>;

    /// Saves the results that wait for an earlier one. They replace those that were saved before.
    ///
    /// # Errors
    /// When a file cannot be written.
    fn keep_waiting(&mut self, waiting: &Waiting) -> Result<(), Failure>;

    /// Makes what was recorded survive a loss of power.
    ///
    /// # Errors
    /// When the system cannot promise that.
    fn sync(&mut self) -> Result<(), Failure>;

    /// Reports a warning.
    fn warn(&mut self, warning: EngineWarning);

    /// Reports that the number of threads has changed, or why it has not.
    fn steered(&mut self, what: &str);
}

/// How many threads play, and where.
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    /// Pairs that are played at the same time.
    pub count: NonZeroUsize,
    /// Whether each thread stays on a processor of its own.
    pub pinned: bool,
}

impl Threads {
    /// The same, but with at most one thread for each of the `left` remaining pairs.
    #[must_use]
    pub fn for_pairs(self, left: u64) -> Self {
        let left = usize::try_from(left).unwrap_or(usize::MAX);
        Self {
            count: NonZeroUsize::new(left).map_or(NonZeroUsize::MIN, |left| self.count.min(left)),
            ..self
        }
    }
}

/// Plays pairs until none remain, the run is decided, or the user asks to stop. `waiting` has the results that an
/// earlier process finished before their turn; their pairs are not played again. `file` can change the number of
/// threads.
///
/// # Errors
/// When the recorder fails, a pair cannot be played, or the threads cannot be started. Earlier results stay recorded.
pub fn play_in_order(
    play: PlayPair<'_>,
    record: &mut dyn Record,
    waiting: Waiting,
    threads: Threads,
    file: ThreadsFile,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let recorded = record.recorded();
    // Threads beyond the current number wait.
    let count = file.most();
    let queue = Mutex::new(Queue {
        known: record.known(),
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
        file,
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

enum Message {
    Played(u64, Box<RecordedPair>),
    Warning(EngineWarning),
    /// A pair cannot be played.
    Broken(Failure),
}

/// What a thread is to do.
enum Turn {
    Play(u64, Pair),
    /// Wait for a result of another thread.
    Wait,
    End,
}

/// Which pair comes next.
struct Queue {
    known: KnownPairs,
    /// The next pair to begin.
    next: u64,
    /// The next result to be recorded.
    recorded: u64,
    /// Later pairs that already have a waiting result. They are not played again.
    finished: Vec<u64>,
    /// A pair is begun only when it is at most this far ahead of the next result to be recorded. Otherwise results
    /// would pile up behind a long pair.
    ahead: u64,
    /// The threads that may begin a pair.
    threads: usize,
}

impl Queue {
    fn take(&mut self, thread: usize) -> Turn {
        if self.known.is_time_up() {
            return Turn::End;
        }
        while self.finished.contains(&self.next) {
            self.next += 1;
        }
        if self.next >= self.recorded.saturating_add(self.ahead) {
            return Turn::Wait;
        }
        match self.known.get(self.next) {
            Some(_) if thread >= self.threads => Turn::Wait,
            Some(pair) => {
                self.next += 1;
                Turn::Play(self.next - 1, pair)
            }
            None if self.known.more_may_come(self.recorded) => Turn::Wait,
            None => Turn::End,
        }
    }
}

/// A queue stays usable when a worker panics.
fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all threads share.
struct Work<'w> {
    play: PlayPair<'w>,
    queue: &'w Mutex<Queue>,
    interrupt: &'w Interrupt,
}

impl Work<'_> {
    fn run(&self, thread: usize, results: &SyncSender<Message>) {
        let mut players = Players::new();
        loop {
            // Read before the checks: a change after them then ends the wait at once.
            let news = self.interrupt.news();
            if self.interrupt.is_requested() || self.interrupt.is_abandoned() {
                break;
            }
            let turn = locked(self.queue).take(thread);
            let (number, pair) = match turn {
                Turn::Play(number, pair) => (number, pair),
                Turn::Wait => {
                    self.interrupt.wait(news);
                    continue;
                }
                Turn::End => break,
            };
            let mut warnings = Vec::new();
            let played = (self.play)(&mut players, &pair, &mut warnings);
            for warning in warnings {
                let _ = results.send(Message::Warning(warning));
            }
            let message = match played {
                Ok(Some(result)) => Message::Played(number, Box::new(result)),
                Ok(None) => break,
                Err(broken) => Message::Broken(broken),
            };
            let broken = matches!(message, Message::Broken(_));
            if results.send(message).is_err() || broken {
                break;
            }
        }
    }
}

/// Takes what the threads send, puts it in order and records it.
struct Collector<'c> {
    record: &'c mut dyn Record,
    queue: &'c Mutex<Queue>,
    interrupt: &'c Interrupt,
    /// Results that were finished before an earlier one.
    waiting: Waiting,
    /// The numbers of the results that were waiting at the last tick.
    waited_at_tick: Vec<u64>,
    ticked: Instant,
    file: ThreadsFile,
}

impl Collector<'_> {
    /// Returns when all threads have ended.
    fn collect(mut self, results: &Receiver<Message>) -> Result<(), Failure> {
        let mut failure = self.record_waiting().err();
        loop {
            if failure.is_some() || self.record.is_decided() {
                // Games in progress no longer count.
                self.interrupt.abandon_games();
            }
            let step = match results.recv_timeout(TICK) {
                Ok(Message::Played(number, result)) => {
                    self.finished(number, *result);
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

    /// Takes a result, unless the pairs have changed while it was played.
    fn finished(&mut self, number: u64, result: RecordedPair) {
        let pair = locked(self.queue).known.get(number);
        if number >= self.record.recorded() && pair.as_ref() == Some(result.pair()) {
            self.waiting.insert(number, result);
        }
    }

    /// Records the waiting results that come next.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        while !self.record.is_decided()
            && let Some(result) = self.waiting.remove(&self.record.recorded())
        {
            let changed = self.record.record(result)?;
            let mut queue = locked(self.queue);
            queue.recorded = self.record.recorded();
            if changed {
                queue.known = self.record.known();
                let is_known =
                    |number: u64, result: &RecordedPair| queue.known.get(number).as_ref() == Some(result.pair());
                self.waiting.retain(|number, result| is_known(*number, result));
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
        match self.file.look() {
            Ok(Some(threads)) => {
                locked(self.queue).threads = threads;
                self.record.steered(&threads_file::in_words(threads));
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
    use crate::player::WarningKind;
    use crate::record::game_rows::tests::game;
    use crate::tournament::schedule::{Pairing, Schedule};
    use lmrlab_results::game_end::{GameResult, Termination};
    use lmrlab_results::games::GameRow;

    #[test]
    fn no_more_threads_than_pairs() {
        let threads = |count| Threads {
            count: NonZeroUsize::new(count).unwrap(),
            pinned: false,
        };
        for (count, left, expected) in [(1_024, 2, 2), (2, 1_024, 2), (4, 0, 1), (4, u64::MAX, 4)] {
            assert_eq!(threads(count).for_pairs(left).count.get(), expected);
        }
    }

    /// All pairs that a run may have.
    fn all_pairs() -> Vec<Pair> {
        let pairing = Pairing { first: 0, second: 1 };
        Schedule::new(vec![pairing], 95, vec![0]).iter().collect()
    }

    /// The result of a pair with this number of plies.
    fn result(pair: &Pair, plies: u64) -> RecordedPair {
        let game = GameRow {
            plies,
            ..game(GameResult::Draw, Termination::Stalemate)
        };
        RecordedPair::recorded(pair.clone(), [game.clone(), game], None)
    }

    /// Pairs come in batches of ten; a batch is known when the one before it is recorded.
    struct List {
        known: usize,
        /// The plies of each recorded pair.
        recorded: Vec<u64>,
        warnings: usize,
        waiting: Vec<u64>,
        decided_at: usize,
    }

    impl Record for List {
        fn recorded(&self) -> u64 {
            self.recorded.len() as u64
        }

        fn known(&self) -> KnownPairs {
            KnownPairs::some(0, all_pairs()[..self.known].into(), self.known < 95, None)
        }

        fn is_decided(&self) -> bool {
            self.recorded.len() == self.decided_at
        }

        fn record(&mut self, pair: RecordedPair) -> Result<bool, Failure> {
            assert_eq!(pair.pair().index, self.recorded());
            self.recorded.push(pair.games()[0].plies);
            let batch = self.recorded.len() == self.known;
            if batch {
                self.known = (self.known + 10).min(95);
            }
            Ok(batch)
        }

        fn keep_waiting(&mut self, waiting: &Waiting) -> Result<(), Failure> {
            self.waiting = waiting.keys().copied().collect();
            Ok(())
        }

        fn sync(&mut self) -> Result<(), Failure> {
            Ok(())
        }

        fn warn(&mut self, _: EngineWarning) {
            self.warnings += 1;
        }

        fn steered(&mut self, _: &str) {}
    }

    const NEVER: u64 = u64::MAX;

    /// Plays a pair by sleeping. The time does not depend on its place.
    fn run(
        threads: usize,
        waiting: &[u64],
        [fails_at, asks_to_stop_at]: [u64; 2],
        decided_at: usize,
    ) -> (Result<(), Failure>, List, Interrupt) {
        let interrupt = Interrupt::new();
        let play = |_: &mut Players, pair: &Pair, warnings: &mut Vec<EngineWarning>| {
            std::thread::sleep(Duration::from_micros(pair.index * 7_919 % 1_000));
            warnings.push((0, Warning::new(WarningKind::NoMove, "is late")));
            if pair.index == fails_at {
                return Err(Failure::run("pair 25 on purpose".to_owned()));
            }
            if pair.index == asks_to_stop_at {
                interrupt.request();
            }
            Ok((!interrupt.is_abandoned()).then(|| result(pair, pair.index * pair.index)))
        };
        let mut list = List {
            known: 10,
            recorded: Vec::new(),
            warnings: 0,
            waiting: Vec::new(),
            decided_at,
        };
        let pairs = all_pairs();
        let waiting = waiting
            .iter()
            .map(|number| (*number, result(&pairs[*number as usize], 0)));
        let threads = Threads {
            count: NonZeroUsize::new(threads).unwrap(),
            pinned: false,
        };
        let folder = tempfile::tempdir().unwrap();
        let file = ThreadsFile::of(folder.path(), threads.count);
        let ended = play_in_order(&play, &mut list, waiting.collect(), threads, file, &interrupt);
        (ended, list, interrupt)
    }

    #[test]
    fn results_are_recorded_in_order() {
        let squares: Vec<u64> = (0..95).map(|number| number * number).collect();
        for threads in [1, 2, 7, 30] {
            let (ended, list, _) = run(threads, &[], [NEVER; 2], usize::MAX);
            ended.unwrap();
            assert_eq!(list.recorded, squares);
            assert_eq!(list.warnings, 95);
        }
    }

    #[test]
    fn what_waited_is_not_played_again() {
        let (ended, list, _) = run(3, &[2, 3, 7], [NEVER; 2], usize::MAX);
        ended.unwrap();
        assert_eq!(list.recorded.len(), 95);
        assert_eq!([2, 3, 7].map(|number: usize| list.recorded[number]), [0; 3]);
        assert_eq!(list.warnings, 92);
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
    fn a_request_ends_the_run_after_the_pairs_in_progress() {
        let (ended, list, _) = run(4, &[], [NEVER, 20], usize::MAX);
        ended.unwrap();
        assert!((20..=30).contains(&list.recorded.len()));
    }

    #[test]
    fn a_failure_ends_the_run_with_its_message() {
        let (ended, list, _) = run(4, &[], [25, NEVER], usize::MAX);
        let message = ended.unwrap_err().to_string();
        assert!(message.contains("pair 25 on purpose"), "{message}");
        assert!(list.recorded.len() <= 25);
    }
}
