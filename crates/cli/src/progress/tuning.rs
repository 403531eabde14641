//! The figures of a running tuning run or trial: pairs, time left, the best point.

use super::duration;
use super::live::Status;
use super::pairs::{Pace, Shown};
use lmrlab_results::number_text::elo_plus_minus;
use lmrlab_runner::conduct::steering::Steering as _;
use lmrlab_tune::Method;
use lmrlab_tune::methods::finding::short;
use lmrlab_tune::run::steering::Learning;
use lmrlab_tune::subject::parameter::Parameter;

impl Shown for Learning {
    fn recorded_pairs(&self) -> u64 {
        self.recorded()
    }

    fn announcement(&self) -> Option<String> {
        None
    }

    /// Pairs, time left, and the best point.
    fn status(&mut self, pace: Pace, _: bool) -> Status {
        let (played, pairs) = (self.recorded(), self.pairs);
        let mut parts = vec![format!("{played}/{pairs} pairs")];
        let left = pace.seconds_left(played, pairs);
        parts.extend(left.map(|left| format!("{} left", duration(left))));
        parts.extend(best(&mut *self.method, &self.subject.parameters));
        parts.push(format!("{:.1} games/s", 2.0 * pace.pairs_per_second(played)));
        Status {
            done: Some(played as f64 / pairs.max(1) as f64),
            parts,
            table: Vec::new(),
        }
    }

    fn decided(&self) -> Vec<String> {
        Vec::new()
    }
}

/// The most values that are shown: more would fill the line.
const MOST_VALUES: usize = 4;

/// The recommendation of a method: its gain over the start where the games show one, the values that differ from the
/// start.
fn best(method: &mut dyn Method, parameters: &[Parameter]) -> Vec<String> {
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
            false => {
                let error = Some(lmrlab_stats::DEVIATIONS_95 * deviation);
                format!("best {} Elo", elo_plus_minus(Some(gain), error))
            }
        };
        parts.insert(0, known);
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
        let shown = best(&mut method, &[parameter]);
        assert_eq!(shown, ["nothing better than the start yet"]);
    }
}
