//! Plays a part: the same threads and the same journal as those of a run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use super::{Build, Completion, PartFolder};
use crate::conduct::in_order::{EngineWarning, Record, Threads, play_in_order};
use crate::conduct::pair_lines::PlayedLines;
use crate::conduct::pair_player::{Arena, PairPlayer};
use crate::conduct::steering::KnownPairs;
use crate::conduct::threads_file::ThreadsFile;
use crate::interrupt::Interrupt;
use crate::record::recorded_pair::{RecordedPair, Waiting};
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::RESULTS;
use lmrlab_results::journal::Journal;
use lmrlab_results::utc::Utc;

/// How the work on a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Played {
    /// It was played to its end.
    ToItsEnd,
    /// There was nothing to do: it was played before.
    Before,
    /// The user asked to stop.
    Interrupted,
}

/// Plays the remaining pairs of a part. `each` gets the number of played pairs, and the number of all its pairs.
///
/// # Errors
/// When a file is damaged or cannot be written, or an engine panics.
pub fn play_part(
    player: &PairPlayer<'_>,
    part: &PartFolder,
    (threads, host, program): (Threads, &str, &Build),
    interrupt: &Interrupt,
    each: &mut dyn FnMut(u64, u64),
) -> Result<Played, Failure> {
    let arena = &player.arena;
    let tasks = part.tasks(arena)?;
    let is_complete = || matches!(part.returned(arena, &tasks), Ok(Some(_)));
    if is_complete() {
        return Ok(Played::Before);
    }
    let (started, clock) = (Utc::now(), Instant::now());
    let journal = Journal::<PlayedLines, 1>::open(part.folder(), RESULTS, arena.played_lines())?;
    // Another process may have played the part before it released the lock.
    if is_complete() {
        return Ok(Played::Before);
    }
    let mut recorded = 0;
    let journal = journal.recover(&mut |[result]| {
        let is_next = tasks.get(recorded).is_some_and(|task| arena.fits(task, &result));
        recorded += usize::from(is_next);
        Ok(is_next)
    })?;
    let waiting = waiting(arena, &journal, &tasks[recorded..], recorded as u64);
    let left = (tasks.len() - recorded) as u64;
    let tasks: Arc<[Pair]> = tasks.into();
    let mut record = Recording {
        arena,
        journal,
        tasks: Arc::clone(&tasks),
        recorded: recorded as u64,
        warnings: BTreeSet::new(),
        each,
    };
    let threads = threads.for_pairs(left);
    let file = ThreadsFile::of(part.path(), threads.count);
    let play = |players: &mut _, pair: &_, warnings: &mut _| player.play(players, pair, warnings);
    play_in_order(&play, &mut record, waiting, threads, file, interrupt)?;
    if record.recorded < tasks.len() as u64 {
        return Ok(Played::Interrupted);
    }
    let warnings = record.warnings.into_iter().collect();
    // The journal stays locked until the completion is written.
    let _journal = record.journal;
    part.complete(&Completion {
        host: host.to_owned(),
        lmrlab: program.version.clone(),
        commit: program.commit.clone(),
        bench: program.bench,
        started: started.to_string(),
        ended: Utc::now().to_string(),
        pairs: tasks.len() as u64,
        milliseconds: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        manifest_sha256: part.manifest_sha256(),
        results_sha256: part.results_sha256()?,
        warnings,
    })?;
    Ok(Played::ToItsEnd)
}

/// Results that an earlier process finished before their turn, by their place in the part. `left` are the pairs from
/// `first` on.
fn waiting(arena: &Arena<'_>, journal: &Journal<PlayedLines, 1>, left: &[Pair], first: u64) -> Waiting {
    let place = |result: &RecordedPair| left.iter().position(|pair| arena.fits(pair, result));
    let waiting = journal.waiting().into_iter();
    waiting
        .filter_map(|[result]| Some((first + place(&result)? as u64, result)))
        .collect()
}

/// Records the results of a part.
struct Recording<'r> {
    arena: &'r Arena<'r>,
    journal: Journal<PlayedLines, 1>,
    tasks: Arc<[Pair]>,
    recorded: u64,
    warnings: BTreeSet<String>,
    each: &'r mut dyn FnMut(u64, u64),
}

impl Record for Recording<'_> {
    fn recorded(&self) -> u64 {
        self.recorded
    }

    fn known(&self) -> KnownPairs {
        KnownPairs::some(0, Arc::clone(&self.tasks), false, None)
    }

    fn is_decided(&self) -> bool {
        false
    }

    fn record(&mut self, result: RecordedPair) -> Result<bool, Failure> {
        self.journal.append(std::array::from_ref(&result))?;
        self.recorded += 1;
        (self.each)(self.recorded, self.tasks.len() as u64);
        Ok(false)
    }

    fn keep_waiting(&mut self, waiting: &Waiting) -> Result<(), Failure> {
        self.journal.keep_waiting(waiting.values().map(std::array::from_ref))
    }

    fn sync(&mut self) -> Result<(), Failure> {
        self.journal.sync()
    }

    fn warn(&mut self, warning: EngineWarning) {
        self.warnings.insert(self.arena.warning_text(&warning));
    }

    fn steered(&mut self, _what: &str) {}
}
