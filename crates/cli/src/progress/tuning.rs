//! Progress of a tuning run: a line with a bar on a terminal, now and then a line in a file or a pipe.

use std::time::{Duration, Instant};

use super::duration;
use super::faults::FaultReports;
use super::live::Status;
use super::paced::Paced;
use crate::frame::print::print_err;
use lmrlab_runner::conduct::event::{Event, RunObserver};
use lmrlab_runner::conduct::steering::Steering as _;
use lmrlab_tune::Method;
use lmrlab_tune::methods::finding::short;
use lmrlab_tune::plan::Budget;
use lmrlab_tune::run::steering::Learning;
use lmrlab_tune::subject::choice::Choice;
use lmrlab_tune::subject::parameter::Parameter;

/// The progress of a tuning run.
pub(crate) struct TuningDisplay {
    /// Whether only warnings are shown.
    quiet: bool,
    faults: FaultReports,
    /// Pairs that were recorded before this process began.
    before: u64,
    paced: Paced,
    begun: Instant,
}

impl TuningDisplay {
    pub(crate) fn new(quiet: bool) -> Self {
        Self {
            quiet,
            faults: FaultReports::default(),
            before: 0,
            paced: Paced::new(),
            begun: Instant::now(),
        }
    }
}

/// Pairs, time left, and the best point. This process has played `here` pairs in this time.
fn status(learning: &mut Learning, here: u64, time: Duration) -> Status {
    let rate = here as f64 / time.as_secs_f64().max(1e-3);
    let played = learning.recorded();
    let (done, left, mut parts) = match learning.budget {
        Budget::Pairs(pairs) => (
            played as f64 / pairs.max(1) as f64,
            (rate > 0.0).then(|| pairs.saturating_sub(played) as f64 / rate),
            vec![format!("{played}/{pairs} pairs")],
        ),
        Budget::Time(time) => (
            learning.elapsed().as_secs_f64() / time.as_secs_f64().max(1e-3),
            Some(time.saturating_sub(learning.elapsed()).as_secs_f64()),
            vec![format!("{played} pairs")],
        ),
    };
    parts.extend(left.map(|left| format!("{} left", duration(left))));
    let subject = learning.subject.clone();
    parts.extend(best(learning.method(), &subject.parameters, &subject.choices));
    parts.push(format!("{:.1} games/s", 2.0 * rate));
    Status {
        done: Some(done),
        parts,
        table: Vec::new(),
    }
}

impl RunObserver<Learning> for TuningDisplay {
    fn on_event(&mut self, event: Event<'_>, learning: &mut Learning) {
        match event {
            Event::Started => self.before = learning.recorded(),
            Event::PairRecorded { games, .. } => {
                self.faults.of(games).iter().for_each(|report| print_err(report));
                if !self.quiet {
                    let here = learning.recorded().saturating_sub(self.before);
                    self.paced.show(|| status(learning, here, self.begun.elapsed()));
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

    use lmrlab_tune::methods::surface::Surface;
    use lmrlab_tune::subject::parameter::Place;

    #[test]
    fn the_prior_is_no_measurement() {
        let parameter = Parameter {
            name: "base".to_owned(),
            place: Place::Policy,
            integer: false,
            start: 0.5,
            min: 0.0,
            max: 2.0,
            step: 0.1,
            r_end: None,
        };
        let mut method = Surface::new(vec![parameter.clone()], 1);
        let shown = best(&mut method, &[parameter], &[]);
        assert_eq!(shown, ["nothing better than the start yet"]);
    }
}
