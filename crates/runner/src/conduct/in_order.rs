//! Numbered pairs that several threads play, and one place that records their results in the order of the numbers.
//!
//! What is recorded does not depend on the number of threads, nor on which pair takes how long.
//!
//! ```text
//! KnownPairs -> Queue -> Worker, in each thread -> Collector -> Record
//!   ^                                                              |
//!   +------------ each recorded result may change them ------------+
//! ```
//!
//! A `Queue` hands out the pairs in order, one or several at a time. The threads finish them in any order. The `Collector`
//! stores a result until all earlier ones are recorded. [`Record`] records results in one thread. A recorded result can
//! remove pairs. The results of removed pairs are dropped. Every run and every part of one is played by this module. A thread
//! plays pairs itself, or waits for a command that plays them.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::PathBuf;
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

/// Pairs that are played together. Their numbers follow each other.
#[derive(Debug, Default)]
pub struct Work {
    /// The pairs.
    pub pairs: Vec<Pair>,
    /// Where earlier attempts failed, and why.
    pub failures: Vec<String>,
    /// The host of the last of them.
    pub avoid: Option<String>,
    /// The folder of a part that an earlier process has made for them. It may have results.
    pub folder: Option<PathBuf>,
}

/// What a thread gets to play.
pub struct Turn<'t> {
    /// The number of the thread.
    pub thread: usize,
    /// The players that it has used.
    pub players: &'t mut Players,
    /// The pairs.
    pub work: Work,
    /// Gets warnings.
    pub warnings: &'t mut Vec<EngineWarning>,
    /// Whether the results of all pairs still count.
    pub is_wanted: &'t dyn Fn() -> bool,
}

/// What a thread has done with its pairs.
pub enum Played {
    /// Their results, and a folder that is not needed when these are saved.
    Results(Vec<RecordedPair>, Option<PathBuf>),
    /// Nothing: the games were abandoned, or the pairs are not wanted any more.
    Nothing,
    /// They are to be given out again.
    Again(Work),
}

