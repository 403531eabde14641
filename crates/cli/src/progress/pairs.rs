//! Progress of the pairs of a run on standard error: on a terminal a line with a bar, and the standings where there are more
//! than two engines; in a file or a pipe a line now and then.

use std::time::{Duration, Instant};

use lmrlab_results::rows::games::GameRow;
use lmrlab_runner::conduct::event::{Event, RunObserver};

use super::live::{self, Status};
use super::paced::Paced;
use crate::frame::print_err;

/// Number of faults to show; further ones are only counted.
const SHOWN_FAULTS: u64 = 20;

/// A run that is shown while its pairs are played.
pub(super) trait Shown {
    /// Pairs recorded so far.
    fn recorded_pairs(&self) -> u64;
    /// What will be played: the first line in a file or a pipe. A run without it has no last line either.
    fn announcement(&self) -> Option<String>;
    /// Where the run stands.
    fn status(&mut self, pace: Pace, has_table: bool) -> Status;
    /// What the last pair has decided.
    fn decided(&self) -> Vec<String>;
}

/// The speed of a run since its start or its resumption.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pace {
    begun: Instant,
    /// Pairs recorded before that.
    before: u64,
}

impl Pace {
    pub(super) fn new(before: u64) -> Self {
        Self {
            begun: Instant::now(),
            before,
        }
    }

    /// Pairs that this process has played, when `recorded` are.
    pub(super) fn here(&self, recorded: u64) -> u64 {
        recorded.saturating_sub(self.before)
    }

    pub(super) fn pairs_per_second(&self, recorded: u64) -> f64 {
        self.here(recorded) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3)
    }

    /// Seconds until the last of all pairs; `None` when unknown.
    pub(super) fn seconds_left(&self, recorded: u64, all: u64) -> Option<f64> {
        let rate = self.pairs_per_second(recorded);
        (rate > 0.0).then(|| all.saturating_sub(recorded) as f64 / rate)
    }
}

/// What has been shown of a run.
pub(crate) struct PairsDisplay {
    /// Whether only faults and warnings are shown.
    quiet: bool,
    paced: Paced,
    pace: Pace,
    /// Faults so far.
    faults: u64,
}

impl PairsDisplay {
    pub(crate) fn new(quiet: bool) -> Self {
        Self {
            quiet,
            paced: Paced::new(),
            pace: Pace::new(0),
            faults: 0,
        }
    }

    /// Shows the first faults of a run, and then once that there are more.
    fn show_faults(&mut self, games: &[GameRow; 2]) {
        for report in games.iter().filter_map(GameRow::fault_report) {
            self.faults += 1;
            match self.faults {
                1 => print_err(&format!("{report} (position and `go`: games.csv)")),
                ..=SHOWN_FAULTS => print_err(&report),
                more if more == SHOWN_FAULTS + 1 => {
                    print_err("further faults are only counted here; games.csv lists them all");
                }
                _ => {}
            }
        }
    }

    fn begin(&mut self, run: &mut impl Shown) {
        self.pace = Pace::new(run.recorded_pairs());
        match run.announcement() {
            Some(_) if self.paced.is_terminal => self.show(run),
            Some(text) => {
                print_err(&text);
                self.paced.wait(Duration::ZERO);
            }
            None => {}
        }
    }

    /// Shows where the run stands when it is due.
    fn show(&mut self, run: &mut impl Shown) {
        let (pace, has_table) = (self.pace, self.paced.is_terminal);
        self.paced.show(|| run.status(pace, has_table));
    }

    fn end(&self, run: &impl Shown) {
        if self.paced.is_terminal {
            live::clear();
        } else if run.announcement().is_some() {
            let seconds = self.pace.begun.elapsed().as_secs_f64();
            let games = 2 * self.pace.here(run.recorded_pairs());
            print_err(&format!("{games} games in {seconds:.1} s"));
        }
    }
}

impl<S: Shown> RunObserver<S> for PairsDisplay {
    fn on_event(&mut self, event: Event<'_>, run: &mut S) {
        match event {
            Event::PairRecorded { games, .. } => self.show_faults(games),
            Event::Warning { engine, what } => print_err(&format!("warning: `{engine}` {what}")),
            Event::Steered { what } => print_err(&format!("threads: {what}")),
            _ => {}
        }
        match event {
            _ if self.quiet => {}
            Event::Started => self.begin(run),
            Event::PairRecorded { .. } => {
                self.show(run);
                run.decided().iter().for_each(|text| print_err(text));
            }
            Event::Finished => self.end(run),
            _ => {}
        }
    }
}
