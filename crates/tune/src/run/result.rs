//! The result of a tuning run.

use crate::methods::finding::Finding;
use crate::run::result_file::{ParameterResult, TuningResult};
use lmrlab_stats::{EloEffect, Verdict};

use crate::Method;
use crate::methods::Interaction;
use crate::run::final_matches::FinalMatch;
use crate::subject::Subject;
use crate::subject::parameter::Parameter;

/// The result of a run.
#[derive(Debug, Clone)]
pub struct RunResult {
    /// Pairs that were played for it.
    pub pairs: u64,
    /// The recommended values, as they can be played.
    pub values: Vec<f64>,
    /// The gain over the start that the method expects: Elo and standard deviation.
    pub gain: Option<(f64, f64)>,
    /// What the games show about each parameter; may be empty.
    pub findings: Vec<Finding>,
    /// The matches at the end; empty when there were none.
    pub final_matches: Vec<FinalMatch>,
    /// The effect of each idea of a trial; `None` when too few pairs were played, or the run is no trial.
    pub effects: Option<Vec<EloEffect>>,
    /// How every two ideas of a trial act together; empty when it cannot show that.
    pub interactions: Vec<Interaction>,
}

impl RunResult {
    /// The result after the last pair that the method learned from.
    pub fn of(subject: &Subject, pairs: u64, method: &mut dyn Method) -> Self {
        let mut values = method.recommendation();
        for (value, parameter) in values.iter_mut().zip(&subject.parameters) {
            *value = tidy(parameter, *value);
        }
        Self {
            pairs,
            gain: method.gain(&values),
            findings: method.findings(&values),
            values,
            final_matches: Vec::new(),
            effects: method.effects(),
            interactions: method.interactions(),
        }
    }

    /// Whether the recommended values differ from the start.
    pub fn found_something(&self, subject: &Subject) -> bool {
        self.values != subject.origin()
    }

    /// The conclusion of the matches, as a sentence; `None` when there were none.
    pub fn verdict(&self) -> Option<String> {
        let accepted = |one: &FinalMatch| one.verdict() == Verdict::AcceptH1;
        let faulty = self
            .final_matches
            .iter()
            .find_map(|one| Some((one.limit, one.progress.no_verdict()?)));
        if let Some((limit, faults)) = faulty {
            return Some(format!("There is no verdict at {limit}: {faults}."));
        }
        let text = match self.final_matches.as_slice() {
            [] => return None,
            [short] if accepted(short) => "The gain is proven at the tuning limit; the longer limit was not played.",
            [short] if short.verdict() == Verdict::AcceptH0 => "There is no gain: keep the values of the start.",
            [_] => "No gain is shown: the match at the tuning limit is undecided.",
            [short, long, ..] => match (accepted(short), accepted(long), long.verdict()) {
                (true, true, _) => "The gain is proven at both limits.",
                (true, _, Verdict::AcceptH0) => {
                    "THE GAIN VANISHES at the longer limit: do not use these values for longer games."
                }
                (true, ..) => {
                    "The gain is proven at the tuning limit; at the longer limit it is neither proven nor disproven."
                }
                (false, true, _) => "The gain is proven at the longer limit only; the tuning limit needs more pairs.",
                (false, _, Verdict::AcceptH0) => {
                    "No gain is shown: the match at the tuning limit is undecided, and at the longer limit there is none."
                }
                (false, ..) => "No gain is shown: both matches are undecided.",
            },
        };
        Some(text.to_owned())
    }

    /// The content of result.toml.
    pub(crate) fn result(&self, subject: &Subject) -> TuningResult {
        let parameters = &subject.parameters;
        let changed = self.found_something(subject);
        // The start has no gain over itself, and no error of it.
        let gain = self.gain.filter(|_| changed);
        TuningResult {
            pairs: self.pairs,
            changed,
            expected_gain_elo: gain.map(|gain| gain.0),
            expected_gain_error_95: gain.map(|gain| lmrlab_stats::DEVIATIONS_95 * gain.1),
            verdict: self.verdict(),
            parameter: parameters
                .iter()
                .enumerate()
                .map(|(index, parameter)| {
                    let finding = self.findings.get(index);
                    let measured = finding.filter(|finding| finding.is_measured());
                    ParameterResult {
                        name: parameter.name.clone(),
                        start: parameter.start,
                        tuned: self.values[index],
                        interval_95: measured.map(|f| f.interval.into()),
                        measurable: finding.map(|f| f.is_measured() && f.is_measurable()),
                    }
                })
                .collect(),
            final_matches: self.final_matches.iter().map(FinalMatch::result).collect(),
        }
    }
}

/// A value rounded to about a thousandth of the step, so that files stay readable.
fn tidy(parameter: &Parameter, value: f64) -> f64 {
    if (value - parameter.start).abs() < 1e-9 * parameter.step {
        return parameter.start;
    }
    let digits = libm::ceil(2.0 - libm::log10(parameter.step)).clamp(0.0, 12.0);
    let unit = libm::pow(10.0, digits);
    parameter.rounded(libm::round(value * unit) / unit)
}
