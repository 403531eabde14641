//! The playing of a tournament: threads that each play one pair after the other, and one place where they arrive.

use std::any::Any;
use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use lmrlab_engine::position::Position;
use rayon::ThreadPoolBuilder;

use crate::event::{Event, Observer};
use crate::failure::Failure;
use crate::game::limit::Terms;
use crate::game::play::{PlayedGame, Side, play};
use crate::interrupt::Interrupt;
use crate::player::Player;
use crate::processors;
use crate::record::recorder::{RecordedPair, Recorder};
use crate::tournament::Tournament;
use crate::tournament::schedule::{Schedule, ScheduledPair};
use lmrlab_stats::Verdict;

/// Time between two moments at which what was played is made safe.
const TICK: Duration = Duration::from_millis(900);

/// At least so many pairs may be begun before an earlier one is finished.
const AHEAD: u64 = 64;

/// No more different remarks about engines are told in a run.
const MAX_REMARKS: usize = 100;

/// Two games from the same opening, the first engine with White in the first of them.
#[derive(Debug, Clone)]
pub struct FinishedPair {
    /// Its place in the schedule.
    pub scheduled: ScheduledPair,
    /// The games.
    pub games: [TimedGame; 2],
}

/// A game with its place on the run's clock.
#[derive(Debug, Clone)]
pub struct TimedGame {
    /// The game.
    pub game: PlayedGame,
    /// From the beginning of the run to that of the game.
    pub start: Duration,
    /// From the game's beginning to its end.
    pub duration: Duration,
}

/// Why there are no more games.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// Every scheduled pair was played.
    Complete,
    /// The test came to a verdict.
    Decided(Verdict),
    /// The race knows what has become of everybody.
    RaceOver,
    /// Somebody asked to stop.
    Interrupted,
}

enum Message {
    Pair(Box<FinishedPair>),
    /// An engine, by its index, did something odd.
    Remark(usize, String),
    /// A player broke down, which is a mistake of this program.
    Broken(Failure),
    /// A worker has nothing left to do.
    Done,
}

/// Plays a tournament to its end. Pairs are played by several threads at once, and recorded in schedule order.
///
/// # Errors
/// When a file cannot be written, the threads cannot be started, or an engine panics. What was recorded before is kept.
pub fn conduct(
    tournament: &Tournament,
    recorder: &mut Recorder,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<Ended, Failure> {
    let threads = tournament.threads.get();
    let pins = tournament.pins();
    let pool = ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|index| format!("worker-{index}"))
        .build()
        .map_err(|error| Failure::Run(format!("cannot start {threads} threads: {error}")))?;
    observer.on_event(Event::Started(recorder.progress()));
    let waiting: BTreeMap<u64, RecordedPair> = recorder
        .take_waiting()
        .into_iter()
        .map(|pair| (pair.index(), pair))
        .collect();
    let recorded = recorder.progress().pairs;
    let work = Work {
        tournament,
        interrupt,
        queue: Mutex::new(Queue {
            schedule: recorder.progress().schedule().clone(),
            next: recorded,
            recorded,
            known: waiting.keys().copied().collect(),
            ahead: AHEAD.max(16 * threads as u64),
            may_change: tournament.pairings.race.is_some(),
        }),
        begun: Instant::now(),
    };
    let (sender, receiver) = sync_channel(2 * threads);
    let collector = Collector {
        recorder,
        interrupt,
        observer,
        queue: &work.queue,
        early: waiting,
        kept: Vec::new(),
        ticked: Instant::now(),
        decided: None,
        remarks: BTreeSet::new(),
    };
    let ended = pool.in_place_scope(|scope| {
        scope.spawn_broadcast(|_, context| {
            if pins {
                processors::pin(context.index());
            }
            work.run(&sender);
        });
        collector.collect(&receiver, threads)
    });
    observer.on_event(Event::Finished(recorder.progress()));
    Ok(match ended? {
        Some(decided) => decided,
        None if recorder.progress().pairs < recorder.progress().scheduled_pairs => {
            Ended::Interrupted
        }
        None => Ended::Complete,
    })
}

/// Which pair comes next.
struct Queue {
    /// As the results so far have it.
    schedule: Schedule,
    /// The next pair that nobody has begun.
    next: u64,
    /// The next pair to be recorded.
    recorded: u64,
    /// Pairs that need not be played, because an earlier part of the run has finished them.
    known: BTreeSet<u64>,
    /// No pair is begun that is further ahead of the one to be recorded.
    ahead: u64,
    /// Whether results can change the schedule.
    may_change: bool,
}

/// What a worker is to do.
enum Turn {
    Play(ScheduledPair),
    /// Ask again a little later.
    Wait,
    /// There is nothing left to do.
    End,
}

