//! The playing of a tuning run: batch after batch of pairs, recorded in their order.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use cozy_chess::Color;
use lmrlab_engine::position::Position;

use super::plan::{Budget, Plan};
use super::subject::TunedPlayer;
use super::tuning_pairs::{TuningJournal, TuningPair};
use super::{Method, PairResult, Probe};
use lmrlab_runner::conduct::in_order::{Play, Record, Tasks, Threads, Waiting, play_in_order};
use lmrlab_runner::failure::Failure;
use lmrlab_runner::game::outcome::FaultClass;
use lmrlab_runner::game::pair::{Rules, play_pair};
use lmrlab_runner::game::play::Side;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::player::{Remark, RemarkKind};

/// Why no more pairs are played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ended {
    /// The budget is spent.
    Complete,
    /// Somebody asked to stop.
    Interrupted,
}

/// What is reported after each pair.
pub struct Progress<'p> {
    /// Pairs that have been played.
    pub pairs: u64,
    /// Of them, by this process.
    pub here: u64,
    /// Time that the run has taken, with its earlier parts.
    pub elapsed: Duration,
    /// Whether the method has learned from all of them; otherwise the last batch is incomplete.
    pub has_learned: bool,
    /// What is known by now.
    pub method: &'p mut dyn Method,
}

/// A run that goes on.
pub struct Run<'r> {
    plan: &'r Plan,
    interrupt: &'r Interrupt,
    /// The order of the openings.
    order: Vec<u32>,
    begun: Instant,
    /// What earlier parts of the run took.
    before: Duration,
}

impl<'r> Run<'r> {
    /// A run of this plan, whose earlier parts took `before`.
    pub fn new(plan: &'r Plan, interrupt: &'r Interrupt, before: Duration) -> Self {
        Self {
            order: plan.opening_order().0,
            plan,
            interrupt,
            begun: Instant::now(),
            before,
        }
    }

    /// Plays to the end of the budget. `played` are the pairs of the journal; the method learns from them first.
    ///
    /// # Errors
    /// When the journal is not of this plan or cannot be written, or an engine panics.
    pub fn play(
        &self,
        method: &mut dyn Method,
        played: &[TuningPair],
        journal: &mut TuningJournal,
        report: &mut dyn FnMut(Progress<'_>),
        remark: &mut dyn FnMut(String),
    ) -> Result<Ended, Failure> {
        let mut learning = Learning {
            run: self,
            method,
            report,
            batch: self.batch(0, Vec::new()),
            results: Vec::new(),
            here: 0,
        };
        learning.next_batch(!played.is_empty());
        for (index, pair) in played.iter().enumerate() {
            let asked = learning.batch.get(index as u64);
            if asked.is_none_or(|asked| asked.probe != pair.probe) {
                return Err(Failure::input(
                    format!("pair {} of the journal is not one of this run", pair.pair),
                    "the journal was changed, or was written by another version of lmrlab",
                ));
            }
            learning.learn(pair.result(), index + 1 < played.len());
        }
        let waiting = journal.waiting().into_iter().filter_map(|[pair]| {
            let number = pair.pair.checked_sub(1)?;
            let task = learning.batch.get(number)?;
            let wanted = number >= learning.recorded() && task.probe == pair.probe;
            wanted.then_some((number, (task, PlayedPair { pair, faults: None })))
        });
        let waiting = waiting.collect();
        let mut recording = Recording {
            learning: &mut learning,
            journal,
            remark,
            remarked: BTreeSet::new(),
            lost: 0,
            stopped: None,
        };
        let threads = Threads {
            count: self.plan.threads,
            pinned: false,
        };
        let threads = match self.plan.budget {
            Budget::Pairs(pairs) => threads.for_tasks(pairs.saturating_sub(played.len() as u64)),
            Budget::Time(_) => threads,
        };
        play_in_order(self, &mut recording, waiting, threads, self.interrupt)?;
        if let Some(message) = recording.stopped {
            return Err(Failure::Run(message));
        }
        if learning.batch.probes.is_empty() {
            return Ok(Ended::Complete);
        }
        if !learning.batch.is_time_up() {
            // The journal keeps the pairs of an incomplete batch until the run goes on.
            return Ok(Ended::Interrupted);
        }
        learning.end_batch();
        learning.report(true);
        Ok(Ended::Complete)
    }

    /// Time that the run has taken, with its earlier parts.
    fn elapsed(&self) -> Duration {
        self.before + self.begun.elapsed()
    }

    fn batch(&self, first: u64, probes: Vec<Probe>) -> Batch {
        Batch {
            first,
            probes: probes.into(),
            deadline: match self.plan.budget {
                Budget::Pairs(_) => None,
                Budget::Time(time) => self.begun.checked_add(time.saturating_sub(self.before)),
            },
        }
    }
}

/// A pair that is to be played.
#[derive(Debug, Clone, PartialEq)]
pub struct PairTask {
    /// Its number, from 0.
    number: u64,
    probe: Probe,
}

/// A pair that was played.
pub struct PlayedPair {
    pair: TuningPair,
    /// The crash, stall or illegal move that ended each game; `None` for a pair that was read from a file.
    faults: Option<[Option<String>; 2]>,
}

/// Something to be reported of the engine.
pub enum Remarked {
    /// A fault that ended a game.
    Fault(String),
    /// An oddity; one of a kind is enough.
    Odd(Remark),
}

/// The pairs that the method has asked for.
#[derive(Clone)]
struct Batch {
    /// The number of the first one.
    first: u64,
    /// None when the run is complete.
    probes: Arc<[Probe]>,
    /// When the time of the run is up.
    deadline: Option<Instant>,
}

impl Tasks for Batch {
    type Task = PairTask;

