//! Progress on a terminal: a line with a bar, and the standings where there are more than two engines.

use std::time::{Duration, Instant};

use lmrlab_runner::conduct::event::{Event, Observer};
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::summary::fate;

use super::faults::{FaultReports, warning};
use super::figures::{Pace, expected_pairs, parts, table};
use super::live::{self, Status};

/// Least time between two updates of the figures.
const BETWEEN_FIGURES: Duration = Duration::from_millis(200);
/// The figures of many engines are slow to compute. They may take this share of the time.
const SHARE: u32 = 20;

/// A bar with the figures beside it.
pub(super) struct Bar {
    pace: Option<Pace>,
    /// Time of the next update of the figures.
    due: Option<Instant>,
    faults: FaultReports,
}

impl Bar {
    pub(super) fn new() -> Self {
        Self {
            pace: None,
            due: None,
            faults: FaultReports::default(),
        }
    }

    fn show(&mut self, progress: &TournamentProgress) {
        let now = Instant::now();
        let (Some(pace), true) = (self.pace, self.due.is_none_or(|due| now >= due)) else {
            return;
        };
        let status = Status {
            done: expected_pairs(progress).map(|pairs| progress.pairs as f64 / pairs.max(1) as f64),
            parts: parts(&pace, progress),
        };
        let rows = if progress.tally.names().len() > 2 && progress.pairs > 0 {
            table(progress).to_string().lines().map(str::to_owned).collect()
        } else {
            Vec::new()
        };
        live::show(status, rows);
        self.due = Some(Instant::now() + BETWEEN_FIGURES.max(now.elapsed() * SHARE));
    }
}

impl Observer for Bar {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Started(progress) => {
                self.pace = Some(Pace::new(progress));
                self.show(progress);
            }
            Event::PairRecorded { games, progress } => {
                for report in self.faults.of(games) {
                    live::above(&report);
                }
                self.show(progress);
            }
            Event::Fate { engine, progress } => {
                if let Some(fate) = fate(progress, engine) {
                    live::above(&fate);
                }
            }
            Event::Warning { engine, what } => live::above(&warning(engine, what)),
            Event::Steered { what } => live::above(&format!("threads: {what}")),
            Event::Finished(_) => live::clear(),
            Event::Ended { .. } => {}
        }
    }
}