impl Queue {
    fn take(&mut self) -> Turn {
        while self.known.contains(&self.next) {
            self.next += 1;
        }
        if self.next >= self.recorded.saturating_add(self.ahead) {
            // What is finished early must not pile up behind a pair that takes long.
            return Turn::Wait;
        }
        match self.schedule.pair(self.next) {
            Some(pair) => {
                self.next += 1;
                Turn::Play(pair)
            }
            // The results of those who are playing may bring other pairs.
            None if self.may_change && self.recorded < self.schedule.pairs() => Turn::Wait,
            None => Turn::End,
        }
    }

    /// Goes on with another schedule, of which the pairs that need not be played are known.
    fn go_on_with(&mut self, schedule: Schedule, known: BTreeSet<u64>) {
        self.schedule = schedule;
        self.known = known;
        self.next = self.next.min(self.recorded);
    }
}

/// What all workers share.
struct Work<'w> {
    tournament: &'w Tournament,
    interrupt: &'w Interrupt,
    queue: Mutex<Queue>,
    begun: Instant,
}

/// A queue stays usable when a worker panics.
fn locked(queue: &Mutex<Queue>) -> MutexGuard<'_, Queue> {
    queue.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Work<'_> {
    fn run(&self, results: &SyncSender<Message>) {
        let mut players: Vec<Option<Box<dyn Player>>> = Vec::new();
        players.resize_with(self.tournament.engines.len(), || None);
        while !self.interrupt.is_requested() && !self.interrupt.is_abandoned() {
            let turn = locked(&self.queue).take();
            let scheduled = match turn {
                Turn::Play(scheduled) => scheduled,
                Turn::Wait => {
                    std::thread::sleep(Duration::from_millis(2));
                    continue;
                }
                Turn::End => break,
            };
            // An engine that panics must neither hang the run nor pass for one that lost.
            let played = catch_unwind(AssertUnwindSafe(|| self.play_pair(scheduled, &mut players)));
            let message = match played {
                Ok(Some(pair)) => Message::Pair(Box::new(pair)),
                Ok(None) => break,
                Err(panic) => Message::Broken(self.broken(scheduled, &*panic)),
            };
            let remarks = players.iter_mut().enumerate().flat_map(|(engine, player)| {
                let remarks = player.as_mut().map(|player| player.take_remarks());
                let remarks = remarks.into_iter().flatten();
                remarks.map(move |what| Message::Remark(engine, what))
            });
            for remark in remarks {
                let _ = results.send(remark);
            }
            let broken = matches!(message, Message::Broken(_));
            if results.send(message).is_err() || broken {
                break;
            }
        }
        // The receiver waits for this message from every worker.
        let _ = results.send(Message::Done);
    }

    fn play_pair(
        &self,
        scheduled: ScheduledPair,
        players: &mut [Option<Box<dyn Player>>],
    ) -> Option<FinishedPair> {
        let tournament = self.tournament;
        let fen = tournament.openings.fen(scheduled.opening)?;
        let start = Position::from_fen(fen).ok()?;
        let both = [scheduled.pairing.first, scheduled.pairing.second];
        for index in both {
            players[index].get_or_insert_with(|| {
                tournament.engines[index].player(tournament.description.conditions.hash_mib)
            });
        }
        let [Some(first), Some(second)] = players.get_disjoint_mut(both).ok()? else {
            return None;
        };
        let terms = both.map(|index| tournament.terms_of(index));
        let game = |white: &mut dyn Player, black: &mut dyn Player, terms: [Terms; 2]| {
            let begun = Instant::now();
            let white = Side {
                player: white,
                terms: terms[0],
            };
            let black = Side {
                player: black,
                terms: terms[1],
            };
            let rules = &tournament.description.conditions.adjudication;
            let game = play(white, black, &start, rules, self.interrupt)?;
            Some(TimedGame {
                game,
                start: begun - self.begun,
                duration: begun.elapsed(),
            })
        };
        let games = [
            game(&mut **first, &mut **second, terms)?,
            game(&mut **second, &mut **first, [terms[1], terms[0]])?,
        ];
        Some(FinishedPair { scheduled, games })
    }

    fn broken(&self, scheduled: ScheduledPair, panic: &(dyn Any + Send)) -> Failure {
        let names = &self.tournament.engines;
        let what = format!(
            "`{}` against `{}` in pair {} from `{}`",
            names[scheduled.pairing.first].name,
            names[scheduled.pairing.second].name,
            scheduled.index + 1,
            self.tournament
                .openings
                .fen(scheduled.opening)
                .unwrap_or("?"),
        );
        Failure::mistake(&what, panic)
    }
}

