//! The result of a tuning run, as files and as text.

use std::fmt::Write as _;

use super::choice::Decision;
use super::gate::Trial;
use super::method::Interaction;
use super::parameter::Parameter;
use super::plan::{MethodName, Plan};
use super::spsa::usual_r_end;
use super::subject::Subject;
use super::trial_table::{PlayedTrial, TrialTable};
use super::{Method, fishtest};
use lmrlab_results::failure::Failure;
use lmrlab_results::folder::{
    INTERACTIONS, ResultFile, ResultsFolder, TRIAL, TUNED_PARAMETERS, TUNED_POLICY, TUNED_PRESET, TUNING_RESULT,
};
use lmrlab_results::replacement::replace;
use lmrlab_results::tuning::{ChoiceResult, Finding, NOT_MEASURED, ParameterResult, TuningResult, short};
use lmrlab_runner::text_table::{Column, TextTable};
use lmrlab_stats::{CONFIDENCE, EloEffect, INTERVAL_HEADING, Verdict};

/// The result of a run.
#[derive(Debug, Clone)]
pub struct Outcome {
    /// Pairs that were played for it.
    pub pairs: u64,
    /// The recommended values, as they can be played: of the parameters, then of the choices.
    pub values: Vec<f64>,
    /// The gain over the start that the method expects: Elo and standard deviation.
    pub gain: Option<(f64, f64)>,
    /// What the games show about each parameter; may be empty.
    pub findings: Vec<Finding>,
    /// The decision of each choice that was raced.
    pub decisions: Vec<Decision>,
    /// The matches at the end; empty when there were none.
    pub trials: Vec<Trial>,
    /// The effect of each idea of a trial; `None` when too few pairs were played, or the run is no trial.
    pub effects: Option<Vec<EloEffect>>,
    /// How every two ideas of a trial act together; empty when it cannot show that.
    pub interactions: Vec<Interaction>,
}