/// Plays pairs.
///
/// # Errors
/// When they cannot be played, or an engine of this process panics.
pub type Play<'p> = &'p (dyn Fn(Turn<'_>) -> Result<Played, Failure> + Sync);

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

/// The threads of a run, and how they get their pairs.
pub struct Pool {
    /// A thread for each of them: the host where it plays, if hosts have names.
    pub hosts: Vec<Option<String>>,
    /// How many of the threads play at first. The others wait.
    pub playing: usize,
    /// Whether each thread stays on a processor of its own.
    pub pinned: bool,
    /// The greatest number of pairs that a thread gets at a time.
    pub pairs: usize,
    /// Pairs that an earlier process has given out.
    pub begun: Vec<Work>,
    /// The file that can change the number of threads.
    pub file: Option<ThreadsFile>,
}

/// Plays pairs until none remain, the run is decided, or the user asks to stop. `waiting` has the results that an
/// earlier process finished before their turn; their pairs are not played again.
///
/// # Errors
/// When the recorder fails, a pair cannot be played, or the threads cannot be started. Earlier results stay recorded.
pub fn play_in_order(
    play: Play<'_>,
    record: &mut dyn Record,
    waiting: Waiting,
    pool: Pool,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let count = pool.hosts.len();
    let given = waiting.values().map(|result| &result.pair);
    let given = given.chain(pool.begun.iter().flat_map(|work| &work.pairs));
    let queue = Mutex::new(Queue {
        known: record.known(),
        recorded: record.recorded(),
        given: given.map(|pair| (pair.index, pair.clone())).collect(),
        again: pool.begun,
        hosts: pool.hosts,
        pairs: pool.pairs as u64,
        ahead: AHEAD.max(16.max(2 * pool.pairs as u64) * count as u64),
        threads: pool.playing,
    });
    let worker = Worker {
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
        unneeded: Vec::new(),
        ticked: Instant::now(),
        file: pool.file,
    };
    let ended = std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel(2 * count);
        for index in 0..count {
            let (sender, worker) = (sender.clone(), &worker);
            let thread = std::thread::Builder::new().name(format!("worker-{index}"));
            let started = thread.spawn_scoped(scope, move || {
                if pool.pinned {
                    processors::pin(index);
                }
                worker.run(index, &sender);
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
    Played(Vec<RecordedPair>, Option<PathBuf>),
    Warning(EngineWarning),
    /// A pair cannot be played.
    Broken(Failure),
}

/// What a thread is to do.
enum Next {
    Play(Work),
    /// Wait for a result of another thread.
    Wait,
    End,
}

/// Which pairs come next.
struct Queue {
    known: KnownPairs,
    /// The number of the next result to be recorded.
    recorded: u64,
    /// Known pairs that are given out, or have a result that waits.
    given: BTreeMap<u64, Pair>,
    /// Those of them that are given out again.
    again: Vec<Work>,
    /// The hosts of the threads.
    hosts: Vec<Option<String>>,
    /// The greatest number of pairs that a thread gets at a time.
    pairs: u64,
    /// Pairs are given out only when they are at most this far ahead of the next result to be recorded. Otherwise results
    /// would pile up behind a long pair.
    ahead: u64,
    /// The threads that may begin a pair.
    threads: usize,
}

impl Queue {
    fn next(&mut self, thread: usize) -> Next {
        if self.known.is_time_up() {
            return Next::End;
        }
        let is_free = |number: &u64| !self.given.contains_key(number);
        let first = (self.recorded..self.recorded.saturating_add(self.ahead)).find(is_free);
        let is_over = first.is_some_and(|first| self.known.get(first).is_none())
            && !self.known.more_may_come(self.recorded)
            && self.given.is_empty();
        match first {
            _ if is_over => return Next::End,
            _ if thread >= self.threads => return Next::Wait,
            _ => {}
        }
        if let Some(index) = self.again.iter().position(|work| self.fits(thread, work)) {
            return Next::Play(self.again.remove(index));
        }
        let Some(first) = first else {
            return Next::Wait;
        };
        // When few pairs remain, each thread gets some of them.
        let threads = self.hosts.len() as u64;
        let known = (first..).map_while(|number| self.known.get(number));
        let left = known
            .take(usize::try_from(self.pairs * threads).unwrap_or(usize::MAX))
            .count() as u64;
        let last = first + left.div_ceil(threads).min(self.pairs);
        let pairs = (first..last)
            .take_while(is_free)
            .map_while(|number| self.known.get(number));
        let pairs: Vec<Pair> = pairs.collect();
        if pairs.is_empty() {
            return Next::Wait;
        }
        self.given.extend(pairs.iter().map(|pair| (pair.index, pair.clone())));
        Next::Play(Work {
            pairs,
            ..Work::default()
        })
    }

    /// Whether a thread may play pairs that are given out again: not on the host where they failed, if there are others.
    fn fits(&self, thread: usize, work: &Work) -> bool {
        let host = &self.hosts[thread];
        host.is_none() || *host != work.avoid || self.hosts.iter().all(|host| *host == work.avoid)
    }

    /// Whether the results of these pairs count.
    fn wants(&self, pairs: &[Pair]) -> bool {
        let counts = |pair: &Pair| pair.index < self.recorded || self.given.get(&pair.index) == Some(pair);
        pairs.iter().all(counts)
    }

    /// Forgets that pairs were given out.
    fn forget(&mut self, pairs: &[Pair]) {
        for pair in pairs {
            if self.given.get(&pair.index) == Some(pair) {
                self.given.remove(&pair.index);
            }
        }
    }

    /// Forgets pairs that are not known any more.
    fn change(&mut self, known: KnownPairs) {
        self.known = known;
        self.given
            .retain(|number, pair| self.known.get(*number).as_ref() == Some(pair));
        for work in std::mem::take(&mut self.again) {
            if self.wants(&work.pairs) {
                self.again.push(work);
            } else {
                self.forget(&work.pairs);
            }
        }
    }
}

/// A queue stays usable when a worker panics.
fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What all threads share.
struct Worker<'w> {
    play: Play<'w>,
    queue: &'w Mutex<Queue>,
    interrupt: &'w Interrupt,
}

impl Worker<'_> {
    fn run(&self, thread: usize, results: &SyncSender<Message>) {
        let mut players = Players::new();
        loop {
            // Read before the checks: a change after them then ends the wait at once.
            let news = self.interrupt.news();
            if self.interrupt.is_requested() || self.interrupt.is_abandoned() {
                break;
            }
            let next = locked(self.queue).next(thread);
            let work = match next {
                Next::Play(work) => work,
                Next::Wait => {
                    self.interrupt.wait(news);
                    continue;
                }
                Next::End => break,
            };
            let mut warnings = Vec::new();
            let pairs = work.pairs.clone();
            let played = (self.play)(Turn {
                thread,
                players: &mut players,
                work,
                warnings: &mut warnings,
                is_wanted: &|| locked(self.queue).wants(&pairs),
            });
            for warning in warnings {
                let _ = results.send(Message::Warning(warning));
            }
            match played {
                Ok(Played::Results(played, folder)) => {
                    if results.send(Message::Played(played, folder)).is_err() {
                        break;
                    }
                }
                Ok(Played::Nothing) => {
                    locked(self.queue).forget(&pairs);
                    self.interrupt.wake();
                }
                Ok(Played::Again(work)) => {
                    locked(self.queue).again.push(work);
                    self.interrupt.wake();
                }
                Err(broken) => {
                    let _ = results.send(Message::Broken(broken));
                    break;
                }
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
    /// Folders that are not needed when the results are saved.
    unneeded: Vec<PathBuf>,
    ticked: Instant,
    file: Option<ThreadsFile>,
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
                Ok(Message::Played(results, folder)) => {
                    self.finished(results);
                    self.unneeded.extend(folder);
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
        self.save()
    }

    /// Takes results, unless the pairs have changed while they were played.
    fn finished(&mut self, results: Vec<RecordedPair>) {
        let queue = locked(self.queue);
        for result in results {
            let number = result.pair.index;
            if queue.given.get(&number) == Some(&result.pair) {
                self.waiting.insert(number, result);
            }
        }
    }

    /// Saves what was recorded and what waits.
    fn save(&mut self) -> Result<(), Failure> {
        self.record.sync()?;
        self.record.keep_waiting(&self.waiting)?;
        for folder in self.unneeded.drain(..) {
            // What cannot be removed stays.
            let _ = std::fs::remove_dir_all(folder);
        }
        Ok(())
    }

    /// Records the waiting results that come next.
    fn record_waiting(&mut self) -> Result<(), Failure> {
        while !self.record.is_decided()
            && let Some(result) = self.waiting.remove(&self.record.recorded())
        {
            let number = result.pair.index;
            let changed = self.record.record(result)?;
            let mut queue = locked(self.queue);
            queue.recorded = self.record.recorded();
            queue.given.remove(&number);
            if changed {
                queue.change(self.record.known());
                self.waiting.retain(|number, _| queue.given.contains_key(number));
            }
            drop(queue);
            self.interrupt.wake();
        }
        Ok(())
    }

    /// Changes the number of threads when the user asks for it.
    fn steer(&mut self) {
        match self.file.as_mut().map(ThreadsFile::look) {
            Some(Ok(Some(threads))) => {
                locked(self.queue).threads = threads;
                self.record.steered(&threads_file::in_words(threads));
            }
            Some(Err(wrong)) => self.record.steered(&wrong),
            Some(Ok(None)) | None => {}
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
        // Most results wait for a moment only. Those that wait for a second are saved.
        let waited = (self.waited_at_tick.iter()).any(|number| self.waiting.contains_key(number));
        if waited || self.waiting.is_empty() || !self.unneeded.is_empty() {
            self.save()?;
        } else {
            self.record.sync()?;
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
            assert_eq!(pair.pair.index, self.recorded());
            self.recorded.push(pair.games[0].plies);
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

    /// Plays pairs by sleeping, some of them together. The time does not depend on their place.
    fn run(
        threads: usize,
        together: usize,
        waiting: &[u64],
        [fails_at, asks_to_stop_at]: [u64; 2],
        decided_at: usize,
    ) -> (Result<(), Failure>, List, Interrupt) {
        let interrupt = Interrupt::new();
        let play = |turn: Turn<'_>| {
            let mut results = Vec::new();
            for pair in &turn.work.pairs {
                std::thread::sleep(Duration::from_micros(pair.index * 7_919 % 1_000));
                if pair.index == fails_at {
                    return Err(Failure::run("pair 25 on purpose".to_owned()));
                }
                if pair.index == asks_to_stop_at {
                    interrupt.request();
                }
                results.push(result(pair, pair.index * pair.index));
            }
            if together > 1 && turn.work.failures.is_empty() {
                let failures = vec!["the first attempt fails".to_owned()];
                return Ok(Played::Again(Work { failures, ..turn.work }));
            }
            turn.warnings.push((0, Warning::new(WarningKind::NoMove, "is late")));
            Ok(match interrupt.is_abandoned() {
                true => Played::Nothing,
                false => Played::Results(results, None),
            })
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
        let pool = Pool {
            hosts: vec![None; threads],
            playing: threads,
            pinned: false,
            pairs: together,
            begun: Vec::new(),
            file: None,
        };
        let ended = play_in_order(&play, &mut list, waiting.collect(), pool, &interrupt);
        (ended, list, interrupt)
    }

    #[test]
    fn results_are_recorded_in_order() {
        let squares: Vec<u64> = (0..95).map(|number| number * number).collect();
        for (threads, together) in [(1, 1), (2, 1), (7, 1), (30, 1), (1, 4), (3, 4), (7, 16)] {
            let (ended, list, _) = run(threads, together, &[], [NEVER; 2], usize::MAX);
            ended.unwrap();
            assert_eq!(list.recorded, squares, "{threads} threads, {together} pairs together");
            assert!(together > 1 || list.warnings == 95);
        }
    }

    #[test]
    fn what_waited_is_not_played_again() {
        let (ended, list, _) = run(3, 1, &[2, 3, 7], [NEVER; 2], usize::MAX);
        ended.unwrap();
        assert_eq!(list.recorded.len(), 95);
        assert_eq!([2, 3, 7].map(|number: usize| list.recorded[number]), [0; 3]);
        assert_eq!(list.warnings, 92);
    }

    #[test]
    fn a_decision_ends_the_run_but_not_the_next_one() {
        let (ended, list, interrupt) = run(4, 1, &[], [NEVER; 2], 33);
        ended.unwrap();
        assert_eq!(list.recorded.len(), 33);
        assert!(list.waiting.is_empty());
        assert!(!interrupt.is_abandoned());
    }

    #[test]
    fn a_request_ends_the_run_after_the_pairs_in_progress() {
        let (ended, list, _) = run(4, 1, &[], [NEVER, 20], usize::MAX);
        ended.unwrap();
        assert!((20..=30).contains(&list.recorded.len()));
    }

    #[test]
    fn a_failure_ends_the_run_with_its_message() {
        let (ended, list, _) = run(4, 1, &[], [25, NEVER], usize::MAX);
        let message = ended.unwrap_err().to_string();
        assert!(message.contains("pair 25 on purpose"), "{message}");
        assert!(list.recorded.len() <= 25);
    }
}
