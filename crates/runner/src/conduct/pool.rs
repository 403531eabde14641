//! The threads of a run: numbered pairs that several threads play, and one place that records their results in the order of the numbers.
//!
//! What is recorded does not depend on the number of threads, nor on which pair takes how long.
//!
//! ```text
//! KnownPairs -> Queue -> Worker, in each thread -> Collector -> Recorder
//!   ^                                                                |
//!   +------------- each recorded result may change them -------------+
//! ```
//!
//! A `Queue` hands out the pairs in order, one or several at a time. The threads finish them in any order. The `Collector`
//! stores a result until all earlier ones are recorded. The [`Recorder`] records results in one thread. A recorded result can
//! remove pairs. The results of removed pairs are dropped. Every run and every part of one is played by this module. A thread
//! plays pairs itself, or waits for a command that plays them.

use std::collections::BTreeSet;
use std::sync::Mutex;
use std::sync::mpsc::sync_channel;
use std::time::Instant;

use super::collector::Collector;
use super::event::RunObserver;
use super::queue::{Queue, Work};
use super::steering::Steering;
use super::threads_file::ThreadsFile;
use super::worker::{Play, Worker};
use crate::interrupt::Interrupt;
use crate::processors;
use crate::record::recorder::Recorder;
use lmrlab_diagnostics::failure::{Failure, RunFailure};

/// The least number of pairs that may be given out before the first of them is recorded. With many threads it is greater.
const AHEAD: u64 = 64;

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

