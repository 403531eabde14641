//! The playing of a tuning run: batch after batch, each on all threads, journalled in the order of the pairs.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use cozy_chess::Color;
use lmrlab_engine::position::Position;

use super::journal::{Journal, Row};
use super::plan::{Budget, Plan};
use super::subject::Seat;
use super::{Method, Probe};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::play::{Side, play};
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::player::Player;
use lmrlab_stats::{GameOutcome, PairOutcome};

/// How long a loss of power may take back.
const TICK: Duration = Duration::from_millis(900);

/// Why no more pairs are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The budget is spent.
    Complete,
    /// Somebody asked to stop.
    Interrupted,
}

/// What is told after each batch.
pub struct Progress<'p> {
    /// Pairs that have been played.
    pub pairs: u64,
    /// Of them, in this part of the run.
    pub here: u64,
    /// Time since this part of the run began.
    pub elapsed: Duration,
    /// What is known by now.
    pub method: &'p mut dyn Method,
}

/// Two seats of a worker.
struct Desk {
    seats: [Seat; 2],
    players: [Option<Box<dyn Player>>; 2],
}

/// A run that goes on.
pub struct Run<'r> {
    plan: &'r Plan,
    interrupt: &'r Interrupt,
    desks: Vec<Mutex<Desk>>,
    order: Vec<u32>,
    begun: Instant,
    /// What earlier parts of the run took.
    before: Duration,
}

enum Message {
    Played(usize, Row, Vec<String>),
    Broken(Failure),
}

impl<'r> Run<'r> {
    /// A run of this plan, earlier parts of which took so long.
    pub fn new(plan: &'r Plan, interrupt: &'r Interrupt, before: Duration) -> Self {
        let desks = (0..plan.threads.get()).map(|_| {
            Mutex::new(Desk {
                seats: [(); 2].map(|()| plan.subject.seat(plan.conditions.hash_mib)),
                players: [None, None],
            })
        });
        Self {
            desks: desks.collect(),
            order: plan.opening_order().0,
            plan,
            interrupt,
            begun: Instant::now(),
            before,
        }
    }

