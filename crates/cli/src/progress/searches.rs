//! The progress of searches in the lab, and of other jobs, where standard error is a terminal.

use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use super::duration;
use super::live::Status;
use super::paced::Paced;
use lmrlab_lab::workers::JobProgress;

/// A line with a bar.
pub(crate) struct SearchBar(Mutex<State>);

struct State {
    /// What is counted.
    what: &'static str,
    paced: Paced,
    /// The number of the row, and the number of all rows.
    row: Option<(usize, usize)>,
    jobs: usize,
    done: usize,
    /// When the first new job began, and the share of the rows before it.
    begun: Option<(Instant, f64)>,
}

impl SearchBar {
    /// `what` is counted, such as searches.
    pub(crate) fn new(what: &'static str) -> Self {
        Self(Mutex::new(State {
            what,
            paced: Paced::new(),
            row: None,
            jobs: 0,
            done: 0,
            begun: None,
        }))
    }

    /// This number of the batch is done.
    pub(crate) fn reach(&self, done: usize) {
        self.change(|state| state.done = done);
    }

    fn change(&self, change: impl FnOnce(&mut State)) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(&mut state);
        if state.paced.is_terminal && state.jobs > 0 {
            let status = state.status();
            state.paced.show(|| status);
        }
    }
}

impl State {
    fn share_of_rows(&self) -> Option<f64> {
        self.row.map(|(row, rows)| (row - 1) as f64 / rows as f64)
    }

    /// With rows, the bar and the remaining time are for all rows.
    fn status(&self) -> Status {
        let of_batch = self.done as f64 / self.jobs.max(1) as f64;
        let searches = format!("{}/{} {}", self.done, self.jobs, self.what);
        let (share, mut parts) = match self.row {
            Some((row, rows)) => (
                self.share_of_rows().unwrap_or(0.0),
                vec![format!("row {row}/{rows}"), format!("{searches} in it")],
            ),
            None => (of_batch, vec![searches]),
        };
        if let Some((begun, before)) = self.begun.filter(|(_, before)| share > *before) {
            let left = begun.elapsed().as_secs_f64() * (1.0 - share) / (share - before);
            parts.insert(1, format!("{} left", duration(left)));
        }
        Status {
            done: Some(share),
            parts,
            table: Vec::new(),
        }
    }
}

impl JobProgress for SearchBar {
    fn begin(&self, jobs: usize) {
        self.change(|state| {
            (state.jobs, state.done) = (jobs, 0);
            match state.share_of_rows() {
                None => state.begun = Some((Instant::now(), 0.0)),
                Some(share) => _ = state.begun.get_or_insert_with(|| (Instant::now(), share)),
            }
        });
    }

    fn advance(&self) {
        self.change(|state| state.done += 1);
    }

    fn row(&self, row: usize, rows: usize) {
        self.change(|state| (state.row, state.jobs) = (Some((row, rows)), 0));
    }
}
