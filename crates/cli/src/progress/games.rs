//! Progress of games on standard error: on a terminal a line with a bar, and the standings where there are more than two
//! engines; in a file or a pipe a line now and then.

use std::time::{Duration, Instant};

use lmrlab_runner::conduct::event::{Event, RunObserver};
use lmrlab_runner::outcome::sentences::fate;
use lmrlab_runner::record::progress::TournamentProgress;

use crate::print::print_err;

use super::faults::FaultReports;
use super::figures::{Pace, expected_pairs, parts, table};
use super::live::{self, Status};

/// Least time between two updates of the figures on a terminal.
const BETWEEN_FIGURES: Duration = Duration::from_millis(200);
/// The figures of many engines are slow to compute. They may take this share of the time.
const SHARE: u32 = 20;
/// Time between two lines in a file or a pipe.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// What has been shown of a run.
pub(super) struct GamesDisplay {
    is_terminal: bool,
    pace: Option<Pace>,
    /// Time of the next figures.
    due: Instant,
    faults: FaultReports,
}

impl GamesDisplay {
    pub(super) fn new(is_terminal: bool) -> Self {
        Self {
            is_terminal,
            pace: None,
            due: Instant::now(),
            faults: FaultReports::default(),
        }
    }

    fn begin(&mut self, progress: &TournamentProgress) {
        self.pace = Some(Pace::new(progress));
        if self.is_terminal {
            self.show(progress);
            return;
        }
        self.due = Instant::now() + BETWEEN_LINES;
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

    /// Shows the figures when they are due.
    fn show(&mut self, progress: &TournamentProgress) {
        let now = Instant::now();
        let (Some(pace), true) = (self.pace, now >= self.due) else {
            return;
        };
        if !self.is_terminal {
            print_err(&parts(&pace, progress).join(", "));
            self.due = Instant::now() + BETWEEN_LINES;
            return;
        }
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
        self.due = Instant::now() + BETWEEN_FIGURES.max(now.elapsed() * SHARE);
    }

    fn end(&self, progress: &TournamentProgress) {
        if self.is_terminal {
            live::clear();
        } else if let Some(pace) = self.pace {
            let seconds = pace.begun.elapsed().as_secs_f64();
            let games = 2 * progress.pairs.saturating_sub(pace.before);
            print_err(&format!("{games} games in {seconds:.1} s"));
        }
    }
}

impl RunObserver<TournamentProgress> for GamesDisplay {
    fn on_event(&mut self, event: Event<'_>, progress: &mut TournamentProgress) {
        match event {
            Event::Started => self.begin(progress),
            Event::PairRecorded { games, .. } => {
                self.faults.of(games).iter().for_each(|report| print_err(report));
                self.show(progress);
                let fates = progress.just_decided().filter_map(|engine| fate(progress, engine));
                fates.for_each(|fate| print_err(&fate));
            }
            Event::Warning { engine, what } => print_err(&format!("warning: `{engine}` {what}")),
            Event::Steered { what } => print_err(&format!("threads: {what}")),
            Event::Finished => self.end(progress),
            Event::Ended { .. } => {}
        }
    }
}
