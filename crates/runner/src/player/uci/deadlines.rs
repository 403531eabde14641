//! How long programs are waited for, with the defaults.

use std::time::Duration;

/// How long to wait for an engine at each step. An engine that takes longer has stalled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadlines {
    /// From the start of the process to `uciok`.
    pub start: Duration,
    /// From `isready` to `readyok`.
    pub ready: Duration,
    /// From `go nodes` or `go depth` to `bestmove`. `None`: [`Deadlines::for_nodes`] or [`Deadlines::FOR_DEPTH`].
    pub answer: Option<Duration>,
    /// From `stop` after a missed deadline to a late `bestmove`. An engine that answers in this time keeps its process;
    /// any other is killed.
    pub late: Duration,
    /// From `quit` to the end of the process, which is killed after that.
    pub quit: Duration,
}

impl Deadlines {
    /// The default for a move at a fixed depth.
    pub const FOR_DEPTH: Duration = Duration::from_secs(120);

    /// The default for a move at fixed nodes: 10 s, and 1 s more for every 10,000 nodes.
    pub fn for_nodes(nodes: u64) -> Duration {
        Duration::from_secs(10).saturating_add(Duration::from_millis(nodes / 10))
    }
}

impl Default for Deadlines {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(10),
            ready: Duration::from_secs(10),
            answer: None,
            late: Duration::from_secs(1),
            quit: Duration::from_secs(1),
        }
    }
}
