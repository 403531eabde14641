//! Progress of a tuning run: a line with a bar on a terminal, now and then a line in a file or a pipe.

use std::time::Instant;

use super::duration;
use super::live::Status;
use super::paced::Paced;
use lmrlab_results::tuning::short;
use lmrlab_tune::Method;
use lmrlab_tune::choice::Choice;
use lmrlab_tune::parameter::Parameter;
use lmrlab_tune::plan::Budget;
use lmrlab_tune::tuning_run::TuningProgress;

/// The parts of a tuning run that are shown.
pub(crate) struct TuningDisplay {
    budget: Budget,
    parameters: Vec<Parameter>,
    choices: Vec<Choice>,
    paced: Paced,
    begun: Instant,
}

impl TuningDisplay {
    pub(crate) fn new(budget: Budget, parameters: Vec<Parameter>, choices: Vec<Choice>) -> Self {
        Self {
            budget,
            parameters,
            choices,
            paced: Paced::new(),
            begun: Instant::now(),
        }
    }

    /// Shows the progress of the run, unless it was shown a moment ago.
    pub(crate) fn show(&mut self, progress: TuningProgress<'_>) {
        let (budget, begun) = (self.budget, self.begun);
        self.paced
            .show(|| status(budget, begun, &self.parameters, &self.choices, progress));
    }
}

/// Pairs, time left, and the best point.
fn status(
    budget: Budget,
    begun: Instant,
    parameters: &[Parameter],
    choices: &[Choice],
    progress: TuningProgress<'_>,
) -> Status {
    let rate = progress.here as f64 / begun.elapsed().as_secs_f64().max(1e-3);
    let (done, left, mut parts) = match budget {
        Budget::Pairs(pairs) => (
            progress.pairs as f64 / pairs.max(1) as f64,
            (rate > 0.0).then(|| pairs.saturating_sub(progress.pairs) as f64 / rate),
            vec![format!("{}/{pairs} pairs", progress.pairs)],
        ),
        Budget::Time(time) => (
            progress.elapsed.as_secs_f64() / time.as_secs_f64().max(1e-3),
            Some(time.saturating_sub(progress.elapsed).as_secs_f64()),
            vec![format!("{} pairs", progress.pairs)],
        ),
    };
    parts.extend(left.map(|left| format!("{} left", duration(left))));
    parts.extend(best(progress.method, parameters, choices));
    parts.push(format!("{:.1} games/s", 2.0 * rate));
    Status {
        done: Some(done),
        parts,
        table: Vec::new(),
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
    use std::time::Duration;

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
        for pairs in 0..3 {
            let progress = TuningProgress {
                pairs,
                here: pairs,
                elapsed: Duration::ZERO,
                has_learned: false,
                method: &mut method,
            };
            let parameters = std::slice::from_ref(&parameter);
            let status = status(Budget::Pairs(60), Instant::now(), parameters, &[], progress);
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
