//! How a run is asked to stop.

use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, in two steps: first no new pair is begun, then the games in progress are given up.
#[derive(Debug, Default)]
pub struct Interrupt {
    requested: AtomicBool,
    abandon: AtomicBool,
}

impl Interrupt {
    /// Nobody has asked to stop.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop: the first time the running pairs are finished, the second time they are abandoned. Returns whether
    /// this was the first time.
    pub fn request(&self) -> bool {
        let first = !self.requested.swap(true, Ordering::SeqCst);
        if !first {
            self.abandon_games();
        }
        first
    }

    /// Whether somebody has asked to stop.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// Gives up the games in progress, because nobody needs their results any more.
    pub fn abandon_games(&self) {
        self.abandon.store(true, Ordering::SeqCst);
    }

    /// Whether the games in progress are to be given up.
    pub fn is_abandoned(&self) -> bool {
        self.abandon.load(Ordering::SeqCst)
    }

    /// The flag that a search looks at.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.abandon
    }
}
