//! What the core tells about a run while it goes on.

use crate::record::recorder::Progress;

/// One thing that happened.
#[derive(Debug)]
pub enum Event<'e> {
    /// The first games are about to begin; nothing has been played.
    Started(&'e Progress),
    /// One more pair has been recorded.
    PairRecorded(&'e Progress),
    /// The last pair has been recorded.
    Finished(&'e Progress),
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
