//! How a run is asked to stop.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use lmrlab_diagnostics::failure::RunFailure;

/// A request to stop, in two steps: first no new pair is begun, then the games in progress are abandoned.
#[derive(Debug, Default)]
pub struct Interrupt {
    requested: AtomicBool,
    abandon: AtomicBool,
    news: Mutex<News>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct News {
    /// The number of changes that a waiting thread may have to react to.
    count: u64,
    /// Whether the user, and not the run itself, has abandoned the games.
    abandoned_by_user: bool,
    /// Why the run has to end with an error.
    failure: Option<RunFailure>,
}

impl Interrupt {
    /// No stop was asked for.
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks to stop: the first call lets the running pairs be finished, the second one abandons them. Returns whether
    /// this was the first call.
    pub fn request(&self) -> bool {
        let mut news = self.lock();
        let first = !self.requested.swap(true, Ordering::SeqCst);
        if !first {
            news.abandoned_by_user = true;
            self.abandon.store(true, Ordering::SeqCst);
        }
        self.tell(news);
        first
    }

    /// Whether the run was asked to stop.
    pub fn is_requested(&self) -> bool {
        self.requested.load(Ordering::SeqCst)
    }

    /// Abandons the games in progress, because their results are no longer needed.
    pub fn abandon_games(&self) {
        if !self.is_abandoned() {
            let news = self.lock();
            self.abandon.store(true, Ordering::SeqCst);
            self.tell(news);
        }
    }

    /// Abandons the games in progress, because the machine cannot play them. Only the first reason is stored.
    pub fn fail(&self, failure: RunFailure) {
        self.lock().failure.get_or_insert(failure);
        self.abandon_games();
    }

    /// Why the machine could not play. A second call returns `None`.
    pub fn take_failure(&self) -> Option<RunFailure> {
        self.lock().failure.take()
    }

    /// Allows the games of the next run, unless the user has abandoned the games.
    pub fn forget_abandoned_games(&self) {
        let news = self.lock();
        self.abandon.store(news.abandoned_by_user, Ordering::SeqCst);
    }

    /// Whether the games in progress are abandoned.
    pub fn is_abandoned(&self) -> bool {
        self.abandon.load(Ordering::SeqCst)
    }

    /// The flag that a search looks at.
    pub fn stop_flag(&self) -> &AtomicBool {
        &self.abandon
    }

    /// The number of changes so far. A thread reads it before it decides to wait; see [`Self::wait`].
    pub(crate) fn news(&self) -> u64 {
        self.lock().count
    }

    /// Waits until there are more than `known` changes.
    pub(crate) fn wait(&self, known: u64) {
        let waited = self.changed.wait_while(self.lock(), |news| news.count == known);
        drop(waited);
    }

    /// Wakes all threads that wait.
    pub(crate) fn wake(&self) {
        self.tell(self.lock());
    }

    fn tell(&self, mut news: MutexGuard<'_, News>) {
        news.count += 1;
        drop(news);
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, News> {
        self.news.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_users_wish_outlives_a_run() {
        let interrupt = Interrupt::new();
        interrupt.abandon_games();
        assert!(interrupt.is_abandoned() && !interrupt.is_requested());
        interrupt.forget_abandoned_games();
        assert!(!interrupt.is_abandoned());
        assert!(interrupt.request());
        assert!(!interrupt.is_abandoned());
        assert!(!interrupt.request());
        interrupt.forget_abandoned_games();
        assert!(interrupt.is_abandoned());
    }

    #[test]
    fn a_request_wakes_who_waits() {
        let interrupt = Interrupt::new();
        std::thread::scope(|scope| {
            let (known, interrupt) = (interrupt.news(), &interrupt);
            let waits = scope.spawn(move || interrupt.wait(known));
            interrupt.request();
            waits.join().unwrap();
        });
        // A change before the wait is not missed.
        let known = interrupt.news();
        interrupt.abandon_games();
        interrupt.wait(known);
    }
}
