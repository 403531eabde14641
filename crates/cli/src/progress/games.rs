//! Progress of games on standard error: on a terminal a line with a bar, and the standings where there are more than two
//! engines; in a file or a pipe a line now and then.

use std::time::Duration;

use lmrlab_runner::conduct::event::{Event, RunObserver};
use lmrlab_runner::outcome::sentences::fate;
use lmrlab_runner::record::progress::TournamentProgress;

use crate::frame::print::print_err;

use super::faults::FaultReports;
use super::figures::{Pace, expected_pairs, parts, table};
use super::live::{self, Status};
use super::paced::Paced;
use lmrlab_results::number_text::counted;

/// What has been shown of a run.
pub(super) struct GamesDisplay {
    paced: Paced,
    pace: Option<Pace>,
    faults: FaultReports,
}

impl GamesDisplay {
    pub(super) fn new() -> Self {
        Self {
            paced: Paced::new(),
            pace: None,
            faults: FaultReports::default(),
        }
    }

    fn begin(&mut self, progress: &TournamentProgress) {
        self.pace = Some(Pace::new(progress));
        if self.paced.is_terminal {
            self.show(progress);
            return;
        }
        let at_most = if progress.race.is_some() { "at most " } else { "" };
        let (games, pairs) = (2 * progress.scheduled_pairs, counted(progress.scheduled_pairs, "pair"));
        let before = match progress.pairs {
            0 => String::new(),
            pairs => format!(", {} played before", 2 * pairs),
        };
        print_err(&format!("{at_most}{games} games in {pairs}{before}"));
        self.paced.wait(Duration::ZERO);
    }

    /// Shows the figures when they are due.
    fn show(&mut self, progress: &TournamentProgress) {
        let Some(pace) = self.pace else { return };
        let has_table = self.paced.is_terminal && progress.tally.names().len() > 2 && progress.pairs > 0;
        let lines = || table(progress).to_string().lines().map(str::to_owned).collect();
        self.paced.show(|| Status {
            done: expected_pairs(progress).map(|pairs| progress.pairs as f64 / pairs.max(1) as f64),
            parts: parts(&pace, progress),
            table: if has_table { lines() } else { Vec::new() },
        });
    }

    fn end(&self, progress: &TournamentProgress) {
        if self.paced.is_terminal {
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
