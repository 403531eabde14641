//! The loop of every run: pairs are played, recorded in their order and reported, until the steering has no more.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::collector::Record;
use super::event::{Event, RunObserver};
use super::pair_player::{Arena, PairPlayer};
use super::steering::{KnownPairs, Steering};
use super::worker::EngineWarning;
use crate::interrupt::Interrupt;
use crate::parts::executor::{Executor, RunInPlay, play};
use crate::player::WarningKind;
use crate::player::traffic_log::TrafficLog;
use crate::record::fault_log::EngineLogs;
use crate::record::recorded_pair::{RecordedPair, Waiting};
use crate::record::recorder::Recorder;
use crate::tournament::faults_allowed::FaultsAllowed;
use lmrlab_diagnostics::failure::{Failure, RunFailure};
use lmrlab_results::manifest::Manifest;

/// Plays a run to its end, by the executor if there is one. Pairs are recorded in their order. All lines of programs go into `log`.
///
/// # Errors
/// When a file cannot be written, the threads cannot be started, an engine panics, or one loses too many games in a row by
/// its faults. Earlier results stay recorded.
pub fn conduct<S: Steering>(
    arena: Arena<'_>,
    (recorder, manifest): (&mut Recorder<S>, &Manifest),
    log: Option<Arc<TrafficLog>>,
    executor: Option<&Executor>,
    interrupt: &Interrupt,
    observer: &mut dyn RunObserver<S>,
) -> Result<(), Failure> {
    observer.on_event(Event::Started, &mut recorder.steering);
    let waiting = recorder.take_waiting();
    let left = recorder.steering.known().most_left(recorder.steering.recorded());
    let folder = recorder.folder().path().to_owned();
    let logs = EngineLogs::new(&folder, log);
    let player = PairPlayer::new(arena.clone(), recorder.before, interrupt, &logs);
    let mut recording = Recording {
        recorder,
        observer,
        names: arena.names,
        faults_allowed: arena.conditions.faults_allowed,
        stopped: None,
        warnings: BTreeSet::new(),
    };
    let run = RunInPlay {
        folder: &folder,
        manifest,
        threads: arena.threads.for_pairs(left),
    };
    let ended = play(executor, run, &player, &mut recording, waiting, interrupt);
    let stopped = recording.stopped.take();
    observer.on_event(Event::Finished, &mut recorder.steering);
    ended?;
    stopped.map_or(Ok(()), |failure| Err(failure.into()))
}

/// Records pairs of a run and reports them.
struct Recording<'r, S> {
    recorder: &'r mut Recorder<S>,
    observer: &'r mut dyn RunObserver<S>,
    names: &'r [String],
    faults_allowed: FaultsAllowed,
    /// Why the run stops: an engine has lost too many games in a row by its faults.
    stopped: Option<RunFailure>,
    /// The warnings that were already reported, by engine.
    warnings: BTreeSet<(usize, WarningKind)>,
}

impl<S: Steering> Record for Recording<'_, S> {
    fn recorded(&self) -> u64 {
        self.recorder.steering.recorded()
    }

    fn known(&self) -> KnownPairs {
        self.recorder.steering.known()
    }

    fn is_decided(&self) -> bool {
        self.stopped.is_some() || self.recorder.steering.is_decided()
    }

    fn record(&mut self, pair: RecordedPair) -> Result<bool, Failure> {
        let changes = self.recorder.record(&pair)?;
        let games = &pair.games;
        self.observer
            .on_event(Event::PairRecorded { games, changes }, &mut self.recorder.steering);
        if !self.recorder.steering.is_decided() {
            self.stopped = self.recorder.too_many_faults(games, self.faults_allowed);
        }
        Ok(changes)
    }

    fn keep_waiting(&mut self, waiting: &Waiting) -> Result<(), Failure> {
        self.recorder.keep_waiting(waiting.values())
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.recorder.sync()
    }

    fn steered(&mut self, what: &str) {
        self.observer
            .on_event(Event::Steered { what }, &mut self.recorder.steering);
    }

    fn warn(&mut self, (index, warning): EngineWarning) {
        if let Some(engine) = self.names.get(index)
            && self.warnings.insert((index, warning.kind))
        {
            let what = &warning.what;
            self.observer
                .on_event(Event::Warning { engine, what }, &mut self.recorder.steering);
        }
    }
}