/// Plays pairs until none remain, the run is decided, or the user asks to stop. Pairs that an earlier process finished before
/// their assignment are not played again.
///
/// # Errors
/// When a file cannot be written, a pair cannot be played, or the threads cannot be started. Earlier results stay recorded.
pub fn play_in_order<S: Steering>(
    play: Play<'_>,
    recorder: &mut Recorder<S>,
    observer: &mut dyn RunObserver<S>,
    pool: Pool,
    interrupt: &Interrupt,
) -> Result<(), Failure> {
    let count = pool.hosts.len();
    let recorded = recorder.steering.recorded();
    let given = recorder.waiting.values().map(|result| &result.pair);
    let given = given.chain(pool.begun.iter().flat_map(|work| &work.pairs));
    // The first pairs of a part that was begun may be recorded. Nothing would take them out again.
    let given = given.filter(|pair| pair.index >= recorded);
    let queue = Mutex::new(Queue {
        known: recorder.steering.known(),
        recorded,
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
        recorder,
        observer,
        queue: &queue,
        interrupt,
        waited_at_tick: Vec::new(),
        unneeded: Vec::new(),
        ticked: Instant::now(),
        file: pool.file,
        warned: BTreeSet::new(),
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

#[cfg(test)]
mod tests {
    use std::ops::Range;
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::time::Duration;

    use super::*;
    use crate::conduct::event::Event;
    use crate::conduct::steering::{Counted, KnownPairs};
    use crate::conduct::worker::{Assignment, Played};
    use crate::player::{Warning, WarningKind};
    use crate::record::game_rows::tests::game;
    use crate::record::recorded_pair::RecordedPair;
    use crate::record::recorder::Recorded;
    use crate::tournament::faults_allowed::FaultsAllowed;
    use crate::tournament::schedule::{Pair, Pairing, Schedule};
    use lmrlab_results::folder::{ResultFile, ResultsFolder, WAITING};
    use lmrlab_results::game_end::{GameResult, Termination};
    use lmrlab_results::rows::games::GameRow;

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
        RecordedPair {
            pair: pair.clone(),
            games: [game.clone(), game],
            timings: None,
        }
    }

    /// Pairs come in batches of ten; a batch is known when the one before it is recorded.
    struct List {
        known: usize,
        /// The plies of each recorded pair.
        recorded: Vec<u64>,
        decided_at: usize,
    }

    impl Steering for List {
        fn pairs_file(&self) -> Result<Option<(ResultFile, Vec<u8>)>, Failure> {
            Ok(None)
        }

        fn recorded(&self) -> u64 {
            self.recorded.len() as u64
        }

        fn known(&self) -> KnownPairs {
            KnownPairs::some(0, all_pairs()[..self.known].into(), self.known < 95)
        }

        fn count(&mut self, games: &[GameRow; 2]) -> Result<Counted, Failure> {
            self.recorded.push(games[0].plies);
            let changes = self.recorded.len() == self.known;
            if changes {
                self.known = (self.known + 10).min(95);
            }
            Ok(Counted {
                line: Vec::new(),
                changes,
            })
        }

        fn is_decided(&self) -> bool {
            self.recorded.len() == self.decided_at
        }
    }

    /// Counts the warnings.
    struct Warnings(u64);

    impl RunObserver<List> for Warnings {
        fn on_event(&mut self, event: Event<'_>, _: &mut List) {
            self.0 += u64::from(matches!(event, Event::Warning { .. }));
        }
    }

    const NEVER: u64 = u64::MAX;

    /// What a run has recorded, how many of its pairs it has played, and whether some wait.
    struct Ran {
        ended: Result<(), Failure>,
        recorded: Vec<u64>,
        played: u64,
        some_wait: bool,
        interrupt: Interrupt,
    }

    /// Plays pairs by sleeping, some of them together. The time does not depend on their place. Pairs of `begun` are those of
    /// a part that an earlier process has given out.
    fn run(
        threads: usize,
        together: usize,
        (before, waiting, begun): (u64, &[u64], Option<Range<usize>>),
        [fails_at, asks_to_stop_at]: [u64; 2],
        decided_at: usize,
    ) -> Ran {
        let interrupt = Interrupt::new();
        let played = AtomicU64::new(0);
        let play = |assignment: Assignment<'_>| {
            let mut results = Vec::new();
            for pair in &assignment.work.pairs {
                std::thread::sleep(Duration::from_micros(pair.index * 7_919 % 1_000));
                if pair.index == fails_at {
                    return Err(Failure::run("pair 25 on purpose".to_owned()));
                }
                if pair.index == asks_to_stop_at {
                    interrupt.request();
                }
                results.push(result(pair, pair.index * pair.index));
            }
            if together > 1 && assignment.work.failures.is_empty() {
                let failures = vec!["the first attempt fails".to_owned()];
                return Ok(Played::Again(Work {
                    failures,
                    ..assignment.work
                }));
            }
            assignment
                .warnings
                .push((0, Warning::new(WarningKind::NoMove, "is late")));
            played.fetch_add(results.len() as u64, Ordering::Relaxed);
            Ok(match interrupt.is_abandoned() {
                true => Played::Nothing(assignment.work.pairs),
                false => Played::Results(results, None),
            })
        };
        let folder = tempfile::tempdir().unwrap();
        let list = List {
            known: 10,
            recorded: Vec::new(),
            decided_at,
        };
        let recorded = Recorded {
            names: vec!["a".to_owned(), "b".to_owned()],
            has_overrides: false,
            pgn: None,
            faults_allowed: FaultsAllowed::any_number(),
            openings: None,
        };
        let mut recorder = ResultsFolder::unchecked(folder.path())
            .begin("manifest", |folder| Recorder::resume(folder, list, recorded))
            .unwrap();
        let pairs = all_pairs();
        for pair in &pairs[..before as usize] {
            recorder.record(&result(pair, pair.index * pair.index)).unwrap();
        }
        let waiting = (waiting.iter()).map(|number| (*number, result(&pairs[*number as usize], 0)));
        recorder.waiting = waiting.collect();
        let begun = begun.map(|range| Work {
            pairs: pairs[range].to_vec(),
            ..Work::default()
        });
        let pool = Pool {
            hosts: vec![None; threads],
            playing: threads,
            pinned: false,
            pairs: together,
            begun: begun.into_iter().collect(),
            file: None,
        };
        let mut warnings = Warnings(0);
        let ended = play_in_order(&play, &mut recorder, &mut warnings, pool, &interrupt);
        assert!(warnings.0 == 1, "a warning is reported once");
        Ran {
            ended,
            recorded: recorder.steering.recorded,
            played: played.into_inner(),
            some_wait: folder.path().join(WAITING.name()).exists(),
            interrupt,
        }
    }

    fn squares() -> Vec<u64> {
        (0..95).map(|number| number * number).collect()
    }

    #[test]
    fn results_are_recorded_in_order() {
        for (threads, together) in [(1, 1), (2, 1), (7, 1), (30, 1), (1, 4), (3, 4), (7, 16)] {
            let ran = run(threads, together, (0, &[], None), [NEVER; 2], usize::MAX);
            ran.ended.unwrap();
            assert_eq!(ran.recorded, squares(), "{threads} threads, {together} pairs together");
            assert_eq!(ran.played, 95);
        }
    }

    #[test]
    fn what_waited_is_not_played_again() {
        let ran = run(3, 1, (0, &[2, 3, 7], None), [NEVER; 2], usize::MAX);
        ran.ended.unwrap();
        assert_eq!(ran.recorded.len(), 95);
        assert_eq!([2, 3, 7].map(|number: usize| ran.recorded[number]), [0; 3]);
        assert_eq!(ran.played, 92);
    }

    #[test]
    fn a_part_that_was_begun_is_played_to_its_end_although_some_of_it_is_recorded() {
        let ran = run(2, 4, (6, &[], Some(4..8)), [NEVER; 2], usize::MAX);
        ran.ended.unwrap();
        assert_eq!(ran.recorded, squares());
        assert_eq!(ran.played, 95 - 6 + 2);
    }

    #[test]
    fn a_decision_ends_the_run_but_not_the_next_one() {
        let ran = run(4, 1, (0, &[], None), [NEVER; 2], 33);
        ran.ended.unwrap();
        assert_eq!(ran.recorded.len(), 33);
        assert!(!ran.some_wait);
        assert!(!ran.interrupt.is_abandoned());
    }

    #[test]
    fn a_request_ends_the_run_after_the_pairs_in_progress() {
        let ran = run(4, 1, (0, &[], None), [NEVER, 20], usize::MAX);
        ran.ended.unwrap();
        assert!((20..=30).contains(&ran.recorded.len()));
    }

    #[test]
    fn a_failure_ends_the_run_with_its_message() {
        let ran = run(4, 1, (0, &[], None), [25, NEVER], usize::MAX);
        let message = ran.ended.unwrap_err().to_string();
        assert!(message.contains("pair 25 on purpose"), "{message}");
        assert!(ran.recorded.len() <= 25);
    }
}
