//! The data of a tuning run's page: the method learns from the journal again.

use std::path::Path;

use lmrlab_results::failure::Failure;
use lmrlab_results::folder::TUNING_RESULT;
use lmrlab_results::tuning::{Finding, Moment, TunedParameter, TuningView};

use crate::plan::Budget;
use crate::session::Session;

/// The intervals of the path are computed again when there are this many times as many pairs as at the last ones.
const BETWEEN_INTERVALS: f64 = 1.2;

/// The tuning run in this folder, finished or not. Writes nothing.
///
/// # Errors
/// When the folder holds no tuning run, or it cannot be read.
pub fn view(folder: &Path) -> Result<TuningView, Failure> {
    let session = Session::opened(folder)?;
    let (plan, subject) = (&session.plan, &session.plan.subject);
    let mut moments: Vec<Moment> = Vec::new();
    let mut next = 0.0;
    let (pairs, mut method) = session.replay(&mut |pairs, method| {
        let values = method.recommendation();
        let mut intervals = Vec::new();
        if pairs as f64 >= next {
            next = pairs as f64 * BETWEEN_INTERVALS;
            intervals.extend(method.findings(&values).iter().map(Finding::measured_interval));
        }
        moments.push(Moment {
            pairs,
            values,
            intervals,
        });
    })?;
    let count = pairs.len() as u64;
    let outcome = session.outcome_of(count, &mut *method)?;
    if let Some(last) = moments.last_mut() {
        last.intervals = outcome.findings.iter().map(Finding::measured_interval).collect();
    }
    let parameters = subject.parameters.iter().enumerate();
    let parameters = parameters.map(|(index, parameter)| TunedParameter {
        name: parameter.name.clone(),
        start: parameter.start,
        tuned: outcome.values[index],
        min: parameter.min,
        max: parameter.max,
        step: parameter.step,
        finding: outcome.findings.get(index).copied(),
    });
    let not_raced = subject.choices.iter().skip(outcome.decisions.len());
    Ok(TuningView {
        name: plan.name.clone(),
        engine: subject.start.name.clone(),
        limit: plan.conditions.terms.limit.to_string(),
        gate: plan.gate_note(),
        is_complete: match plan.budget {
            Budget::Pairs(all) => count >= all,
            // A run writes its result when its time is over.
            Budget::Time(_) => folder.join(TUNING_RESULT.name()).exists(),
        },
        result: outcome.result(subject),
        parameters: parameters.collect(),
        moments,
        not_raced: not_raced.map(|choice| choice.name.clone()).collect(),
        played: (pairs.into_iter())
            .flat_map(|pair| [pair.probe.first, pair.probe.second])
            .collect(),
        point: outcome.values,
        model: Box::new(move |point| method.gain(point)),
    })
}
