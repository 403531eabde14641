//! The request to stop a run.

use std::sync::atomic::{AtomicBool, Ordering};

/// A request to stop, in two steps: first the run starts no new pair, then it abandons the running games.
#[derive(Debug, Default)]
pub struct Interrupt {
    requested: AtomicBool,
    abandon: AtomicBool,
}

impl Interrupt {
    /// No request yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop. The first call lets the running pairs finish, the second abandons them. Returns whether this was the
    /// first call.
    pub fn request(&self) -> bool {
        let first = !self.requested.swap(true, Ordering::SeqCst);
        if !first {
            self.abandon_games();
        }
        first
    }

    /// Whether a stop is requested.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// Abandons the running games.
    pub fn abandon_games(&self) {
        self.abandon.store(true, Ordering::SeqCst);
    }

    /// Whether the running games are abandoned.
    pub fn is_abandoned(&self) -> bool {
        self.abandon.load(Ordering::SeqCst)
    }

    /// The stop flag for searches.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.abandon
    }
}
