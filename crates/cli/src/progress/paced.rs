//! How often progress is shown: on a terminal a line that is drawn again and again; in a file or a pipe a line now and then.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::live::{self, Status};
use crate::frame::print_err;

/// Least time between two drawings on a terminal.
const BETWEEN_DRAWINGS: Duration = Duration::from_millis(100);
/// Time between two lines in a file or a pipe.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
/// What is shown may be slow to compute: the figures of many engines, the best point of a tuning run. It may take this share of
/// the time.
const SHARE: u32 = 20;

/// What has been shown of some work.
pub(super) struct Paced {
    pub(super) is_terminal: bool,
    /// Time of the next status.
    due: Instant,
}

impl Paced {
    pub(super) fn new() -> Self {
        Self {
            is_terminal: std::io::stderr().is_terminal(),
            due: Instant::now(),
        }
    }

    /// Shows a status, unless one was shown a moment ago.
    pub(super) fn show(&mut self, status: impl FnOnce() -> Status) {
        let now = Instant::now();
        if now < self.due {
            return;
        }
        let status = status();
        match self.is_terminal {
            true => live::show(status),
            false => print_err(&status.parts.join(", ")),
        }
        self.wait(now.elapsed() * SHARE);
    }

    /// Shows nothing for at least this time.
    pub(super) fn wait(&mut self, time: Duration) {
        let between = if self.is_terminal {
            BETWEEN_DRAWINGS
        } else {
            BETWEEN_LINES
        };
        self.due = Instant::now() + between.max(time);
    }
}
