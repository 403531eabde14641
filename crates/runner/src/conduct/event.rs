//! Events: what a run reports while it plays. The runner prints nothing; an observer turns events into text.

use crate::record::progress::Ended;
use lmrlab_results::rows::games::GameRow;

/// Something that happened in a run.
#[derive(Debug)]
pub enum Event<'e> {
    /// The first games of this process are about to begin.
    Started,
    /// One more pair has been recorded.
    PairRecorded {
        /// Its games.
        games: &'e [GameRow; 2],
        /// Whether it has changed the pairs that come next.
        changes: bool,
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
    Finished,
    /// All files of a tournament have been written, or a reader asks how far it is.
    Ended {
        /// Why there are no more games; `None` while a process plays them.
        ended: Option<Ended>,
    },
}

/// Receives the events of a run, each with the steering: it knows where the run stands.
pub trait RunObserver<S> {
    /// Something happened.
    fn on_event(&mut self, event: Event<'_>, steering: &mut S);
}

/// Ignores all events.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl<S> RunObserver<S> for Silent {
    fn on_event(&mut self, _: Event<'_>, _: &mut S) {}
}
