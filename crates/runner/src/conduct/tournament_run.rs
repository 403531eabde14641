//! The playing of a tournament: its scheduled pairs, in order, until the last one or a decision.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use lmrlab_engine::position::Position;

use super::event::{Event, Observer};
use super::in_order::{Play, Record, Tasks, Threads, Waiting};
use super::pair_lines::{PlayedLines, ScheduledLines};
use super::portable::Portable;
use super::worker_pool::{RunInPlay, WorkerPool};
use crate::game::pair::play_pair;
use crate::game::play::Side;
use crate::game::rules::Rules;
use crate::interrupt::Interrupt;
use crate::player::traffic_log::TrafficLog;
use crate::player::{Player, Warning, WarningKind};
use crate::record::fault_log::EngineLogs;
use crate::record::progress::{Ended, TournamentProgress};
use crate::record::recorder::{RecordedPair, Recorder, is_scheduled};
use crate::tournament::Tournament;
use crate::tournament::faults_allowed::FaultsAllowed;
use crate::tournament::schedule::{Schedule, ScheduledPair};
use lmrlab_results::failure::{Failure, RunFailure};
use lmrlab_results::games::GameRow;
use lmrlab_results::manifest::Manifest;

/// Lets a worker pool play a tournament to its end. Pairs are recorded in schedule order. All lines of programs go into `log`.
///
/// # Errors
/// When a file cannot be written, the threads cannot be started, an engine panics, or one loses too many games in a row by
/// its faults. Earlier results stay recorded.
pub fn conduct(
    tournament: &Tournament,
    (recorder, manifest): (&mut Recorder, &Manifest),
    log: Option<Arc<TrafficLog>>,
    worker_pool: &mut impl WorkerPool,
    interrupt: &Interrupt,
    observer: &mut dyn Observer,
) -> Result<Ended, Failure> {
    observer.on_event(Event::Started(recorder.progress()));
    let waiting = recorder
        .take_waiting()
        .into_iter()
        .map(|pair| (pair.scheduled().index, (pair.scheduled(), pair)))
        .collect();
    let logs = EngineLogs::new(recorder.folder(), log);
    let pairs = Pairs::new(tournament, interrupt, &logs);
    let progress = recorder.progress();
    let left = progress.scheduled_pairs.saturating_sub(progress.pairs);
    let mut recording = Recording {
        recorder,
        observer,
        may_change: tournament.pairings.race.is_some(),
        faults_allowed: tournament.description.conditions.faults_allowed,
        stopped: None,
        warnings: BTreeSet::new(),
    };
    let threads = Threads {
        count: tournament.threads,
        pinned: tournament.pins(),
    };
    let folder = recording.recorder.folder().to_owned();
    let run = RunInPlay {
        folder: &folder,
        manifest,
        threads: threads.for_tasks(left),
    };
    let ended = worker_pool.play(run, &pairs, &mut recording, waiting, interrupt);
    let stopped = recording.stopped;
    observer.on_event(Event::Finished(recorder.progress()));
    ended?;
    if let Some(failure) = stopped {
        return Err(failure.into());
    }
    let progress = recorder.progress();
    Ok(match progress.decided() {
        Some(decided) => decided,
        None if progress.pairs < progress.scheduled_pairs => Ended::Interrupted,
        None => Ended::Complete,
    })
}

/// The pairs that are known from the recorded results.
struct Scheduled {
    schedule: Schedule,
    /// Whether results can change the schedule.
    may_change: bool,
}

impl Tasks for Scheduled {
    type Task = ScheduledPair;

    fn get(&self, number: u64) -> Option<ScheduledPair> {
        self.schedule.pair(number)
    }

    fn more_may_come(&self, recorded: u64) -> bool {
        self.may_change && recorded < self.schedule.pairs()
    }
}

/// Plays pairs of the tournament.
pub struct Pairs<'t> {
    tournament: &'t Tournament,
    names: Vec<String>,
    interrupt: &'t Interrupt,
    logs: &'t EngineLogs,
    begun: Instant,
}

impl<'t> Pairs<'t> {
    /// The pairs of a tournament. The start times of games are measured from now.
    pub fn new(tournament: &'t Tournament, interrupt: &'t Interrupt, logs: &'t EngineLogs) -> Self {
        Self {
            tournament,
            names: tournament.names(),
            interrupt,
            logs,
            begun: Instant::now(),
        }
    }
}

impl<'t> Portable for Pairs<'t> {
    type TaskFormat = ScheduledLines<'t>;
    type ResultFormat = PlayedLines;

    fn task_format(&self) -> ScheduledLines<'t> {
        ScheduledLines {
            names: &self.tournament.pairings.names,
            openings: &self.tournament.openings,
        }
    }

    fn result_format(&self) -> PlayedLines {
        PlayedLines(self.names.clone())
    }

    fn fits(&self, task: &ScheduledPair, result: &RecordedPair) -> bool {
        is_scheduled(result.games(), *task, &self.names, &self.tournament.openings)
    }

    fn warning_text(&self, (index, warning): &(usize, Warning)) -> String {
        format!("`{}` {}", self.names[*index], warning.what)
    }
}

