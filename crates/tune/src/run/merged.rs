//! Merges the parts of a trial. The files are those of the trial on one machine, to the byte.

use std::path::Path;

use lmrlab_diagnostics::failure::Failure;
use lmrlab_results::folder::ResultsFolder;
use lmrlab_results::outcome::Outcome;
use lmrlab_runner::conduct::steering::Steering as _;
use lmrlab_runner::interrupt::Interrupt;
use lmrlab_runner::parts::merge::merge;
use lmrlab_runner::parts::merge::survey::Survey;
use lmrlab_runner::record::recorder::Recorded;
use lmrlab_runner::run::Run;

use super::{plan_of, recorded_of};
use crate::run::result::RunResult;
use crate::run::steering::Learning;

/// Merges the parts of a trial, and writes its result.
///
/// # Errors
/// When the parts cannot be merged, or one machine would have stopped because an engine lost too many games in a row by
/// its faults. Then the merged run ends there, and has no result.
pub fn merge_trial(
    survey: &Survey,
    (out, force): (&Path, bool),
    interrupt: &Interrupt,
) -> Result<(Outcome, Option<String>), Failure> {
    let manifest = survey.manifest(out)?;
    // The tasks of a part include its openings, so that the book need not be here.
    let part = &survey.first;
    let plan = plan_of(&Run::with_manifest(part.path(), part.manifest.clone()), |_| ())?;
    let recorded = Recorded {
        openings: None,
        ..recorded_of(&plan, &manifest)
    };
    let run = (Learning::new(&plan), recorded);
    let mut merged = merge(survey, &manifest, run, (out, force), interrupt)?;
    let pairs = merged.steering.recorded();
    let result = RunResult::of(&plan.subject, pairs, &mut *merged.steering.method);
    if merged.stopped.is_none() {
        result.write(&plan, &ResultsFolder::existing(out)?)?;
    }
    Ok((result.outcome(&plan, true), merged.stopped))
}
