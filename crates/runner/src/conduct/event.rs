//! Events: what a run reports while it plays. The runner prints nothing; an observer turns events into text.

use crate::record::progress::{Ended, TournamentProgress};
use lmrlab_results::games::GameRow;

/// Something that happened in a run.
#[derive(Debug)]
pub enum Event<'e> {
    /// The first games of this process are about to begin.
    Started(&'e TournamentProgress),
    /// One more pair has been recorded.
    PairRecorded {
        /// Its games.
        games: &'e [GameRow; 2],
        /// Where the run stands with it.
        progress: &'e TournamentProgress,
    },
    /// A race has dropped or accepted an engine.
    Fate {
        /// Its index.
        engine: usize,
        /// Where the run stands with that.
        progress: &'e TournamentProgress,
    },
    /// A warning about an engine, reported for the first time.
    Warning {
        /// The engine.
        engine: &'e str,
        /// What it did: the rest of a sentence that begins with its name.
        what: &'e str,
    },
    /// The user has changed the number of threads, or has asked for a wrong one.
    Steered {
        /// The effect on the run, in words.
        what: &'e str,
    },
    /// The last pair has been recorded.
    Finished(&'e TournamentProgress),
    /// All files have been written, or a reader asks how far the run is.
    Ended {
        /// Why there are no more games; `None` while a process plays them.
        ended: Option<Ended>,
        /// The state of the run.
        progress: &'e TournamentProgress,
    },
}

/// Receives the events of a run.
pub trait Observer {
    /// Something happened.
    fn on_event(&mut self, event: Event<'_>);
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on_event(&mut self, _: Event<'_>) {}
}
