//! Progress of a tuning run: a line with a bar on a terminal, now and then a line in a file or a pipe.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::duration;
use super::faults::FaultReports;
use super::live::{self, Status};
use crate::print::print_err;
use lmrlab_results::tuning::short;
use lmrlab_runner::conduct::event::{Event, RunObserver};
use lmrlab_runner::conduct::steering::Steering as _;
use lmrlab_tune::Method;
use lmrlab_tune::choice::Choice;
use lmrlab_tune::parameter::Parameter;
use lmrlab_tune::plan::Budget;
use lmrlab_tune::steering::Learning;

/// Time between two lines in a file or a pipe.
const BETWEEN_LINES: Duration = Duration::from_secs(5);
/// Time between two updates of the line on a terminal.
const BETWEEN_COUNTS: Duration = Duration::from_millis(100);
/// The best point is slow to compute. It may take this share of the time.
const SHARE: u32 = 20;

/// The parts of a tuning run that are shown.
pub(crate) struct TuningDisplay {
    /// Whether only warnings are shown.
    quiet: bool,
    faults: FaultReports,
    /// Pairs that were recorded before this process began.
    before: u64,
    budget: Budget,
    parameters: Vec<Parameter>,
    choices: Vec<Choice>,
    terminal: bool,
    begun: Instant,
    shown: Option<Instant>,
    /// The best point so far.
    best: Vec<String>,
    /// Time of the next update of the best point.
    due: Instant,
}

impl TuningDisplay {
    pub(crate) fn new(budget: Budget, parameters: Vec<Parameter>, choices: Vec<Choice>, quiet: bool) -> Self {
        let begun = Instant::now();
        Self {
            quiet,
            faults: FaultReports::default(),
            before: 0,
            budget,
            parameters,
            choices,
            terminal: std::io::stderr().is_terminal(),
            begun,
            shown: None,
            best: Vec::new(),
            due: begun,
        }
    }

    /// Shows the progress of the run, unless it was shown a moment ago.
    fn show(&mut self, learning: &mut Learning) {
        let now = Instant::now();
        let every = if self.terminal { BETWEEN_COUNTS } else { BETWEEN_LINES };
        if self.shown.is_some_and(|shown| now - shown < every) {
            return;
        }
        self.shown = Some(now);
        let status = self.status(learning.recorded(), learning.elapsed(), learning.method());
        if self.terminal {
            live::show(status, Vec::new());
        } else {
            print_err(&status.parts.join(", "));
        }
    }

    /// Pairs, time left, and the best point.
    fn status(&mut self, played: u64, elapsed: Duration, method: &mut dyn Method) -> Status {
        let rate = played.saturating_sub(self.before) as f64 / self.begun.elapsed().as_secs_f64().max(1e-3);
        let (done, left, mut parts) = match self.budget {
            Budget::Pairs(pairs) => (
                played as f64 / pairs.max(1) as f64,
                (rate > 0.0).then(|| pairs.saturating_sub(played) as f64 / rate),
                vec![format!("{played}/{pairs} pairs")],
            ),
            Budget::Time(time) => (
                elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3),
                Some(time.saturating_sub(elapsed).as_secs_f64()),
                vec![format!("{played} pairs")],
            ),
        };
        let now = Instant::now();
        if now >= self.due {
            self.best = best(method, &self.parameters, &self.choices);
            self.due = Instant::now() + now.elapsed() * SHARE;
        }
        parts.extend(left.map(|left| format!("{} left", duration(left))));
        parts.extend_from_slice(&self.best);
        parts.push(format!("{:.1} games/s", 2.0 * rate));
        Status {
            done: Some(done),
            parts,
        }
    }
}

impl RunObserver<Learning> for TuningDisplay {
    fn on_event(&mut self, event: Event<'_>, learning: &mut Learning) {
        match event {
            Event::Started => self.before = learning.recorded(),
            Event::PairRecorded { games, .. } => {
                self.faults.of(games).iter().for_each(|report| print_err(report));
                if !self.quiet {
                    self.show(learning);
                }
            }
            Event::Warning { engine, what } => print_err(&format!("warning: `{engine}` {what}")),
            Event::Steered { what } => print_err(&format!("threads: {what}")),
            Event::Finished | Event::Ended { .. } => {}
        }
    }
}

/// The most values that are shown: more would fill the line.
const MOST_VALUES: usize = 4;

/// The recommendation of a method: its gain over the start where the games show one, the values that differ from the
/// start, the choices.
fn best(method: &mut dyn Method, parameters: &[Parameter], choices: &[Choice]) -> Vec<String> {
    let values = method.recommendation();
    let moved = parameters
        .iter()
        .zip(&values)
        .filter(|(parameter, value)| **value != parameter.start);
    let mut parts: Vec<String> = moved
        .map(|(parameter, value)| format!("{} {}", parameter.name, short(parameter.step, *value)))
        .collect();
    let others = parts.len().saturating_sub(MOST_VALUES);
    parts.truncate(MOST_VALUES);
    if others > 0 {
        parts.push(format!("{others} more values"));
    }
    if let Some((gain, deviation)) = method.gain(&values) {
        // The gain of the start over itself is always 0, so it is not shown.
        let known = match parts.is_empty() {
            true => "nothing better than the start yet".to_owned(),
            false => format!("best {gain:+.1} ± {:.1} Elo", lmrlab_stats::DEVIATIONS_95 * deviation),
        };
        parts.insert(0, known);
    }
    let decisions = method.decisions();
    for (choice, decision) in choices.iter().zip(&decisions) {
        parts.push(format!("{} {}", choice.name, choice.value(decision.taken)));
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use lmrlab_tune::surface::Surface;

    #[test]
    fn the_counts_move_with_each_pair() {
        let parameter = Parameter {
            name: "base".to_owned(),
            integer: false,
            start: 0.5,
            min: 0.0,
            max: 2.0,
            step: 0.1,
            r_end: None,
        };
        let mut method = Surface::new(vec![parameter.clone()], 1);
        assert!(method.next().len() > 3, "no batch is complete below");
        let mut progress = TuningDisplay::new(Budget::Pairs(60), vec![parameter], Vec::new(), false);
        for pairs in 0..3 {
            let status = progress.status(pairs, Duration::ZERO, &mut method);
            assert_eq!(status.done, Some(pairs as f64 / 60.0));
            assert_eq!(status.parts[0], format!("{pairs}/60 pairs"));
            assert!(
                status
                    .parts
                    .iter()
                    .any(|part| part == "nothing better than the start yet"),
                "{:?}",
                status.parts
            );
            assert!(
                !status.parts.iter().any(|part| part.contains('±')),
                "the prior is no measurement"
            );
        }
    }
}
