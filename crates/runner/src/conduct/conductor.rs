//! Plays a run to its end: by threads of this process, or by the command of an executor.

use std::sync::Arc;

use super::event::{Event, RunObserver};
use super::pair_player::{Arena, PairPlayer};
use super::pool::{Pool, play_in_order};
use super::steering::Steering;
use super::threads_file::ThreadsFile;
use super::worker::{Assignment, Played};
use crate::interrupt::Interrupt;
use crate::parts::executor::{Executor, Parts};
use crate::player::traffic_log::TrafficLog;
use crate::record::fault_log::EngineLogs;
use crate::record::recorder::Recorder;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::manifest::Manifest;

/// Plays a run until no pair is left, it is decided, or the user asks to stop. Pairs are recorded in their order and reported.
/// All lines of programs that this process starts go into `log`.
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
    let left = recorder.steering.known().most_left(recorder.steering.recorded());
    let arena = Arena {
        threads: arena.threads.for_pairs(left),
        ..arena
    };
    let ended = match executor {
        None => play(arena, recorder, log, interrupt, observer),
        Some(executor) => give_out(executor, arena, (&mut *recorder, manifest), interrupt, observer),
    };
    observer.on_event(Event::Finished, &mut recorder.steering);
    ended?;
    recorder.stopped.take().map_or(Ok(()), |failure| Err(failure.into()))
}

/// Plays the pairs by threads of this process.
fn play<S: Steering>(
    arena: Arena<'_>,
    recorder: &mut Recorder<S>,
    log: Option<Arc<TrafficLog>>,
    interrupt: &Interrupt,
    observer: &mut dyn RunObserver<S>,
) -> Result<(), Failure> {
    let folder = recorder.folder().path();
    let logs = EngineLogs::new(folder, log);
    let threads = arena.threads;
    let file = ThreadsFile::of(folder, threads.count);
    let pool = Pool {
        // Threads beyond the number at first wait.
        hosts: vec![None; file.most()],
        playing: threads.count.get(),
        pinned: threads.pinned,
        pairs: 1,
        begun: Vec::new(),
        file: Some(file),
    };
    let player = PairPlayer::new(arena, recorder.before, interrupt, &logs);
    let play = |assignment: Assignment<'_>| {
        let mut results = Vec::new();
        for pair in &assignment.work.pairs {
            match player.play(assignment.players, pair, assignment.warnings)? {
                Some(result) => results.push(result),
                None => return Ok(Played::Nothing(assignment.work.pairs.clone())),
            }
        }
        Ok(Played::Results(results, None))
    };
    play_in_order(&play, recorder, observer, pool, interrupt)
}

/// Gives the pairs out as parts, which the executor's command plays.
fn give_out<S: Steering>(
    executor: &Executor,
    arena: Arena<'_>,
    (recorder, manifest): (&mut Recorder<S>, &Manifest),
    interrupt: &Interrupt,
    observer: &mut dyn RunObserver<S>,
) -> Result<(), Failure> {
    let folder = recorder.folder().path().to_owned();
    let parts = Parts::of(executor, (&folder, manifest), arena, interrupt)?;
    let pool = parts.pool(recorder);
    play_in_order(
        &|assignment| parts.play(assignment),
        recorder,
        observer,
        pool,
        interrupt,
    )?;
    parts.end(&recorder.steering);
    Ok(())
}