    /// How long the run has taken, with its earlier parts.
    pub fn elapsed(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    /// Plays to the end of the budget. `known` are the rows of the journal; they are taken as played.
    ///
    /// # Errors
    /// When the journal is not of this plan or cannot be written, or an engine breaks down.
    pub fn play(
        &self,
        method: &mut dyn Method,
        known: &[Row],
        journal: &mut Journal,
        told: &mut dyn FnMut(Progress<'_>),
        remark: &mut dyn FnMut(String),
    ) -> Result<Ended, Failure> {
        let budget = match self.plan.budget {
            Budget::Pairs(pairs) => pairs,
            Budget::Time(_) => u64::MAX,
        };
        let mut known = known.iter();
        let mut played = 0_u64;
        let mut here = 0;
        while played < budget {
            if self.time_is_up() && known.len() == 0 {
                break;
            }
            let mut probes = method.next();
            if probes.is_empty() {
                break;
            }
            probes.truncate(usize::try_from(budget - played).unwrap_or(usize::MAX));
            let mut outcomes = Vec::with_capacity(probes.len());
            for (probe, row) in probes.iter().zip(known.by_ref()) {
                if *probe != row.probe {
                    return Err(Failure::input(
                        format!("pair {} of the journal is not one of this run", row.pair),
                        "the journal was changed, or was written by another version of lmrlab",
                    ));
                }
                outcomes.push(row.outcome());
            }
            let rest = &probes[outcomes.len()..];
            let first = played + outcomes.len() as u64;
            let before = outcomes.len();
            self.batch(rest, first, journal, remark, &mut outcomes)?;
            here += (outcomes.len() - before) as u64;
            played += outcomes.len() as u64;
            let complete = outcomes.len() == probes.len();
            if !complete && !self.time_is_up() {
                // What is there of the batch waits in the journal until the run goes on.
                return Ok(Ended::Interrupted);
            }
            method.record(&outcomes);
            told(Progress {
                pairs: played,
                here,
                elapsed: self.elapsed(),
                method,
            });
            if !complete {
                break;
            }
        }
        Ok(Ended::Complete)
    }

    fn time_is_up(&self) -> bool {
        match self.plan.budget {
            Budget::Pairs(_) => false,
            Budget::Time(time) => self.elapsed() >= time,
        }
    }

    /// Plays some pairs, the first of which has this index in the run, and journals them in their order.
    fn batch(
        &self,
        probes: &[Probe],
        first: u64,
        journal: &mut Journal,
        remark: &mut dyn FnMut(String),
        outcomes: &mut Vec<PairOutcome>,
    ) -> Result<(), Failure> {
        let next = AtomicUsize::new(0);
        let (sender, receiver) = channel();
        std::thread::scope(|scope| {
            for desk in &self.desks {
                let (sender, next) = (sender.clone(), &next);
                scope.spawn(move || {
                    let Ok(mut desk) = desk.lock() else { return };
                    while !self.interrupt.is_requested() && !self.time_is_up() {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        let Some(probe) = probes.get(index) else {
                            break;
                        };
                        let pair = first + index as u64;
                        // An engine that panics must not pass for one that lost.
                        let played =
                            catch_unwind(AssertUnwindSafe(|| self.pair(pair, probe, &mut desk)));
                        let message = match played {
                            Ok(Some((row, remarks))) => Message::Played(index, row, remarks),
                            Ok(None) => break,
                            Err(panic) => Message::Broken(Failure::mistake(
                                &format!("pair {}", pair + 1),
                                &*panic,
                            )),
                        };
                        if sender.send(message).is_err() {
                            break;
                        }
                    }
                });
            }
            drop(sender);
            let mut early = BTreeMap::new();
            let mut written = 0;
            let mut synced = Instant::now();
            let mut failure = None;
            loop {
                match receiver.recv_timeout(TICK) {
                    Ok(Message::Played(index, row, remarks)) => {
                        early.insert(index, row);
                        remarks.into_iter().for_each(&mut *remark);
                    }
                    Ok(Message::Broken(broken)) => failure = Some(broken),
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => break,
                }
                while failure.is_none()
                    && let Some(row) = early.remove(&written)
                {
                    failure = journal.append(&row).err();
                    outcomes.push(row.outcome());
                    written += 1;
                }
                if failure.is_none() && synced.elapsed() >= TICK {
                    failure = journal.sync().err();
                    synced = Instant::now();
                }
                if failure.is_some() {
                    self.interrupt.request();
                    self.interrupt.abandon_games();
                }
            }
            failure.map_or_else(|| journal.sync(), Err)
        })
    }

    /// Plays one pair; `None` when it was abandoned.
    fn pair(&self, index: u64, probe: &Probe, desk: &mut Desk) -> Option<(Row, Vec<String>)> {
        let plan = self.plan;
        let opening = self.order[(index % self.order.len() as u64) as usize] as usize;
        let start = Position::from_fen(plan.openings.fen(opening)?).ok()?;
        let [first_seat, second_seat] = &mut desk.seats;
        let [first_place, second_place] = &mut desk.players;
        let first = first_seat.take(&plan.subject, &probe.first, first_place);
        let second = second_seat.take(&plan.subject, &probe.second, second_place);
        let terms = plan.conditions.terms;
        let game = |white: &mut dyn Player, black: &mut dyn Player, side: Color| {
            let (white, black) = (
                Side {
                    player: white,
                    terms,
                },
                Side {
                    player: black,
                    terms,
                },
            );
            let game = play(
                white,
                black,
                &start,
                &plan.conditions.adjudication,
                self.interrupt,
            )?;
            Some((
                game.result.outcome_for(side),
                game.fault.map(|fault| fault.what),
            ))
        };
        let (one, first_fault) = game(first, second, Color::White)?;
        let (two, second_fault) = game(second, first, Color::Black)?;
        let mut remarks: Vec<String> = [first_fault, second_fault]
            .into_iter()
            .flatten()
            .map(|what| format!("pair {}: the engine {what}", index + 1))
            .collect();
        remarks.extend(first.take_remarks());
        remarks.extend(second.take_remarks());
        let games: [GameOutcome; 2] = [one, two];
        let row = Row {
            pair: index + 1,
            opening: opening + 1,
            games,
            probe: probe.clone(),
        };
        Some((row, remarks))
    }
}
