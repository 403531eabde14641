//! What the core tells about a run while it goes on.

use crate::conduct::workers::Ended;
use crate::record::journal::GameRow;
use crate::record::recorder::Progress;

/// One thing that happened.
#[derive(Debug)]
pub enum Event<'e> {
    /// The first games are about to begin; nothing has been played.
    Started(&'e Progress),
    /// One more pair has been recorded.
    PairRecorded {
        /// Its games.
        games: &'e [GameRow; 2],
        /// How far the run has come with it.
        progress: &'e Progress,
    },
    /// A race has decided what becomes of an engine.
    Fate {
        /// Its index.
        engine: usize,
        /// How far the run has come with that.
        progress: &'e Progress,
    },
    /// An engine did something odd that cost it no game, for the first time.
    Remark {
        /// The engine.
        engine: &'e str,
        /// What it did, in words that go on from its name.
        what: &'e str,
    },
    /// The last pair has been recorded.
    Finished(&'e Progress),
    /// All files have been written.
    Ended {
        /// Why there are no more games.
        ended: Ended,
        /// What the run came to.
        progress: &'e Progress,
    },
}

/// Someone who wants to know.
pub trait Observer {
    /// Something happened.
    fn on_event(&mut self, event: Event<'_>);
}

/// Wants to know nothing.
#[derive(Debug, Clone, Copy, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on_event(&mut self, _: Event<'_>) {}
}
