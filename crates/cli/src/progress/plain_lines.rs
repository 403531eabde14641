//! Progress as lines in a file or a pipe.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use lmrlab_runner::conduct::event::{Event, Observer};
use lmrlab_runner::record::progress::TournamentProgress;
use lmrlab_runner::summary::fate;

use crate::print::print_err;

use super::faults::{FaultReports, warning};
use super::figures::{Pace, parts};

/// Time between two lines.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Writes a line now and then.
pub(super) struct PlainLines {
    /// Pairs between two lines, instead of [`BETWEEN_LINES`].
    every: Option<NonZeroU64>,
    pace: Option<Pace>,
    last: Instant,
    faults: FaultReports,
}

impl PlainLines {
    pub(super) fn new(every: Option<NonZeroU64>) -> Self {
        Self {
            every,
            pace: None,
            last: Instant::now(),
            faults: FaultReports::default(),
        }
    }

    fn is_due(&self, progress: &TournamentProgress) -> bool {
        match self.every {
            Some(every) => progress.pairs.is_multiple_of(every.get()),
            None => self.last.elapsed() >= BETWEEN_LINES,
        }
    }
}

impl Observer for PlainLines {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Started(progress) => {
                self.pace = Some(Pace::new(progress));
                self.last = Instant::now();
                let mut line = format!(
                    "{}{} games in {} pair{}",
                    if progress.race.is_some() { "at most " } else { "" },
                    2 * progress.scheduled_pairs,
                    progress.scheduled_pairs,
                    if progress.scheduled_pairs == 1 { "" } else { "s" }
                );
                if progress.pairs > 0 {
                    line.push_str(&format!(", {} played before", 2 * progress.pairs));
                }
                print_err(&line);
            }
            Event::PairRecorded { games, progress } => {
                for report in self.faults.of(games) {
                    print_err(&report);
                }
                if let Some(pace) = self.pace.filter(|_| self.is_due(progress)) {
                    print_err(&parts(&pace, progress).join(", "));
                    self.last = Instant::now();
                }
            }
            Event::Fate { engine, progress } => {
                if let Some(fate) = fate(progress, engine) {
                    print_err(&fate);
                }
            }
            Event::Warning { engine, what } => print_err(&warning(engine, what)),
            Event::Steered { what } => print_err(&format!("threads: {what}")),
            Event::Finished(progress) => {
                if let Some(pace) = self.pace {
                    let seconds = pace.begun.elapsed().as_secs_f64();
                    let games = 2 * progress.pairs.saturating_sub(pace.before);
                    print_err(&format!("{games} games in {seconds:.1} s"));
                }
            }
            Event::Ended { .. } => {}
        }
    }
}
