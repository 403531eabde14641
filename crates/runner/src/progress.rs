//! A run's events as lines or a bar on the terminal's error output.

use std::io::{IsTerminal, Write};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::event::{Event, Observer};
use crate::record::recorder::Progress;
use crate::record::standings::standings;
use crate::stats::Estimate;
use crate::summary::{signed, unsigned};

/// Time between two lines when the output is not a terminal.
const BETWEEN_LINES: Duration = Duration::from_secs(5);

/// How progress is shown on standard error: a bar on a terminal, otherwise lines, or nothing when asked to be quiet.
pub fn on_stderr(quiet: bool) -> Box<dyn Observer> {
    if quiet {
        Box::new(crate::event::Silent)
    } else if std::io::stderr().is_terminal() {
        Box::new(Bar::new())
    } else {
        Box::new(Lines::new(std::io::stderr()))
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
    } else if let Some(leader) = standings(&progress.tally)
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
    if let (Some(sprt), Some(llr)) = (progress.sprt, progress.llr()) {
        let (lower, upper) = sprt.bounds();
        text.push_str(&format!(", LLR {llr:.2} ({lower:.2}, {upper:.2})"));
    }
    text
}

/// A bar with the figures beside it.
struct Bar {
    bar: ProgressBar,
}

impl Bar {
    fn new() -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), ProgressDrawTarget::stderr());
        // The template is a constant; should it ever be wrong, the plain bar does.
        if let Ok(style) = ProgressStyle::with_template(
            "{elapsed_precise} {bar:24} {pos}/{len} pairs, {per_sec}, {eta} left  {msg}",
        ) {
            bar.set_style(style.with_key(
                "per_sec",
                |state: &indicatif::ProgressState, out: &mut dyn std::fmt::Write| {
                    let _ = write!(out, "{:.1}/s", state.per_sec());
                },
            ));
        }
        Self { bar }
    }
}

impl Observer for Bar {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Started(progress) => {
                self.bar.set_length(progress.scheduled_pairs);
                self.bar.enable_steady_tick(Duration::from_millis(250));
            }
            Event::PairRecorded(progress) => {
                self.bar.set_position(progress.pairs);
                self.bar.set_message(format!(
                    "{} games  {}",
                    2 * progress.pairs,
                    so_far(progress)
                ));
            }
            Event::Finished(_) => self.bar.finish_and_clear(),
        }
    }
}

/// A line now and then.
struct Lines<W> {
    out: W,
    begun: Instant,
    last: Instant,
}

impl<W: Write> Lines<W> {
    fn new(out: W) -> Self {
        let now = Instant::now();
        Self {
            out,
            begun: now,
            last: now,
        }
    }

    fn print(&mut self, progress: &Progress) {
        let seconds = self.begun.elapsed().as_secs_f64();
        let rate = progress.pairs as f64 / seconds.max(1e-3);
        let left = progress.scheduled_pairs.saturating_sub(progress.pairs) as f64 / rate;
        let left = if progress.pairs > 0 {
            format!(", {left:.0} s left")
        } else {
            String::new()
        };
        // Nobody reads what cannot be written.
        let _ = writeln!(
            self.out,
            "{} of {} games, {rate:.1} pairs/s{left}  {}",
            2 * progress.pairs,
            2 * progress.scheduled_pairs,
            so_far(progress)
        );
        self.last = Instant::now();
    }
}

impl<W: Write> Observer for Lines<W> {
    fn on_event(&mut self, event: Event<'_>) {
        match event {
            Event::Started(progress) => {
                self.begun = Instant::now();
                self.last = self.begun;
                let _ = writeln!(
                    self.out,
                    "{} games in {} pairs",
                    2 * progress.scheduled_pairs,
                    progress.scheduled_pairs
                );
            }
            Event::PairRecorded(progress) if self.last.elapsed() >= BETWEEN_LINES => {
                self.print(progress);
            }
            Event::PairRecorded(_) => {}
            Event::Finished(progress) => {
                let seconds = self.begun.elapsed().as_secs_f64();
                let _ = writeln!(self.out, "{} games in {seconds:.1} s", 2 * progress.pairs);
            }
        }
    }
}