impl Play for Pairs<'_> {
    type Task = ScheduledPair;
    type Result = RecordedPair;
    /// The index of an engine, and a warning about it.
    type Warning = (usize, Warning);
    /// The engines that have played in this thread.
    type Worker = Vec<Option<Box<dyn Player>>>;

    fn worker(&self) -> Self::Worker {
        self.names.iter().map(|_| None).collect()
    }

    fn play(
        &self,
        players: &mut Self::Worker,
        task: &ScheduledPair,
        warnings: &mut Vec<Self::Warning>,
    ) -> Option<RecordedPair> {
        let tournament = self.tournament;
        let fen = tournament.openings.fen(task.opening)?;
        let start = Position::from_fen(fen).ok()?;
        let both = [task.pairing.first, task.pairing.second];
        if tournament.drops_players() {
            for (index, player) in players.iter_mut().enumerate() {
                if !both.contains(&index) && tournament.engines[index].plays_policy() {
                    *player = None;
                }
            }
        }
        for index in both {
            players[index]
                .get_or_insert_with(|| tournament.engines[index].player(tournament.description.conditions.hash_mib));
        }
        let [Some(first), Some(second)] = players.get_disjoint_mut(both).ok()? else {
            return None;
        };
        let rules = Rules {
            variant: tournament.description.conditions.played_variant(),
            adjudication: &tournament.description.conditions.adjudication,
            tablebases: tournament.tablebases.as_ref(),
            interrupt: self.interrupt,
            begun: self.begun,
            logs: self.logs,
        };
        let first = Side {
            player: &mut **first,
            terms: tournament.terms_of(both[0]),
            name: &self.names[both[0]],
        };
        let second = Side {
            player: &mut **second,
            terms: tournament.terms_of(both[1]),
            name: &self.names[both[1]],
        };
        let games = play_pair(first, second, &start, task.index, rules);
        for index in both {
            if let Some(player) = &mut players[index] {
                warnings.extend(player.take_warnings().into_iter().map(|what| (index, what)));
            }
        }
        let timed = !tournament.is_deterministic();
        Some(RecordedPair::new(*task, fen, &self.names, timed, games?))
    }

    fn describe(&self, task: &ScheduledPair) -> String {
        format!(
            "`{}` against `{}` in pair {} from `{}`",
            self.names[task.pairing.first],
            self.names[task.pairing.second],
            task.index + 1,
            self.tournament.openings.fen(task.opening).unwrap_or("?"),
        )
    }
}

/// Records pairs of the tournament and reports them.
struct Recording<'r> {
    recorder: &'r mut Recorder,
    observer: &'r mut dyn Observer,
    may_change: bool,
    faults_allowed: FaultsAllowed,
    /// Why the run stops: an engine has lost too many games in a row by its faults.
    stopped: Option<RunFailure>,
    /// The warnings that were already reported, by engine.
    warnings: BTreeSet<(usize, WarningKind)>,
}

impl Record for Recording<'_> {
    type Tasks = Scheduled;
    type Result = RecordedPair;
    type Warning = (usize, Warning);

    fn recorded(&self) -> u64 {
        self.recorder.progress().pairs
    }

    fn tasks(&self) -> Scheduled {
        Scheduled {
            schedule: self.recorder.progress().schedule().clone(),
            may_change: self.may_change,
        }
    }

    fn is_decided(&self) -> bool {
        self.stopped.is_some() || self.recorder.progress().decided().is_some()
    }

    fn record(&mut self, _: &ScheduledPair, pair: RecordedPair) -> Result<bool, Failure> {
        self.recorder.record(&pair)?;
        let progress = self.recorder.progress();
        self.observer.on_event(Event::PairRecorded {
            games: pair.games(),
            progress,
        });
        if progress.decided().is_none() {
            self.stopped = too_many_in_a_row(progress, pair.games(), self.faults_allowed);
        }
        let race = progress.race.iter();
        let mut changed = false;
        for engine in race.flat_map(|race| race.decided_after(progress.pairs)) {
            self.observer.on_event(Event::Fate { engine, progress });
            changed = true;
        }
        Ok(changed)
    }

    fn keep_waiting(&mut self, waiting: &Waiting<ScheduledPair, RecordedPair>) -> Result<(), Failure> {
        let pairs = waiting.values().map(|(_, pair)| pair);
        self.recorder.keep_waiting(pairs)
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.recorder.sync()
    }

    fn steered(&mut self, what: &str) {
        self.observer.on_event(Event::Steered { what });
    }

    fn warn(&mut self, (index, warning): (usize, Warning)) {
        let names = self.recorder.progress().tally.names();
        if let Some(engine) = names.get(index)
            && self.warnings.insert((index, warning.kind))
        {
            let what = &warning.what;
            self.observer.on_event(Event::Warning { engine, what });
        }
    }
}

/// The failure of a run in which an engine has lost too many games in a row. `games` is the last pair. `None` when the
/// run may continue.
pub fn too_many_in_a_row(
    progress: &TournamentProgress,
    games: &[GameRow; 2],
    allowed: FaultsAllowed,
) -> Option<RunFailure> {
    let streak = progress.fault_streaks.reached(allowed)?;
    let last = &games[streak.last];
    Some(RunFailure::FaultsInARow {
        engine: progress.tally.names()[streak.engine].clone(),
        lost: streak.lost,
        by: allowed.counted().that_ended(streak.lost),
        game: last.game,
        fault: last.fault.clone(),
    })
}
