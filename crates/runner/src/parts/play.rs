//! Plays a part: the threads and the recorder of every run, with the tasks of the part as its steering.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use super::{Completion, PartFolder};
use crate::conduct::conduct;
use crate::conduct::event::{Event, RunObserver};
use crate::conduct::pair_player::Arena;
use crate::conduct::steering::{Counted, KnownPairs, Steering};
use crate::interrupt::Interrupt;
use crate::record::recorder::{Recorded, Recorder};
use crate::tournament::faults_allowed::FaultsAllowed;
use crate::tournament::schedule::Pair;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::ResultFile;
use lmrlab_results::manifest::Invocation;
use lmrlab_results::rows::games::GameRow;
use lmrlab_results::utc::Utc;

/// How the work on a part ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PartEnding {
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
    arena: &Arena<'_>,
    part: &PartFolder,
    (host, program): (&str, &Invocation),
    interrupt: &Interrupt,
    each: &mut dyn FnMut(u64, u64),
) -> Result<PartEnding, Failure> {
    let tasks = part.tasks(arena.names).map_err(|why| part.refused(&why))?;
    let pairs: Arc<[Pair]> = tasks.into_iter().map(|(pair, _)| pair).collect();
    let is_complete = || matches!(part.returned(arena.names), Ok(Some(_)));
    if is_complete() {
        return Ok(PartEnding::Before);
    }
    let (started, clock) = (Utc::now(), Instant::now());
    let recorded = Recorded {
        names: arena.names.to_vec(),
        has_overrides: arena.changes.is_some(),
        pgn: None,
        // Faults in a row stop the whole run, not a part of it.
        faults_allowed: FaultsAllowed::any_number(),
        openings: Some(arena.openings),
    };
    let tasks = Tasks {
        pairs: Arc::clone(&pairs),
        played: 0,
    };
    let mut recorder = Recorder::resume(&part.folder, tasks, recorded)?;
    // Another process may have played the part before it released the lock.
    if is_complete() {
        return Ok(PartEnding::Before);
    }
    let mut watch = Watch {
        warnings: BTreeSet::new(),
        each,
    };
    let run = (&mut recorder, &part.manifest);
    conduct(arena.clone(), run, None, None, interrupt, &mut watch)?;
    recorder.sync()?;
    if recorder.steering.left() > 0 {
        return Ok(PartEnding::Interrupted);
    }
    // The journal stays locked until the completion is written.
    part.complete(Completion {
        host: host.to_owned(),
        lmrlab: program.version.clone(),
        commit: program.commit.clone(),
        bench: program.bench,
        started: started.to_string(),
        ended: Utc::now().to_string(),
        pairs: pairs.len() as u64,
        milliseconds: u64::try_from(clock.elapsed().as_millis()).unwrap_or(u64::MAX),
        manifest_sha256: String::new(),
        games_sha256: String::new(),
        warnings: watch.warnings.into_iter().collect(),
    })?;
    Ok(PartEnding::ToItsEnd)
}

/// The pairs of a part, and how many of them are played. Their numbers follow each other.
struct Tasks {
    pairs: Arc<[Pair]>,
    played: u64,
}

impl Tasks {
    fn first(&self) -> u64 {
        self.pairs.first().map_or(0, |pair| pair.index)
    }

    fn left(&self) -> u64 {
        self.pairs.len() as u64 - self.played
    }
}

impl Steering for Tasks {
    fn pairs_file(&self) -> Result<Option<(ResultFile, Vec<u8>)>, Failure> {
        Ok(None)
    }

    fn recorded(&self) -> u64 {
        self.first() + self.played
    }

    fn known(&self) -> KnownPairs {
        KnownPairs::some(self.first(), Arc::clone(&self.pairs), false)
    }

    fn count(&mut self, _: &[GameRow; 2]) -> Result<Counted, Failure> {
        self.played += 1;
        Ok(Counted {
            line: Vec::new(),
            changes: false,
        })
    }

    fn is_decided(&self) -> bool {
        false
    }
}

/// Counts the pairs of a part, and collects the warnings.
struct Watch<'w> {
    warnings: BTreeSet<String>,
    each: &'w mut dyn FnMut(u64, u64),
}

impl RunObserver<Tasks> for Watch<'_> {
    fn on_event(&mut self, event: Event<'_>, tasks: &mut Tasks) {
        match event {
            Event::PairRecorded { .. } => (self.each)(tasks.played, tasks.pairs.len() as u64),
            Event::Warning { engine, what } => _ = self.warnings.insert(format!("`{engine}` {what}")),
            _ => {}
        }
    }
}