    fn get(&self, number: u64) -> Option<PairTask> {
        let index = usize::try_from(number.checked_sub(self.first)?).ok()?;
        let probe = self.probes.get(index)?.clone();
        Some(PairTask { number, probe })
    }

    fn more_may_come(&self, _recorded: u64) -> bool {
        !self.probes.is_empty()
    }

    fn is_time_up(&self) -> bool {
        self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }
}

impl Play for Run<'_> {
    type Task = PairTask;
    type Result = PlayedPair;
    type Remark = Remarked;
    type Worker = [TunedPlayer; 2];

    fn worker(&self) -> [TunedPlayer; 2] {
        [(); 2].map(|()| self.plan.subject.player(self.plan.conditions.hash_mib))
    }

    fn play(&self, players: &mut [TunedPlayer; 2], task: &PairTask, remarks: &mut Vec<Remarked>) -> Option<PlayedPair> {
        let plan = self.plan;
        let opening = self.order[(task.number % self.order.len() as u64) as usize] as usize;
        let start = Position::from_fen(plan.openings.fen(opening)?).ok()?;
        let [first, second] = players;
        let first = first.with_values(&plan.subject, &task.probe.first);
        let second = second.with_values(&plan.subject, &task.probe.second);
        let terms = plan.conditions.terms;
        let rules = Rules {
            adjudication: &plan.conditions.adjudication,
            interrupt: self.interrupt,
            begun: self.begun,
        };
        let one = Side {
            player: &mut *first,
            terms,
        };
        let other = Side {
            player: &mut *second,
            terms,
        };
        let games = play_pair(one, other, &start, rules)?.map(|timed| timed.game);
        let outcomes = [
            games[0].result.outcome_for(Color::White),
            games[1].result.outcome_for(Color::Black),
        ];
        let mut faults_of = [0; 2];
        for (game, first) in games.iter().zip([Color::White, Color::Black]) {
            if let Some(side) = game.fault_side() {
                faults_of[usize::from(side != first)] += 1;
            }
        }
        let faults = games.each_ref().map(|game| {
            let class = game.termination.fault().filter(|class| *class != FaultClass::TimeLoss);
            class.and(game.fault.as_ref()).map(|fault| fault.what.clone())
        });
        let said = games.into_iter().filter_map(|game| game.fault);
        remarks
            .extend(said.map(|fault| Remarked::Fault(format!("pair {}: the engine {}", task.number + 1, fault.what))));
        let odd = first.take_remarks().into_iter().chain(second.take_remarks());
        remarks.extend(odd.map(Remarked::Odd));
        let pair = TuningPair {
            pair: task.number + 1,
            opening: opening + 1,
            games: outcomes,
            faults: faults_of,
            probe: task.probe.clone(),
        };
        Some(PlayedPair {
            pair,
            faults: Some(faults),
        })
    }

    fn describe(&self, task: &PairTask) -> String {
        format!("pair {}", task.number + 1)
    }
}

/// What the method has asked for, and what it has been told.
struct Learning<'l> {
    run: &'l Run<'l>,
    method: &'l mut dyn Method,
    report: &'l mut dyn FnMut(Progress<'_>),
    batch: Batch,
    /// Of the first pairs of the batch.
    results: Vec<PairResult>,
    /// Pairs that this process has played.
    here: u64,
}

