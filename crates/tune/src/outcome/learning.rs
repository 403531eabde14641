//! What a tuning run has learned, with pictures: the path of its values and its model. The method learns from tuning.csv
//! again.

use crate::methods::finding::Finding;
use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::outcome::picture::{Curve, Lines, Quantity};
use lmrlab_results::outcome::table::Known;
use lmrlab_results::outcome::{Outcome, Section};
use lmrlab_results::seen::Seen;
use lmrlab_runner::run::Run;
use lmrlab_stats::DEVIATIONS_95;

use crate::Method;
use crate::run::TuningRun;
use crate::run::result::RunResult;
use crate::subject::parameter::Parameter;

/// The intervals of the path are computed again when there are this many times as many pairs as at the last ones.
const BETWEEN_INTERVALS: f64 = 1.2;
/// Steps of a cut through the model.
const CUT_STEPS: u32 = 60;

/// What was recommended after some pairs: each value, with the interval of the best one where it was computed and comes from games.
struct Moment {
    pairs: u64,
    values: Vec<Known>,
}

/// The outcome of a run, finished or not. Writes nothing.
///
/// # Errors
/// When tuning.csv or the journal of a final match cannot be read.
pub fn outcome(session: &TuningRun) -> Result<Outcome, Failure> {
    let plan = &session.plan;
    let run = Run::open(session.folder())?;
    if run.manifest().part.is_some() {
        return of_part(&run, plan.name.clone());
    }
    if !plan.subject.ideas.is_empty() {
        return Ok(session.outcome()?.outcome(plan, true));
    }
    let mut moments: Vec<Moment> = Vec::new();
    let mut next = 0.0;
    let mut method = plan.method();
    let pairs = session.replay(&mut *method, &mut |pairs, method| {
        let values = method.recommendation();
        let mut findings = Vec::new();
        if pairs as f64 >= next {
            next = pairs as f64 * BETWEEN_INTERVALS;
            findings = method.findings(&values);
        }
        moments.push(moment(pairs, &values, &findings));
    })?;
    let count = pairs.len() as u64;
    let result = session.outcome_of(count, &mut *method)?;
    if let Some(last) = moments.last_mut() {
        *last = moment(count, &result.values, &result.findings);
    }
    let mut outcome = result.outcome(plan, count >= plan.pairs);
    let played = pairs.into_iter().flat_map(|(probe, _)| [probe.first, probe.second]);
    let learned = Learned {
        parameters: &plan.subject.parameters,
        result: &result,
        played: played.collect(),
        method: &*method,
    };
    let pictures = [learned.paths(&moments), learned.cuts()];
    // They follow the values.
    outcome.sections.splice(1..1, pictures.into_iter().flatten());
    Ok(outcome)
}

fn moment(pairs: u64, values: &[f64], findings: &[Finding]) -> Moment {
    let value = |(index, value): (usize, &f64)| Known {
        value: *value,
        interval: findings.get(index).and_then(Finding::measured_interval),
    };
    Moment {
        pairs,
        values: values.iter().enumerate().map(value).collect(),
    }
}

/// How far a part of a run is. What it learns needs the other parts.
fn of_part(run: &Run, title: String) -> Result<Outcome, Failure> {
    let mut played = 0;
    run.pairs(&mut |_| {
        played += 1;
        Ok(())
    })?;
    Ok(Outcome {
        title,
        verdict: vec![format!("{played} pairs of the part are played.")],
        notes: run.note().into_iter().collect(),
        ..Outcome::default()
    })
}

/// The method after its last pair.
struct Learned<'r> {
    parameters: &'r [Parameter],
    result: &'r RunResult,
    /// The values of each side of each pair: those of the parameters come first.
    played: Vec<Vec<f64>>,
    method: &'r dyn Method,
}

impl Learned<'_> {
    /// The path of the recommended values.
    fn paths(&self, moments: &[Moment]) -> Option<Section> {
        if moments.len() < 2 {
            return None;
        }
        let path = |(index, parameter): (usize, &Parameter)| {
            let points = moments.iter().map(|moment| (moment.pairs as f64, moment.values[index]));
            Lines {
                title: format!("{}: the recommended value over the pairs played", parameter.name),
                x: Quantity::new("pairs", Seen::Decimals(0)),
                y: Quantity {
                    unchanged: Some((parameter.start, "start".to_owned())),
                    ..Quantity::new(&parameter.name, Seen::AsWritten)
                },
                curves: vec![Curve {
                    name: parameter.name.clone(),
                    points: points.collect(),
                    has_band: true,
                }],
                note: "Band: the 95% interval of the best value, where the games say more about it than the prior."
                    .to_owned(),
                ..Lines::default()
            }
        };
        Some(Section::for_page("Paths of the values").draw(self.parameters.iter().enumerate().map(path)))
    }

    /// The model along each parameter through the tuned point. Beyond the values that were played, the model only guesses.
    fn cuts(&self) -> Option<Section> {
        self.method.gain(&self.result.values)?;
        let mut section = Section::for_page("What the model says along each parameter");
        // The games say more about these than the prior.
        let is_known = |index: &usize| self.result.findings.get(*index).is_none_or(Finding::is_measured);
        let (known, unknown): (Vec<usize>, Vec<usize>) = (0..self.parameters.len()).partition(is_known);
        let unknown: Vec<&str> = unknown
            .into_iter()
            .map(|index| self.parameters[index].name.as_str())
            .collect();
        if !unknown.is_empty() {
            section = section.say(format!(
                "Not drawn: {}. So far the prior says more about them than the games do.",
                unknown.join(", ")
            ));
        }
        Some(section.draw(known.into_iter().map(|index| self.cut(index))))
    }

    fn cut(&self, index: usize) -> Lines {
        let parameter = &self.parameters[index];
        let tuned = self.result.values[index];
        let mut played: Vec<f64> = self.played.iter().map(|values| values[index]).collect();
        played.sort_by(f64::total_cmp);
        let (from, to) = (tuned.min(parameter.start), tuned.max(parameter.start));
        let played_at = |share: f64| played.get((share * played.len().saturating_sub(1) as f64) as usize);
        let low = played_at(0.025).map_or(parameter.min, |low| low.min(from));
        let high = played_at(0.975).map_or(parameter.max, |high| high.max(to));
        let points = (0..=CUT_STEPS).filter_map(|step| {
            let value = low + (high - low) * f64::from(step) / f64::from(CUT_STEPS);
            let mut point = self.result.values.clone();
            point[index] = value;
            let (gain, deviation) = self.method.gain(&point)?;
            Some((value, Known::with_error(gain, Some(DEVIATIONS_95 * deviation))))
        });
        Lines {
            title: format!("{}: Elo over the start, the other parameters as tuned", parameter.name),
            x: Quantity {
                unchanged: Some((tuned, "tuned".to_owned())),
                ..Quantity::new(&parameter.name, Seen::AsWritten)
            },
            y: Quantity {
                unchanged: Some((0.0, "start".to_owned())),
                ..Quantity::new("Elo over the start", Seen::Signed(1))
            },
            curves: vec![Curve {
                name: parameter.name.clone(),
                points: points.collect(),
                has_band: true,
            }],
            note: "From left to right: the values of 95% of the sides that were played. Band: 95% interval.".to_owned(),
            ..Lines::default()
        }
    }
}
