//! Progress as a bar on a terminal.

use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use lmrlab_runner::conduct::event::{Event, Observer};
use lmrlab_runner::summary::fate;

use super::faults::{FaultReports, remark};
use super::figures::{Pace, figures};

/// Time between two updates of the figures beside the bar.
const BETWEEN_FIGURES: Duration = Duration::from_millis(200);

/// A bar with the figures beside it.
pub(super) struct Bar {
    bar: ProgressBar,
    pace: Option<Pace>,
    /// Time of the last update of the figures, which are slow to compute with many engines.
    updated: Option<Instant>,
    faults: FaultReports,
}

impl Bar {
    pub(super) fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        // The template is a constant; should it ever be wrong, the plain bar does.
        if let Ok(style) = ProgressStyle::with_template("{elapsed_precise} {bar:24} {pos}/{len} pairs, {msg}") {
            bar.set_style(style);
        }
        Self {
            bar,
            pace: None,
            updated: None,
            faults: FaultReports::default(),
        }
    }
}

impl Observer for Bar {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Started(progress) => {
                self.pace = Some(Pace::new(progress));
                self.bar.set_length(progress.scheduled_pairs);
                self.bar.set_position(progress.pairs);
                self.bar.enable_steady_tick(Duration::from_millis(250));
            }
            Event::PairRecorded { games, progress } => {
                for report in self.faults.of(games) {
                    self.bar.println(report);
                }
                self.bar.set_position(progress.pairs);
                if let Some(pace) = self.pace
                    && self.updated.is_none_or(|updated| updated.elapsed() >= BETWEEN_FIGURES)
                {
                    self.updated = Some(Instant::now());
                    self.bar
                        .set_message(format!("{} games, {}", 2 * progress.pairs, figures(&pace, progress)));
                }
            }
            Event::Fate { engine, progress } => {
                self.bar.set_length(progress.scheduled_pairs);
                if let Some(fate) = fate(progress, engine) {
                    self.bar.println(fate);
                }
            }
            Event::Remark { engine, what } => self.bar.println(remark(engine, what)),
            Event::Finished(_) => self.bar.finish_and_clear(),
            Event::Ended { .. } => {}
        }
    }
}
