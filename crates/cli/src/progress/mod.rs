//! A run's events as lines or a bar on the terminal's error output, or as JSON for a script.

mod json;

use std::io::{IsTerminal, Write};
use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use self::json::JsonLines;
use lmrlab_runner::conduct::event::{Event, Observer, Silent};
use lmrlab_runner::number_text::{signed, unsigned};
use lmrlab_runner::record::games::GameRow;
use lmrlab_runner::record::progress::Progress;
use lmrlab_runner::summary::fate;
use lmrlab_stats::Estimate;

/// Time between two lines when the output is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// Time between two changes of the figures beside the bar.
const BETWEEN_FIGURES: Duration = Duration::from_millis(200);

/// So many faults are shown; the others are only counted.
const SHOWN_FAULTS: u64 = 20;

/// How a run is shown while it goes on: a bar when standard error is a terminal, otherwise lines, nothing when asked to be
/// quiet; or objects for a script on standard output.
pub(crate) fn observer(
    quiet: bool,
    json_lines: bool,
    every: Option<NonZeroU64>,
) -> Box<dyn Observer> {
    if json_lines {
        Box::new(JsonLines::new(std::io::stdout()))
    } else if quiet {
        Box::new(Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::new(std::io::stderr(), every))
    }
}

/// How fast a run is, from its beginning or from where it was taken up again.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pace {
    begun: Instant,
    /// Pairs that had been recorded before.
    before: u64,
}

impl Pace {
    pub(crate) fn new(progress: &Progress) -> Self {
        Self {
            begun: Instant::now(),
            before: progress.pairs,
        }
    }

    pub(crate) fn pairs_per_second(&self, progress: &Progress) -> f64 {
        let pairs = progress.pairs.saturating_sub(self.before) as f64;
        pairs / self.begun.elapsed().as_secs_f64().max(1e-3)
    }

    /// Seconds until the last pair, or until the test is decided if it goes on as it has so far; `None` when nothing can
    /// be said yet.
    pub(crate) fn seconds_left(&self, progress: &Progress) -> Option<f64> {
        let rate = self.pairs_per_second(progress);
        // A race ends when it is decided, long before the last pair.
        if rate <= 0.0 || progress.race.is_some() {
            return None;
        }
        let mut pairs = progress.scheduled_pairs.saturating_sub(progress.pairs) as f64;
        if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
            let (lower, upper) = sprt.bounds();
            let bound = if llr > 0.0 { upper } else { lower };
            let each = llr / progress.pairs.max(1) as f64;
            let needed = (bound - llr) / each;
            if needed.is_finite() {
                pairs = pairs.min(needed.max(0.0));
            }
        }
        Some(pairs / rate)
    }
}

/// A time for a person: `12 s`, `5 min`, `3.2 h`.
fn duration(seconds: f64) -> String {
    if seconds < 120.0 {
        format!("{seconds:.0} s")
    } else if seconds < 7_200.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3_600.0)
    }
}

fn remark(engine: &str, what: &str) -> String {
    format!("note: `{engine}` {what}")
}

/// Reports the first faults of a run, and says once that there are more.
#[derive(Debug, Default)]
struct FaultReports(u64);

impl FaultReports {
    fn of(&mut self, games: &[GameRow; 2]) -> Vec<String> {
        let mut reports = Vec::new();
        for report in games.iter().filter_map(GameRow::fault_report) {
            self.0 += 1;
            match self.0 {
                ..=SHOWN_FAULTS => reports.push(report),
                more if more == SHOWN_FAULTS + 1 => {
                    reports
                        .push("further faults are counted here and told in games.csv".to_owned());
                }
                _ => {}
            }
        }
        reports
    }
}

/// What is known so far, in a few words.
fn so_far(progress: &Progress) -> String {
    let mut text = String::new();
    if let [first, _] = progress.tally.names() {
        if let Some(estimate) = Estimate::of(&progress.tally.encounter(0, 1).pairs) {
            text = format!(
                "{first} {} ± {} Elo",
                signed(Some(estimate.elo.0), 1),
                unsigned(estimate.elo_error_95.map(|error| error.0), 1)
            );
        }
    } else if let Some(leader) = progress
        .standings()
        .into_iter()
        .next()
        .filter(|leader| leader.games > 0)
    {
        text = format!(
            "{} leads, {} ± {} Elo",
            leader.engine,
            signed(leader.elo.0, 1),
            unsigned(leader.elo_error_95.0, 1)
        );
    }
    if let Some(race) = &progress.race {
        let left = match race.rules().baseline() {
            Some(_) => "undecided",
            None => "in the race",
        };
        let engines = progress.tally.names().len();
        text.push_str(&format!(", {} of {engines} {left}", race.racing()));
    }
    if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
        let (lower, upper) = sprt.bounds();
        text.push_str(&format!(", LLR {llr:.2} ({lower:.2}, {upper:.2})"));
    }
    let faults = progress.tally.all_faults();
    if faults.all() > 0 {
        text.push_str(&format!(", {}", faults.text()));
    }
    text
}

