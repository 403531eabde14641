//! The progress bar of searches in the lab.

use indicatif::{ProgressBar, ProgressStyle};
use lmrlab_lab::workers::Progress;

/// A bar on standard error, drawn only where that is a terminal.
pub(crate) struct SearchBar(ProgressBar);

impl SearchBar {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new(0);
        if let Ok(style) = ProgressStyle::with_template("{bar:40} {pos}/{len} searches, {eta} left") {
            bar.set_style(style);
        }
        Self(bar)
    }
}

impl Progress for SearchBar {
    fn begin(&self, jobs: usize) {
        self.0.set_length(jobs as u64);
        self.0.reset();
    }

    fn advance(&self) {
        self.0.inc(1);
    }

    fn end(&self) {
        self.0.finish_and_clear();
    }
}
