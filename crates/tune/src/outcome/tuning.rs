//! What a tuning run found: a table of the parameters, and one of the final matches.

use crate::methods::finding::{Finding, short};
use lmrlab_results::number_text::elo_with_error;
use lmrlab_results::outcome::picture::{Intervals, Line, Quantity};
use lmrlab_results::outcome::table::{Known, Table};
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::rows::tuning::{FinalMatchRow, TunedRow};
use lmrlab_results::seen::Seen;
use lmrlab_results::tables;
use lmrlab_stats::DEVIATIONS_95;

use crate::outcome::trial::TrialTables;
use crate::plan::Plan;
use crate::run::result::RunResult;
use crate::subject::parameter::Parameter;

/// In the place of an interval that the prior determines more than the games.
const NOT_MEASURED: &str = "not yet known";

tables! {
    /// The tables of a tuning run.
    TuningTables {
        parameters: Vec<TunedRow>,
        final_matches: Vec<FinalMatchRow>,
    }
}

impl RunResult {
    /// What the run of a plan found. `has_ended`: its budget is spent.
    pub fn outcome(&self, plan: &Plan, has_ended: bool) -> Outcome {
        match plan.subject.ideas.is_empty() {
            true => self.tuned(plan, has_ended),
            false => TrialTables::of([(plan, self)]).outcome(),
        }
    }

    fn tuned(&self, plan: &Plan, has_ended: bool) -> Outcome {
        let subject = &plan.subject;
        let tables = TuningTables {
            parameters: self.parameter_rows(&subject.parameters),
            final_matches: self.final_match_rows(),
        };
        // Some methods find nothing about single parameters.
        let about: &[&str] = match self.findings.is_empty() {
            true => &["best", "moved", "loss", "note"],
            false => &[],
        };
        let mut values = Section::new("Values")
            .draw([self.moves(&subject.parameters)])
            .table(Table::of("parameters", &tables.parameters).without(about));
        if self.findings.iter().any(|finding| !finding.is_measured()) {
            values = values.say(format!(
                "`{NOT_MEASURED}`: so far the prior says more about the parameter than the games do. More pairs are needed."
            ));
        }
        let mut sections = vec![values];
        if !tables.final_matches.is_empty() {
            let table = Table::of("final_matches", &tables.final_matches);
            let quantity = Quantity::elo("Elo of the tuned values", "start");
            let picture = Intervals::of(
                "Elo of the tuned values over the start",
                &table,
                "limit",
                "elo",
                quantity,
            );
            sections.push(
                Section::new("Final matches: tuned against start")
                    .draw([picture.note("Openings that tuning did not use.")])
                    .table(table)
                    .say("The folders gate-1 and gate-4 hold the matches; each has a page of its own with `lmrlab report`."),
            );
        }
        Outcome {
            title: format!("Tuning run of {}: {}", subject.start.name, plan.name),
            conditions: format!("{} pairs at {}", self.pairs, plan.conditions.terms.limit),
            verdict: self.conclusion(plan, has_ended),
            sections,
            notes: Vec::new(),
            tables: tables.tables(),
        }
    }

    fn conclusion(&self, plan: &Plan, has_ended: bool) -> Vec<String> {
        let gain = self.gain.filter(|_| self.found_something(&plan.subject));
        let gain = gain.map(|(gain, deviation)| elo_with_error(gain, Some(DEVIATIONS_95 * deviation)));
        let first = match (self.found_something(&plan.subject), gain) {
            (true, Some(gain)) => format!("The model expects a gain of {gain} over the start."),
            (true, None) => "The tuned values differ from the start.".to_owned(),
            (false, _) if has_ended => {
                "Nothing plays significantly better than the start; nothing is changed.".to_owned()
            }
            (false, _) => "Nothing plays significantly better than the start yet.".to_owned(),
        };
        let unfinished = (!has_ended).then(|| "The run has not spent its budget.".to_owned());
        [Some(first), self.verdict(), unfinished]
            .into_iter()
            .flatten()
            .collect()
    }

    fn parameter_rows(&self, parameters: &[Parameter]) -> Vec<TunedRow> {
        let row = |(index, parameter): (usize, &Parameter)| {
            let (start, tuned) = (parameter.start, self.values[index]);
            let finding = self.findings.get(index);
            let measured = finding.filter(|finding| finding.is_measured());
            let shown = |value: f64| short(parameter.step, value);
            let ends = measured.map(|finding| (shown(finding.interval.0), shown(finding.interval.1)));
            let best = match (finding, ends) {
                (_, Some((low, high))) => format!("{low} to {high}"),
                (Some(_), None) => NOT_MEASURED.to_owned(),
                (None, None) => String::new(),
            };
            let notes = measured.map(|finding| [doubt(finding), finding.why_outside(start, tuned)]);
            let notes: Vec<&str> = notes.into_iter().flatten().flatten().collect();
            TunedRow {
                parameter: parameter.name.clone(),
                start,
                tuned,
                best,
                best_low: ends.map(|ends| ends.0),
                best_high: ends.map(|ends| ends.1),
                moved: measured.map(|finding| shown(finding.moved)),
                loss: measured.map(|finding| finding.effect),
                loss_error_95: measured.map(|finding| DEVIATIONS_95 * finding.deviation),
                note: notes.join("; "),
            }
        };
        parameters.iter().enumerate().map(row).collect()
    }

    /// How far each parameter has moved, with the interval of its best value.
    fn moves(&self, parameters: &[Parameter]) -> Intervals {
        let line = |(index, parameter): (usize, &Parameter)| {
            let moved = |value: f64| (value - parameter.start) / (parameter.max - parameter.min) * 100.0;
            let interval = self.findings.get(index).and_then(Finding::measured_interval);
            let known = Known {
                value: moved(self.values[index]),
                interval: interval.map(|(low, high)| (moved(low), moved(high))),
            };
            Line::Value(parameter.name.clone(), known, false)
        };
        Intervals {
            title: "How far each value moved".to_owned(),
            quantity: Quantity {
                unchanged: Some((0.0, "start".to_owned())),
                ..Quantity::new("from the start, in percent of the allowed range", Seen::Signed(1))
            },
            lines: parameters.iter().enumerate().map(line).collect(),
            note: "An interval is that of the best value.".to_owned(),
        }
    }

    fn final_match_rows(&self) -> Vec<FinalMatchRow> {
        let row = |one: &crate::run::final_matches::FinalMatch| {
            let result = one.result();
            let [n_ll, n_ld, n_dd_wl, n_wd, n_ww] = result.pentanomial;
            FinalMatchRow {
                limit: result.limit,
                n_ll,
                n_ld,
                n_dd_wl,
                n_wd,
                n_ww,
                elo: result.elo.into(),
                elo_error_95: result.elo_error_95.into(),
                verdict: result.verdict,
            }
        };
        self.final_matches.iter().map(row).collect()
    }
}

/// A note on a parameter that may not matter; `None` when it matters.
fn doubt(finding: &Finding) -> Option<&'static str> {
    let error = DEVIATIONS_95 * finding.deviation;
    match finding.is_measurable() {
        true => None,
        false if finding.effect > error => Some("perhaps no effect"),
        false => Some("no measurable effect"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn how_sure_an_effect_is() {
        let note = |effect| {
            doubt(&Finding {
                interval: (0.5, 1.5),
                moved: 0.25,
                effect,
                deviation: 10.0,
                share_of_games: 0.9,
            })
        };
        assert_eq!(note(31.0), None);
        assert_eq!(note(25.0), Some("perhaps no effect"));
        assert_eq!(note(-1.0), Some("no measurable effect"));
    }
}