impl Outcome {
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
            decisions: method.decisions(),
            values,
            trials: Vec::new(),
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
        let accepted = |trial: &Trial| trial.verdict == Verdict::AcceptH1;
        let faulty = self
            .trials
            .iter()
            .find_map(|trial| Some((trial.limit, trial.no_verdict.as_ref()?)));
        if let Some((limit, faults)) = faulty {
            return Some(format!("There is no verdict at {limit}: {faults}."));
        }
        let text = match self.trials.as_slice() {
            [] => return None,
            [short] if accepted(short) => "The gain is proven at the tuning limit; the longer limit was not played.",
            [short] if short.verdict == Verdict::AcceptH0 => "There is no gain: keep the values of the start.",
            [_] => "No gain is shown: the match at the tuning limit is undecided.",
            [short, long, ..] => match (accepted(short), accepted(long), long.verdict) {
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

    /// The table of the parameters, with what the games show about them.
    pub fn table(&self, parameters: &[Parameter]) -> String {
        let mut table = TextTable::of([
            Column::words("parameter"),
            Column::numbers("start").at_least(10).behind(" "),
            Column::numbers("tuned").at_least(10).behind(" "),
            Column::words(format!("{INTERVAL_HEADING} of the best value")),
        ]);
        for (index, parameter) in parameters.iter().enumerate() {
            let known = self.findings.get(index).map(|finding| {
                if !finding.is_measured() {
                    return NOT_MEASURED.to_owned();
                }
                let (low, high) = finding.interval;
                let outside = finding.why_outside(parameter.start, self.values[index]);
                format!(
                    "{} to {}{}{}",
                    short(parameter.step, low),
                    short(parameter.step, high),
                    doubt(finding, parameter),
                    outside.map_or_else(String::new, |why| format!("; {why}"))
                )
            });
            table.push([
                parameter.name.clone(),
                parameter.start.to_string(),
                self.values[index].to_string(),
                known.unwrap_or_default(),
            ]);
        }
        table.to_string()
    }

    /// The choices that were raced.
    fn raced(&self, subject: &Subject) -> Vec<ChoiceResult> {
        let choices = subject.choices.iter().zip(&self.decisions);
        choices.map(|(choice, decision)| choice.result(decision)).collect()
    }

    /// What was chosen, and the fate of every value.
    fn choices(&self, subject: &Subject) -> String {
        let mut text = String::new();
        for choice in self.raced(subject) {
            let no_verdict = (choice.no_verdict).map_or_else(String::new, |faults| format!("; no verdict, {faults}"));
            let _ = writeln!(text, "choice {}: {}{no_verdict}", choice.name, choice.taken);
            for value in choice.value {
                let _ = writeln!(text, "  {}: {}", value.value, value.in_words());
            }
        }
        for choice in subject.choices.iter().skip(self.decisions.len()) {
            let _ = writeln!(text, "choice {}: start; the budget ended before its race", choice.name);
        }
        if !text.is_empty() {
            text.push('\n');
        }
        text
    }

    /// The state of an interrupted run, as text.
    pub fn standing(&self, subject: &Subject) -> String {
        if !subject.ideas.is_empty() {
            return self.text(subject);
        }
        let mut text = self.values_text(subject);
        match self.found_something(subject) {
            true => text.push_str(&self.gain_text(subject)),
            false => text.push_str("Nothing plays significantly better than the start yet.\n"),
        }
        text
    }

    /// The results of a trial.
    pub fn trial(&self) -> PlayedTrial<'_> {
        PlayedTrial {
            pairs: self.pairs,
            effects: self.effects.as_deref(),
            interactions: &self.interactions,
        }
    }

    /// The whole result as text.
    pub fn text(&self, subject: &Subject) -> String {
        if !subject.ideas.is_empty() {
            return TrialTable::single(subject, self.trial()).text();
        }
        let mut text = self.values_text(subject);
        if !self.found_something(subject) {
            text.push_str("Nothing plays significantly better than the start; nothing is changed.\n");
            return text;
        }
        text.push_str(&self.gain_text(subject));
        for trial in &self.trials {
            let _ = writeln!(text, "Proof {}", trial.result().line());
        }
        if let Some(verdict) = self.verdict() {
            let _ = writeln!(text, "{verdict}");
        }
        text
    }

    /// Pairs, choices and parameters.
    fn values_text(&self, subject: &Subject) -> String {
        let mut text = format!("{} pairs\n\n{}", self.pairs, self.choices(subject));
        if !subject.parameters.is_empty() {
            let _ = writeln!(text, "{}", self.table(&subject.parameters));
        }
        text
    }

    /// The expected gain, if the method knows one.
    fn gain_text(&self, subject: &Subject) -> String {
        let mut text = String::new();
        if let Some((gain, deviation)) = self.gain {
            let _ = writeln!(
                text,
                "Expected gain{} over the start: {gain:+.1} ± {:.1} Elo ({CONFIDENCE})",
                if subject.choices.is_empty() {
                    ""
                } else {
                    " of the numbers"
                },
                lmrlab_stats::DEVIATIONS_95 * deviation
            );
        }
        text
    }

    /// The comments at the top of a tuned policy.
    pub fn evidence(&self, plan: &Plan) -> String {
        let method = MethodName::NAMES
            .iter()
            .find(|(_, method)| *method == plan.method)
            .map_or("", |(name, _)| name);
        format!(
            "Tuned by lmrlab {} from `{}` in {} pairs at {} (method {method}, seed {}).\n{}",
            env!("CARGO_PKG_VERSION"),
            plan.subject.start.reference(),
            self.pairs,
            plan.conditions.terms.limit,
            plan.conditions.seed,
            self.text(&plan.subject)
        )
    }

    /// Writes result.toml and parameters.txt. When the recommended values differ from the start, also writes the
    /// changed policy as tuned.toml and the changed preset as tuned-preset.toml. For a trial, writes result.toml and
    /// trial.csv instead.
    ///
    /// # Errors
    /// When one of them cannot be written.
    pub fn write(&self, plan: &Plan, folder: &ResultsFolder) -> Result<(), Failure> {
        let write = |file: ResultFile, text: &str| replace(folder, file, text.as_bytes());
        let parameters = &plan.subject.parameters;
        let result = toml::to_string(&self.result(&plan.subject))
            .map_err(|error| Failure::run(format!("cannot write the result as TOML: {error}")))?;
        if !plan.subject.ideas.is_empty() {
            let table = TrialTable::of([(plan, self.trial())]);
            write(TRIAL, &table.csv())?;
            if plan.interactions {
                write(INTERACTIONS, &table.interactions_csv())?;
            }
            return write(TUNING_RESULT, &result);
        }
        write(TUNING_RESULT, &result)?;
        write(TUNED_PARAMETERS, &self.lines(parameters))?;
        if self.found_something(&plan.subject) {
            let evidence = self.evidence(plan);
            let subject = &plan.subject;
            let files = [
                (
                    TUNED_POLICY,
                    subject.tuned_policy(&self.values, &plan.root, folder.path(), &evidence),
                ),
                (TUNED_PRESET, subject.tuned_preset(&self.values, &evidence)),
            ];
            for (file, text) in files {
                if let Some(text) = text {
                    write(file, &text)?;
                }
            }
        }
        Ok(())
    }

    /// The tuned values as lines of OpenBench.
    fn lines(&self, parameters: &[Parameter]) -> String {
        let mut text = format!("# {}\n", fishtest::COLUMNS);
        for (parameter, value) in parameters.iter().zip(&self.values) {
            let r_end = parameter.r_end.unwrap_or_else(|| usual_r_end(self.pairs));
            text.push_str(&fishtest::line(parameter, *value, r_end));
            text.push('\n');
        }
        text
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
            choice: self.raced(subject),
            gate: self.trials.iter().map(Trial::result).collect(),
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

/// A note on a parameter that may not matter; empty when it matters.
fn doubt(finding: &Finding, parameter: &Parameter) -> String {
    if finding.is_measurable() {
        return String::new();
    }
    let error = lmrlab_stats::DEVIATIONS_95 * finding.deviation;
    let what = if finding.effect > error {
        "perhaps no effect"
    } else {
        "no measurable effect"
    };
    let moved = short(parameter.step, finding.moved);
    format!(
        "; {what}: moved by {moved:+} it loses {:.1} ± {error:.1} Elo",
        finding.effect
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_sure_an_effect_is() {
        let parameter = Parameter {
            name: "base".to_owned(),
            integer: false,
            start: 1.0,
            min: 0.0,
            max: 2.0,
            step: 0.1,
            r_end: None,
        };
        let note = |effect| {
            let finding = Finding {
                interval: (0.5, 1.5),
                moved: 0.25,
                effect,
                deviation: 10.0,
                share_of_games: 0.9,
            };
            doubt(&finding, &parameter)
        };
        assert_eq!(note(31.0), "");
        assert_eq!(
            note(25.0),
            "; perhaps no effect: moved by +0.25 it loses 25.0 ± 19.6 Elo"
        );
        assert_eq!(
            note(-1.0),
            "; no measurable effect: moved by +0.25 it loses -1.0 ± 19.6 Elo"
        );
    }
}