/// Takes what the workers send, puts it in schedule order and records it.
struct Collector<'c> {
    recorder: &'c mut Recorder,
    interrupt: &'c Interrupt,
    observer: &'c mut dyn Observer,
    queue: &'c Mutex<Queue>,
    /// Pairs that were finished before an earlier one.
    early: BTreeMap<u64, RecordedPair>,
    /// Those of them that were there at the last tick.
    kept: Vec<u64>,
    ticked: Instant,
    decided: Option<Ended>,
    /// What has been told about engines already.
    remarks: BTreeSet<(usize, String)>,
}

impl Collector<'_> {
    /// Goes on until all workers are done.
    fn collect(
        mut self,
        results: &Receiver<Message>,
        workers: usize,
    ) -> Result<Option<Ended>, Failure> {
        self.decided = self.recorder.progress().decided();
        if self.decided.is_some() {
            // An earlier part of the run was cut off just after the last pair that counts.
            self.interrupt.abandon_games();
        }
        let mut failure = None;
        let mut done = 0;
        while done < workers {
            let step = match results.recv_timeout(TICK) {
                Ok(Message::Done) => {
                    done += 1;
                    Ok(())
                }
                Ok(Message::Broken(broken)) => Err(broken),
                Ok(Message::Remark(engine, what)) => {
                    self.remark(engine, what);
                    Ok(())
                }
                Ok(Message::Pair(pair)) => {
                    // The schedule may have changed while it was played.
                    if self.is_wanted(pair.scheduled) {
                        let pair = self.recorder.prepare(&pair);
                        self.early.insert(pair.index(), pair);
                    }
                    Ok(())
                }
                Err(RecvTimeoutError::Timeout) => Ok(()),
                Err(RecvTimeoutError::Disconnected) => break,
            };
            if failure.is_none()
                && let Err(broken) = step.and_then(|()| self.record()).and_then(|()| self.tick())
            {
                failure = Some(broken);
            }
            if failure.is_some() || self.decided.is_some() {
                // Whatever is still being played counts for nothing.
                self.interrupt.abandon_games();
            }
        }
        if failure.is_none() {
            if self.decided.is_some() {
                self.early.clear();
            }
            failure = self.recorder.keep_waiting(self.early.values()).err();
        }
        match failure {
            Some(failure) => Err(failure),
            None => Ok(self.decided),
        }
    }

    /// Tells what an engine did, once.
    fn remark(&mut self, engine: usize, what: String) {
        let names = self.recorder.progress().tally.names();
        if let Some(name) = names.get(engine) {
            let said = (engine, what);
            if !self.remarks.contains(&said) && self.remarks.len() < MAX_REMARKS {
                self.observer.on_event(Event::Remark {
                    engine: name,
                    what: &said.1,
                });
                self.remarks.insert(said);
            }
        }
    }

    /// Whether a pair is part of the schedule and has not been recorded.
    fn is_wanted(&self, pair: ScheduledPair) -> bool {
        let progress = self.recorder.progress();
        pair.index >= progress.pairs && progress.schedule().pair(pair.index) == Some(pair)
    }

    /// Records all pairs whose turn it is.
    fn record(&mut self) -> Result<(), Failure> {
        while self.decided.is_none()
            && let Some(pair) = self.early.remove(&self.recorder.progress().pairs)
        {
            self.recorder.record(&pair)?;
            let progress = self.recorder.progress();
            locked(self.queue).recorded = progress.pairs;
            self.decided = progress.decided();
            self.observer.on_event(Event::PairRecorded {
                games: pair.games(),
                progress,
            });
            self.go_on_racing();
        }
        Ok(())
    }

    /// Tells whose fate the last pair has decided, and lets the others go on without them.
    fn go_on_racing(&mut self) {
        let progress = self.recorder.progress();
        let Some(race) = &progress.race else {
            return;
        };
        let mut changed = false;
        for engine in race.decided_after(progress.pairs) {
            self.observer.on_event(Event::Fate { engine, progress });
            changed = true;
        }
        if changed {
            let schedule = progress.schedule().clone();
            self.early
                .retain(|index, pair| schedule.pair(*index) == Some(pair.scheduled()));
            locked(self.queue).go_on_with(schedule, self.early.keys().copied().collect());
        }
    }

    /// Once a second, what has been played is put where neither a kill nor a loss of power can reach it.
    fn tick(&mut self) -> Result<(), Failure> {
        if self.ticked.elapsed() < TICK {
            return Ok(());
        }
        self.recorder.sync()?;
        // Most pairs wait for a moment only. Those that do so for a second are written down.
        let waited = self.kept.iter().any(|index| self.early.contains_key(index));
        if waited || self.early.is_empty() {
            self.recorder.keep_waiting(self.early.values())?;
        }
        self.kept = self.early.keys().copied().collect();
        self.ticked = Instant::now();
        Ok(())
    }
}