/// A bar with the figures beside it.
struct Bar {
    bar: ProgressBar,
    pace: Option<Pace>,
    /// When the figures were computed last: with many engines that takes a while.
    said: Option<Instant>,
    faults: FaultReports,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        // The template is a constant; should it ever be wrong, the plain bar does.
        if let Ok(style) =
            ProgressStyle::with_template("{elapsed_precise} {bar:24} {pos}/{len} pairs, {msg}")
        {
            bar.set_style(style);
        }
        Self {
            bar,
            pace: None,
            said: None,
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
                    && self
                        .said
                        .is_none_or(|said| said.elapsed() >= BETWEEN_FIGURES)
                {
                    self.said = Some(Instant::now());
                    self.bar.set_message(format!(
                        "{} games, {}",
                        2 * progress.pairs,
                        figures(&pace, progress)
                    ));
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

/// Speed, time left, and what is known so far.
fn figures(pace: &Pace, progress: &Progress) -> String {
    let mut text = format!("{:.1} pairs/s", pace.pairs_per_second(progress));
    if let Some(left) = pace.seconds_left(progress) {
        text.push_str(&format!(", {} left", duration(left)));
    }
    format!("{text}  {}", so_far(progress))
}

/// A line now and then.
struct Lines<W> {
    out: W,
    /// A line after so many pairs, and not after so long.
    every: Option<NonZeroU64>,
    pace: Option<Pace>,
    last: Instant,
    faults: FaultReports,
}

impl<W: Write> Lines<W> {
    fn new(out: W, every: Option<NonZeroU64>) -> Self {
        Self {
            out,
            every,
            pace: None,
            last: Instant::now(),
            faults: FaultReports::default(),
        }
    }

    fn is_due(&self, progress: &Progress) -> bool {
        match self.every {
            Some(every) => progress.pairs.is_multiple_of(every.get()),
            None => self.last.elapsed() >= BETWEEN_LINES,
        }
    }

    // Nobody reads what cannot be written: that writing fails is no matter.
    fn say(&mut self, line: &str) {
        let _ = writeln!(self.out, "{line}");
    }
}

impl<W: Write> Observer for Lines<W> {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Started(progress) => {
                self.pace = Some(Pace::new(progress));
                self.last = Instant::now();
                let mut line = format!(
                    "{}{} games in {} pairs",
                    if progress.race.is_some() {
                        "at most "
                    } else {
                        ""
                    },
                    2 * progress.scheduled_pairs,
                    progress.scheduled_pairs
                );
                if progress.pairs > 0 {
                    line.push_str(&format!(", {} played before", 2 * progress.pairs));
                }
                self.say(&line);
            }
            Event::PairRecorded { games, progress } => {
                for report in self.faults.of(games) {
                    self.say(&report);
                }
                if let Some(pace) = self.pace.filter(|_| self.is_due(progress)) {
                    let mut line = format!("{} ", 2 * progress.pairs);
                    // How many a race will have nobody knows.
                    if progress.race.is_none() {
                        line.push_str(&format!("of {} ", 2 * progress.scheduled_pairs));
                    }
                    self.say(&format!("{line}games, {}", figures(&pace, progress)));
                    self.last = Instant::now();
                }
            }
            Event::Fate { engine, progress } => {
                if let Some(fate) = fate(progress, engine) {
                    self.say(&fate);
                }
            }
            Event::Remark { engine, what } => self.say(&remark(engine, what)),
            Event::Finished(progress) => {
                if let Some(pace) = self.pace {
                    let seconds = pace.begun.elapsed().as_secs_f64();
                    let games = 2 * progress.pairs.saturating_sub(pace.before);
                    self.say(&format!("{games} games in {seconds:.1} s"));
                }
            }
            Event::Ended { .. } => {}
        }
    }
}