impl Learning<'_> {
    fn recorded(&self) -> u64 {
        self.batch.first + self.results.len() as u64
    }

    /// Takes the result of the next pair, and reports unless the journal has more of them (`more_played`). Returns whether the batch is
    /// complete with it, so that there is another.
    fn learn(&mut self, result: PairResult, more_played: bool) -> bool {
        self.results.push(result);
        let complete = self.results.len() == self.batch.probes.len();
        if complete {
            self.end_batch();
        }
        if !more_played {
            self.report(complete);
        }
        if complete {
            self.next_batch(more_played);
        }
        complete
    }

    fn report(&mut self, has_learned: bool) {
        let pairs = self.recorded();
        (self.report)(Progress {
            pairs,
            here: self.here,
            elapsed: self.run.elapsed(),
            has_learned,
            method: self.method,
        });
    }

    /// Tells the method the results of the batch.
    fn end_batch(&mut self) {
        let pairs = self.recorded();
        self.method.record(&self.results);
        self.results.clear();
        self.batch = self.run.batch(pairs, Vec::new());
    }

    /// Asks the method for the next batch; an empty one when the budget is spent or the method has nothing to ask.
    fn next_batch(&mut self, more_played: bool) {
        let budget = match self.run.plan.budget {
            Budget::Pairs(pairs) => pairs,
            Budget::Time(_) => u64::MAX,
        };
        let first = self.batch.first;
        let left = budget.saturating_sub(first);
        if left == 0 || (self.batch.is_time_up() && !more_played) {
            return;
        }
        let mut probes = self.method.next();
        probes.truncate(usize::try_from(left).unwrap_or(usize::MAX));
        self.batch = self.run.batch(first, probes);
    }
}

/// Records pairs, and lets the method learn from them.
struct Recording<'r, 'l> {
    learning: &'r mut Learning<'l>,
    journal: &'r mut TuningJournal,
    remark: &'r mut dyn FnMut(String),
    /// The kinds of oddities that were reported.
    remarked: BTreeSet<RemarkKind>,
    /// Games in a row that ended by a crash, stall or illegal move. The journal does not say, so a resumed run begins anew.
    lost: u64,
    /// Why the run stops: too many games in a row ended by faults.
    stopped: Option<String>,
}

impl Recording<'_, '_> {
    /// Counts games in a row that ended by faults, and stops the run when there are too many.
    fn count_faults(&mut self, faults: [Option<String>; 2]) {
        let allowed = self.learning.run.plan.conditions.faults_allowed.limit();
        for fault in faults {
            let Some(fault) = fault else {
                self.lost = 0;
                continue;
            };
            self.lost += 1;
            if allowed.is_some_and(|allowed| self.lost == allowed.get()) {
                self.stopped = Some(format!(
                    "{} games in a row ended by crashes, stalls or illegal moves; in the last one the engine {fault}; \
                     `faults_allowed = \"inf\"` plays on whatever the engine does",
                    self.lost
                ));
            }
        }
    }
}

impl Record for Recording<'_, '_> {
    type Tasks = Batch;
    type Result = PlayedPair;
    type Remark = Remarked;

    fn recorded(&self) -> u64 {
        self.learning.recorded()
    }

    fn tasks(&self) -> Batch {
        self.learning.batch.clone()
    }

    fn is_decided(&self) -> bool {
        self.stopped.is_some()
    }

    fn record(&mut self, _: &PairTask, PlayedPair { pair, faults }: PlayedPair) -> Result<bool, Failure> {
        self.journal.append(std::array::from_ref(&pair))?;
        self.learning.here += 1;
        if let Some(faults) = faults {
            self.count_faults(faults);
        }
        Ok(self.learning.learn(pair.result(), false))
    }

    fn keep_waiting(&mut self, waiting: &Waiting<PairTask, PlayedPair>) -> Result<(), Failure> {
        let pairs = waiting.values().map(|(_, played)| std::array::from_ref(&played.pair));
        self.journal.keep_waiting(pairs)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync()
    }

    fn remark(&mut self, remark: Remarked) {
        match remark {
            Remarked::Fault(what) => (self.remark)(what),
            Remarked::Odd(remark) => {
                if self.remarked.insert(remark.kind) {
                    (self.remark)(format!("the engine {}", remark.what));
                }
            }
        }
    }
}
